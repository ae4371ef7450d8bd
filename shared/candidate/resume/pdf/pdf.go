// Package pdf reads PDF files by pdfium, in a WebAssembly sandbox that is discarded after each document.
package pdf

import (
	"context"
	"errors"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
)

const maxPageLinks = 200

// Read reads text and link annotations of the first pages.
func Read(ctx context.Context, content []byte, out *collect.Collector) error {
	compiled, err := sandboxes()
	if err != nil {
		return err // the machine's fault, not the file's
	}
	select {
	case sandboxTurn <- struct{}{}:
		defer func() { <-sandboxTurn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	pdf, err := compiled.startSandbox(ctx)
	if err != nil {
		return err
	}
	defer pdf.close()
	return document.RunWithTimeLimit(ctx, func(ctx context.Context) error {
		pdf.ctx = ctx
		switch err := (&pdfReader{pdf: pdf, out: out}).readDocument(content); {
		case err == nil:
			return nil
		case errors.Is(err, errLocked):
			return document.NewFailure(document.Encrypted, "the PDF opens with a password only; send one without", err)
		case errors.Is(err, errDamaged):
			return document.CorruptFailure(err)
		default: // an error without a code of pdfium's is a trap of the sandbox: out of memory, out of time, or a crash
			return document.LimitFailure(err)
		}
	})
}

// pdfReader reads one open document.
type pdfReader struct {
	pdf      *sandbox
	out      *collect.Collector
	document uint64

	columns []page.Column // of all pages
	size    int           // bytes in them
	words   int           // words with positions read
	spans   int           // pieces of lines on all pages
	spread  bool          // [spreadsShortI] of a page
}

func (r *pdfReader) readDocument(content []byte) (err error) {
	r.document, err = r.pdf.openDocument(content)
	if err != nil {
		return err
	}
	count := int(int32(r.pdf.call("FPDF_GetPageCount", r.document)))
	switch {
	case r.pdf.err != nil:
		return r.pdf.err
	case count <= 0:
		return errDamaged
	}
	if count > maxPages {
		r.out.AddWarning("only the first 30 pages were read")
	}
	for i := 0; i < min(count, maxPages) && r.size < document.MaxText; i++ {
		r.readPage(i)
		if r.pdf.err != nil {
			return r.pdf.err
		}
	}
	for _, c := range r.columns {
		r.out.StartBlock()
		for _, line := range rejoin.Lines(c.Lines) {
			r.out.AddText(line)
		}
	}
	return r.pdf.ctx.Err()
}

// readPage reads one page. A page that pdfium cannot load is left out, as by viewers.
func (r *pdfReader) readPage(index int) {
	current := r.pdf.call("FPDF_LoadPage", r.document, uint64(index))
	if current == 0 {
		r.out.AddWarning("a page could not be read")
		return
	}
	content := &pdfPage{pdf: r.pdf, page: current, handle: r.pdf.call("FPDFText_LoadPage", current), spread: r.spread}
	columns := r.orderWords(content)
	r.spread = content.spread
	for _, c := range columns {
		r.size += len(strings.Join(c.Lines, " "))
	}
	r.columns = page.AppendColumns(r.columns, columns)
	r.pdf.call("FPDFText_ClosePage", content.handle)
	r.readLinks(current)
	r.pdf.call("FPDF_ClosePage", current)
}

// orderWords returns a page's columns by the positions of its words, or the lines in
// pdfium's order if the document has too many words.
func (r *pdfReader) orderWords(current *pdfPage) []page.Column {
	current.loadText()
	if r.words >= maxWordsRead {
		return []page.Column{{Lines: current.rawLines()}}
	}
	words := current.locateWords()
	if r.pdf.err != nil {
		return nil // which the caller has no use for
	}
	r.words += len(words)
	spans := page.JoinWords(words)
	if len(words) == maxPageWords || len(spans) == page.MaxSpans {
		r.out.AddWarning("a page has as many words as are read of one, or more")
	}
	depth := page.MaxColumns
	if r.spans == 0 {
		r.out.SetLargeTexts(page.FindLargeTexts(spans))
	}
	r.spans += len(spans)
	if r.spans > page.MaxSought {
		depth = 0
	}
	return page.ReadingOrder(spans, depth)
}

// readLinks adds the URIs of link annotations, often the only place of a LinkedIn URL.
func (r *pdfReader) readLinks(page uint64) {
	at := 0
	for range maxPageLinks {
		link, next := r.pdf.nextLink(page, at)
		if link == 0 || next <= at {
			return
		}
		at = next
		if uri := r.pdf.linkURI(r.document, link); uri != "" {
			r.out.AddLink(uri)
		}
	}
}

const maxPages = 30 // PDF pages read; the rest is ignored
