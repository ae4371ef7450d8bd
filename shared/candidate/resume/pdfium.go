package resume

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

// sandboxPages bounds the memory of one document, in pages of 64 KB: 128 MB. No real
// resume needed half of it.
const sandboxPages = 2048

// sandboxPool compiles pdfium once per process, or loads it from the cache that the
// first process on a machine leaves in its temporary folder. For a process that reads
// one PDF file (time -v of the local runner's command resume, x86-64) compiling what is used
// of it (trimPDFium) takes 1.5 s of processor time and a peak of 140 MB resident, the cache 0.2 s
// and 60 MB. The whole module would take 2.7 s and 310 MB.
var sandboxPool = sync.OnceValues(func() (pdfium.Pool, error) {
	pool, err := compilePDFium(withCompilationCache(wazero.NewRuntimeConfig()))
	if err != nil { // a full or read-only folder fails here only
		pool, err = compilePDFium(wazero.NewRuntimeConfig())
	}
	debug.FreeOSMemory() // the compiler's, before the first document takes more
	return pool, err
})

// compilePDFium returns the pool of instances. An instance has no files, no
// environment and no clock but its own, and its output is discarded.
func compilePDFium(config wazero.RuntimeConfig) (pdfium.Pool, error) {
	return webassembly.Init(webassembly.Config{
		WASM:          trimPDFium(),
		MaxTotal:      1,
		ReuseWorkers:  false,
		FSConfig:      wazero.NewFSConfig(),
		Stdout:        io.Discard,
		Stderr:        io.Discard,
		RandomSource:  rand.Reader,
		RuntimeConfig: config.WithCloseOnContextDone(true).WithMemoryLimitPages(sandboxPages),
	})
}

// withCompilationCache adds the compilation cache, in a folder that only this user may
// write to, because its content is executed.
func withCompilationCache(config wazero.RuntimeConfig) wazero.RuntimeConfig {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("resume-pdfium-%d", os.Getuid()))
	if !makePrivateFolder(dir) {
		return config
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return config
	}
	return config.WithCompilationCache(cache)
}

// engine is the part of go-pdfium that is used. It is implemented by the instance's
// implementation and not by the instance itself, whose methods read fields that Kill
// writes from another goroutine.
type engine interface {
	OpenDocument(*requests.OpenDocument) (*responses.OpenDocument, error)
	FPDF_GetPageCount(*requests.FPDF_GetPageCount) (*responses.FPDF_GetPageCount, error)
	FPDF_LoadPage(*requests.FPDF_LoadPage) (*responses.FPDF_LoadPage, error)
	FPDF_ClosePage(*requests.FPDF_ClosePage) (*responses.FPDF_ClosePage, error)
	FPDFText_LoadPage(*requests.FPDFText_LoadPage) (*responses.FPDFText_LoadPage, error)
	FPDFText_ClosePage(*requests.FPDFText_ClosePage) (*responses.FPDFText_ClosePage, error)
	FPDFText_CountChars(*requests.FPDFText_CountChars) (*responses.FPDFText_CountChars, error)
	FPDFText_GetText(*requests.FPDFText_GetText) (*responses.FPDFText_GetText, error)
	FPDFText_GetCharIndexFromTextIndex(*requests.FPDFText_GetCharIndexFromTextIndex) (*responses.FPDFText_GetCharIndexFromTextIndex, error)
	FPDFText_GetFontSize(*requests.FPDFText_GetFontSize) (*responses.FPDFText_GetFontSize, error)
	FPDFText_GetLooseCharBox(*requests.FPDFText_GetLooseCharBox) (*responses.FPDFText_GetLooseCharBox, error)
	FPDFLink_Enumerate(*requests.FPDFLink_Enumerate) (*responses.FPDFLink_Enumerate, error)
	FPDFLink_GetAction(*requests.FPDFLink_GetAction) (*responses.FPDFLink_GetAction, error)
	FPDFAction_GetURIPath(*requests.FPDFAction_GetURIPath) (*responses.FPDFAction_GetURIPath, error)
}

// sandboxTurn admits one document at a time, before its own time begins.
var sandboxTurn = make(chan struct{}, 1)

// sandbox is a started instance, for one document.
type sandbox struct {
	pdf  engine
	kill func()
}

// startSandbox starts an instance. On a slow machine that takes long, and it does not count
// against the document's time.
func startSandbox(ctx context.Context, pool pdfium.Pool) (sandbox, error) {
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return sandbox{}, fmt.Errorf("%w: %w", errStart, err)
	}
	kill := sync.OnceFunc(func() { _ = instance.Kill() })
	pdf, ok := instance.GetImplementation().(engine)
	if !ok {
		kill()
		return sandbox{}, errEngine
	}
	return sandbox{pdf, kill}, nil
}

// run calls work with the instance, which it kills when ctx ends or work returns: closing a
// hostile document properly could hang too.
func (s sandbox) run(ctx context.Context, work func(engine) error) (err error) {
	defer s.kill()
	defer context.AfterFunc(ctx, s.kill)()
	defer func() {
		if r := recover(); r != nil {
			err = errPanic
		}
	}()
	return work(s.pdf)
}
