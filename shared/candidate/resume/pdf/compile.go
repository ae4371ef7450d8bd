package pdf

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/emscripten"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// sandboxMemory bounds the memory of one document: 128 MB. No real resume needed half of it.
const sandboxMemory = 128 << 20

// hostModule is the module that pdfium imports functions of the embedding program from.
const hostModule = "env"

// sandboxes compiles pdfium once per process, or loads it from the cache that the
// first process on a machine leaves in its temporary folder. For a process that reads
// one PDF file (time -v of the local runner's command resume, x86-64) compiling what is used
// of it takes 1.5 s of processor time and a peak of 140 MB resident, the cache 0.2 s
// and 60 MB. The whole module would take 2.7 s and 310 MB.
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

// coreFeatures are what pdfium needs of WebAssembly: exceptions are its libraries' way out of damaged images.
const coreFeatures = api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling

// compiledPDFium is the module that instances are made of.
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

// makePrivateFolder creates dir if it is missing and reports whether it belongs to the user of this process, and only that
// user may write to it.
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

//go:generate go run ../../../../local/pdfium

// pdfiumModule is pdfium with checks in its loops, and without what only exports reach that exports.txt lacks, such as drawing
// pages, forms and editing: it compiles in half of the time and of the memory. The file lists all functions that
// [sandbox.call] calls, and those of the C library that setjmp needs.
//
//go:embed pdfium.wasm
var pdfiumModule []byte

// checkImport is the function that pdfium would ask whether to pause drawing. Nothing is drawn; its
// loops ask it whether to continue: see [checkContext].
const checkImport = "IFSDK_PAUSE_NeedToPauseNow_CB"
