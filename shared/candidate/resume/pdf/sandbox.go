package pdf

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"syscall"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
)

var (
	errEngine  = errors.New("pdfium lacks a function that is used")
	errStart   = errors.New("pdfium instance did not start")
	errMemory  = errors.New("pdfium has no memory left")
	errLocked  = errors.New("pdfium needs a password")
	errDamaged = errors.New("pdfium cannot read the document")
	errText    = errors.New("pdfium cannot read the text")
)

// sandboxTurn admits one document at a time, before its own time begins.
var sandboxTurn = make(chan struct{}, 1)

// scratchSize is the size of the largest result read from pdfium's memory: the name of a font. A
// box of four 32-bit numbers is smaller.
const scratchSize = 64

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

// allocate returns zeroed memory of pdfium's.
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

// callForNumbers calls a function of pdfium that writes up to six 32-bit numbers to the scratch memory. ok is
// false if the function has no result.
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
