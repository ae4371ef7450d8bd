package resume

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	maxPageLinks = 200

	// eagerGC is the GC percentage while a document is read. A sandbox that grows
	// leaves each of its former sizes behind: 490 MB in all before the usual
	// collection runs.
	eagerGC = 20
)

var (
	errEngine = errors.New("pdfium lacks a function that is used")
	errStart  = errors.New("pdfium instance did not start")
	errPanic  = errors.New("pdfium's binding panicked")
)

// readPDF reads text and link annotations of the first pages.
func readPDF(ctx context.Context, content []byte, out *collector) error {
	pool, err := sandboxPool()
	if err != nil {
		return err // the machine's fault, not the file's
	}
	select {
	case sandboxTurn <- struct{}{}:
		defer func() { <-sandboxTurn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(eagerGC))
	instance, err := startSandbox(ctx, pool)
	if err != nil {
		return err
	}
	return runWithTimeLimit(ctx, func(ctx context.Context) error {
		err := instance.run(ctx, func(pdf engine) error { return (&pdfReader{pdf: pdf, out: out}).readDocument(ctx, content) })
		if err == nil {
			return nil
		}
		f := pdfFailure(err)
		if f.Kind == ResourceLimit {
			debug.FreeOSMemory() // a killed sandbox leaves much memory to the next document
		}
		return f
	})
}

// pdfFailure returns the failure for an error of pdfium. Every error without a code of
// pdfium's is a trap of the sandbox: out of memory, out of time, or a crash.
func pdfFailure(err error) *Failure {
	switch {
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return newFailure(Encrypted, "the PDF opens with a password only; send one without", err)
	case errors.Is(err, pdferrors.ErrFormat), errors.Is(err, pdferrors.ErrFile), errors.Is(err, pdferrors.ErrPage), errors.Is(err, pdferrors.ErrUnknown):
		return corruptFailure(err)
	}
	return limitFailure(err)
}

// pdfReader reads one open document.
type pdfReader struct {
	pdf  engine
	out  *collector
	file references.FPDF_DOCUMENT

	columns []column // of all pages
	size    int      // bytes in them
	words   int      // words whose positions were read
	spans   int      // pieces of lines on all pages
}

func (r *pdfReader) readDocument(ctx context.Context, content []byte) error {
	opened, err := r.pdf.OpenDocument(&requests.OpenDocument{File: &content})
	if err != nil {
		return err
	}
	r.file = opened.Document
	count, err := r.pdf.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: r.file})
	if err != nil {
		return err
	}
	if count.PageCount <= 0 {
		return pdferrors.ErrPage
	}
	if count.PageCount > maxPages {
		r.out.addWarning("only the first 30 pages were read")
	}
	for i := 0; i < min(count.PageCount, maxPages) && r.size < maxText; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.readPage(i); err != nil {
			return err
		}
	}
	r.writeColumns()
	return ctx.Err()
}

func (r *pdfReader) writeColumns() {
	for _, c := range r.columns {
		r.out.startBlock()
		for _, line := range rejoinLines(c.lines) {
			r.out.addText(line)
		}
	}
}

// readPage reads one page. A page that pdfium cannot load is left out, as by viewers.
func (r *pdfReader) readPage(index int) error {
	loaded, err := r.pdf.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: r.file, Index: index})
	if errors.Is(err, pdferrors.ErrPage) {
		r.out.addWarning("a page could not be read")
		return nil
	}
	if err != nil {
		return err
	}
	page := requests.Page{ByReference: &loaded.Page}
	if err := r.readPageText(page); err != nil {
		return err
	}
	if err := r.readLinks(page); err != nil {
		return err
	}
	_, err = r.pdf.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
	return err
}

// readPageText adds the text of a page in reading order.
func (r *pdfReader) readPageText(page requests.Page) error {
	loaded, err := r.pdf.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return err
	}
	columns, err := r.orderWords(&pdfPage{pdf: r.pdf, page: loaded.TextPage})
	if err != nil {
		return err
	}
	for _, c := range columns {
		r.size += len(strings.Join(c.lines, " "))
	}
	r.columns = appendPageColumns(r.columns, columns)
	_, err = r.pdf.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: loaded.TextPage})
	return err
}

// orderWords returns a page's columns by the positions of its words, or the lines in
// pdfium's order if the document has too many words.
func (r *pdfReader) orderWords(page *pdfPage) ([]column, error) {
	if err := page.loadText(); err != nil {
		return nil, err
	}
	if r.words >= maxWordsRead {
		return []column{{lines: page.rawLines()}}, nil
	}
	words, err := page.locateWords()
	if err != nil {
		return nil, err
	}
	r.words += len(words)
	spans, depth := joinWords(words), maxColumns
	if r.spans += len(spans); r.spans > maxSought {
		depth = 0
	}
	return readingOrder(spans, depth), nil
}

// readLinks adds the URIs of link annotations, often the only place of a LinkedIn URL.
func (r *pdfReader) readLinks(page requests.Page) error {
	at := 0
	for range maxPageLinks {
		next, err := r.pdf.FPDFLink_Enumerate(&requests.FPDFLink_Enumerate{Page: page, StartPos: at})
		if err != nil {
			return err
		}
		if next.Link == nil || next.NextStartPos == nil || *next.NextStartPos <= at {
			return nil
		}
		at = *next.NextStartPos
		action, err := r.pdf.FPDFLink_GetAction(&requests.FPDFLink_GetAction{Link: *next.Link})
		if err != nil {
			return err
		}
		if action.Action == nil {
			continue
		}
		uri, err := r.pdf.FPDFAction_GetURIPath(&requests.FPDFAction_GetURIPath{Document: r.file, Action: *action.Action})
		if err != nil {
			return err
		}
		if uri.URIPath != nil {
			r.out.addLink(*uri.URIPath)
		}
	}
	return nil
}
