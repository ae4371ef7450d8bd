package resume

import (
	"context"
	"errors"
	"strings"
)

const maxPageLinks = 200

// readPDF reads text and link annotations of the first pages.
func readPDF(ctx context.Context, content []byte, out *collector) error {
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
	return runWithTimeLimit(ctx, func(ctx context.Context) error {
		pdf.ctx = ctx
		err := (&pdfReader{pdf: pdf, out: out}).readDocument(content)
		if err == nil {
			return nil
		}
		return pdfFailure(err)
	})
}

// pdfFailure returns the failure for an error of pdfium. Every error without a code of
// pdfium's is a trap of the sandbox: out of memory, out of time, or a crash.
func pdfFailure(err error) *Failure {
	switch {
	case errors.Is(err, errLocked):
		return newFailure(Encrypted, "the PDF opens with a password only; send one without", err)
	case errors.Is(err, errDamaged):
		return corruptFailure(err)
	}
	return limitFailure(err)
}

// pdfReader reads one open document.
type pdfReader struct {
	pdf      *sandbox
	out      *collector
	document uint64

	columns []column // of all pages
	size    int      // bytes in them
	words   int      // words whose positions were read
	spans   int      // pieces of lines on all pages
	spread  bool     // [spreadsShortI] of a page
}

func (r *pdfReader) readDocument(content []byte) (err error) {
	if r.document, err = r.pdf.openDocument(content); err != nil {
		return err
	}
	count, err := r.pdf.countPages(r.document)
	if err != nil {
		return err
	}
	if count <= 0 {
		return errDamaged
	}
	if count > maxPages {
		r.out.addWarning("only the first 30 pages were read")
	}
	for i := 0; i < min(count, maxPages) && r.size < maxText; i++ {
		if err := r.readPage(i); err != nil {
			return err
		}
	}
	r.writeColumns()
	return r.pdf.ctx.Err()
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
	page, err := r.pdf.loadPage(r.document, index)
	if err != nil {
		return err
	}
	if page == 0 {
		r.out.addWarning("a page could not be read")
		return nil
	}
	if err := r.readPageText(page); err != nil {
		return err
	}
	if err := r.readLinks(page); err != nil {
		return err
	}
	return r.pdf.closePage(page)
}

// readPageText adds the text of a page in reading order.
func (r *pdfReader) readPageText(page uint64) error {
	text, err := r.pdf.loadText(page)
	if err != nil {
		return err
	}
	content := &pdfPage{pdf: r.pdf, page: page, handle: text, spread: r.spread}
	columns, err := r.orderWords(content)
	if err != nil {
		return err
	}
	r.spread = content.spread
	for _, c := range columns {
		r.size += len(strings.Join(c.lines, " "))
	}
	r.columns = appendPageColumns(r.columns, columns)
	return r.pdf.closeText(text)
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
	if r.spans == 0 {
		r.out.setLargeTexts(findLargeTexts(spans))
	}
	if r.spans += len(spans); r.spans > maxSought {
		depth = 0
	}
	return readingOrder(spans, depth), nil
}

// readLinks adds the URIs of link annotations, often the only place of a LinkedIn URL.
func (r *pdfReader) readLinks(page uint64) error {
	at := 0
	for range maxPageLinks {
		link, next, err := r.pdf.nextLink(page, at)
		if err != nil || link == 0 || next <= at {
			return err
		}
		at = next
		uri, err := r.pdf.linkURI(r.document, link)
		if err != nil {
			return err
		}
		if uri != "" {
			r.out.addLink(uri)
		}
	}
	return nil
}
