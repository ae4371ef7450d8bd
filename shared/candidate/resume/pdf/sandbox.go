package pdf

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/emscripten"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
)

const (
	sandboxMemory = 128 << 20 // bytes for one document; no real resume needed half of them
	scratchSize   = 64        // bytes of the largest result read from pdfium's memory: the name of a font
	hostModule    = "env"     // that pdfium imports functions of the embedding program from

	// checkImport is the function that pdfium would ask whether to pause drawing. Nothing is drawn; its
	// loops ask it whether to continue: see [checkContext].
	checkImport = "IFSDK_PAUSE_NeedToPauseNow_CB"

	// coreFeatures are what pdfium needs of WebAssembly: exceptions are its libraries' way out of damaged images.
	coreFeatures = api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling
)

// sandboxes compiles pdfium once per process, or loads it from the cache that the first process on a machine leaves in
// its temporary folder. For a process that reads one PDF file (time -v of the local runner's command resume, x86-64)
// compiling what is used of it takes 1.5 s of processor time and a peak of 140 MB resident, the cache 0.2 s and 60 MB.
// The whole module would take 2.7 s and 310 MB.
var sandboxes = keepSuccess(func() (*compiledPDFium, error) {
	config := wazero.NewRuntimeConfig()
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("resume-pdfium-%d", os.Getuid()))
	if makePrivateFolder(dir) { // what is in the cache is executed
		if cache, err := wazero.NewCompilationCacheWithDir(dir); err == nil {
			config = config.WithCompilationCache(cache)
		}
	}
	compiled, err := compilePDFium(config)
	if err != nil { // a full or read-only folder fails here only
		compiled, err = compilePDFium(wazero.NewRuntimeConfig())
	}
	debug.FreeOSMemory() // the compiler's, before the first document takes more
	return compiled, err
})

// keepSuccess returns a function that returns what compile first returns without an error, and nil with an error before. A
// machine that lacks memory may have it when the next document comes. Callers at the same time wait for one another.
func keepSuccess(compile func() (*compiledPDFium, error)) func() (*compiledPDFium, error) {
	var lock sync.Mutex
	var compiled *compiledPDFium
	return func() (*compiledPDFium, error) {
		lock.Lock()
		defer lock.Unlock()
		var err error
		if compiled == nil {
			compiled, err = compile()
		}
		return compiled, err
	}
}

type compiledPDFium struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

func compilePDFium(config wazero.RuntimeConfig) (*compiledPDFium, error) {
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, config.WithMemoryLimitPages(sandboxMemory>>16).WithCoreFeatures(coreFeatures))
	module, err := runtime.CompileModule(ctx, pdfiumModule)
	if err == nil {
		_, err = wasi_snapshot_preview1.Instantiate(ctx, runtime)
	}
	if err == nil {
		err = instantiateHost(ctx, runtime, module)
	}
	if err != nil {
		return nil, errors.Join(err, runtime.Close(ctx))
	}
	return &compiledPDFium{runtime, module}, nil
}

// instantiateHost gives pdfium the functions that it imports: those of its C library, the check that its loops call, and
// for callbacks that are never registered a panic, which ends the call of pdfium with an error.
func instantiateHost(ctx context.Context, runtime wazero.Runtime, module wazero.CompiledModule) error {
	builder := runtime.NewHostModuleBuilder(hostModule)
	for _, f := range module.ImportedFunctions() {
		host := api.GoModuleFunc(func(context.Context, api.Module, []uint64) { panic(errEngine) })
		from, name, _ := f.Import()
		if name == checkImport {
			host = checkContext
		}
		if from == hostModule {
			builder.NewFunctionBuilder().WithGoModuleFunction(host, f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	library, err := emscripten.NewFunctionExporterForModule(module)
	if err != nil {
		return err
	}
	library.ExportFunctions(builder)
	_, err = builder.Instantiate(ctx)
	return err
}

// checkContext panics when the context of the call of pdfium has ended, which ends the call with that error.
func checkContext(ctx context.Context, _ api.Module, _ []uint64) {
	if err := ctx.Err(); err != nil {
		panic(err)
	}
}

// makePrivateFolder creates dir if it is missing and reports whether it is this user's, who alone may write to it.
func makePrivateFolder(dir string) bool {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o022 != 0 {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid()
}

//go:generate node ../../../../.tools/pdfium.mjs .

// pdfiumModule is pdfium with checks in its loops, and without what only exports reach that exports.txt lacks, such as drawing
// pages, forms and editing: it compiles in half of the time and of the memory. The file lists all functions that
// [sandbox.call] calls, and those of the C library that setjmp needs.
//
//go:embed pdfium.wasm
var pdfiumModule []byte

var (
	errEngine  = errors.New("pdfium lacks a function that is used")
	errStart   = errors.New("pdfium instance did not start")
	errMemory  = errors.New("pdfium has no memory left")
	errLocked  = errors.New("pdfium needs a password")
	errDamaged = errors.New("pdfium cannot read the document")
)

// sandboxTurn admits one document at a time, before its own time begins.
var sandboxTurn = make(chan struct{}, 1)

// sandbox is a started instance of pdfium, for one document. Documents, pages and texts are
// pointers into its memory, which are 0 where pdfium has none.
type sandbox struct {
	ctx       context.Context // of starting, then of the document: ends calls
	module    api.Module
	memory    linearMemory
	functions map[string]api.Function
	stack     [8]uint64 // arguments of a call and its result
	scratch   uint64
	err       error // the first error, after which no call does anything
}

// startSandbox starts an instance for one document, which the caller closes. The instance has no
// files, no environment and no clock but its own, and its output is discarded. On a slow machine
// starting it takes long, and it does not count against the document's time.
func (c *compiledPDFium) startSandbox(ctx context.Context) (*sandbox, error) {
	memory, err := syscall.Mmap(-1, 0, sandboxMemory, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errStart, err)
	}
	s := &sandbox{ctx: ctx, memory: memory, functions: make(map[string]api.Function)}
	config := wazero.NewModuleConfig().WithStartFunctions("_initialize").WithName("")
	allocate := func(uint64, uint64) experimental.LinearMemory { return s.memory }
	allocating := experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(allocate))
	s.module, s.err = c.runtime.InstantiateModule(allocating, c.module, config)
	s.call("FPDF_InitLibrary")
	s.scratch = s.allocate(scratchSize)
	if s.err != nil {
		s.close()
		return nil, fmt.Errorf("%w: %w", errStart, s.err)
	}
	return s, nil
}

func (s *sandbox) close() {
	if s.module != nil {
		_ = s.module.Close(context.Background())
	}
	_ = syscall.Munmap(s.memory)
}

// call calls a function of pdfium that exports.txt lists. The result means nothing for a function without one, and is 0 after
// a trap or the end of the context, which err has.
func (s *sandbox) call(name string, arguments ...uint64) uint64 {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return 0
	}
	f := s.functions[name]
	if f == nil {
		f = s.module.ExportedFunction(name)
		s.functions[name] = f
	}
	clear(s.stack[:])
	copy(s.stack[:], arguments)
	s.err = f.CallWithStack(s.ctx, s.stack[:])
	if s.err != nil {
		return 0
	}
	return s.stack[0]
}

func (s *sandbox) allocate(size int) uint64 {
	pointer := s.call("calloc", 1, uint64(size))
	if s.err == nil && pointer == 0 {
		s.err = errMemory
	}
	return pointer
}

// read returns memory, which the next call may change, or zeros after an error.
func (s *sandbox) read(pointer uint64, size int) []byte {
	if s.err == nil {
		if content, ok := s.module.Memory().Read(uint32(pointer), uint32(size)); ok {
			return content
		}
		s.err = errMemory
	}
	return make([]byte, max(0, size))
}

// linearMemory is the memory of a sandbox. It lies outside of Go's heap, is reserved at once and
// taken from the system as it is touched: it does not move when it grows, the garbage collector
// has nothing to do with it, and no document finds anything of another one's in it.
type linearMemory []byte

// Reallocate returns the first bytes of the memory, which has as many as the runtime's limit.
func (m linearMemory) Reallocate(size uint64) []byte { return m[:size] }

// Free does nothing: the sandbox releases its memory when nothing reads it any more.
func (m linearMemory) Free() {}

// characterBox returns the box of a character: as high as its font and as wide as its glyph.
func (s *sandbox) characterBox(text, index uint64) (page.Box, bool) {
	sides, ok := s.callForNumbers("FPDFText_GetLooseCharBox", text, index, s.scratch)
	return page.Box{Left: sides[0], Top: sides[1], Right: sides[2], Bottom: sides[3]}, ok
}

// callForNumbers returns up to six 32-bit numbers that a function of pdfium writes to the scratch memory, if it has any.
func (s *sandbox) callForNumbers(name string, arguments ...uint64) (numbers [6]float64, ok bool) {
	if uint32(s.call(name, arguments...)) == 0 {
		return numbers, false
	}
	content := s.read(s.scratch, 4*len(numbers))
	for i := range numbers {
		numbers[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(content[4*i:])))
	}
	return numbers, true
}

func (s *sandbox) fontSize(text, index uint64) float64 {
	return api.DecodeF64(s.call("FPDFText_GetFontSize", text, index))
}

// fontName returns the name of a character's font without the tag of a subset, or "" if it has none or a very long one.
func (s *sandbox) fontName(text, index uint64) string {
	length := uint32(s.call("FPDFText_GetFontInfo", text, index, s.scratch, scratchSize, 0))
	if length == 0 || length > scratchSize {
		return ""
	}
	name := string(s.read(s.scratch, int(length)-1))
	return name[strings.IndexByte(name, '+')+1:]
}
