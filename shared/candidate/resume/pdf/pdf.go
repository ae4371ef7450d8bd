// Package pdf reads PDF files by pdfium, in a WebAssembly sandbox that is discarded after each document.
package pdf

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

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

type pdfReader struct {
	pdf      *sandbox
	out      *collect.Collector
	document uint64

	columns []page.Column // of all pages
	size    int           // bytes in them
	words   int           // words with positions read
	spans   int           // pieces of lines on all pages
	spread  bool          // [spreadsShortI] of this page or one before
}

func (r *pdfReader) readDocument(content []byte) error {
	file := r.pdf.allocate(len(content))
	copy(r.pdf.read(file, len(content)), content)
	r.document = r.pdf.call("FPDF_LoadMemDocument", file, uint64(len(content)), 0)
	if r.document == 0 {
		code := r.pdf.call("FPDF_GetLastError")
		if code == 4 || code == 5 { // FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY
			return errLocked
		}
		return cmp.Or(r.pdf.err, errDamaged)
	}
	count := int(int32(r.pdf.call("FPDF_GetPageCount", r.document)))
	if count <= 0 {
		return cmp.Or(r.pdf.err, errDamaged)
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
	content := &pdfPage{pdfReader: r, page: current, handle: r.pdf.call("FPDFText_LoadPage", current)}
	columns := r.orderWords(content)
	for _, c := range columns {
		r.size += len(strings.Join(c.Lines, " "))
	}
	r.columns = page.AppendColumns(r.columns, columns)
	r.pdf.call("FPDFText_ClosePage", content.handle)
	r.readLinks(current)
	r.pdf.call("FPDF_ClosePage", current)
}

// orderWords returns a page's columns by the positions of its words, or the lines in pdfium's order if the document has too many words.
func (r *pdfReader) orderWords(current *pdfPage) []page.Column {
	current.loadText()
	if r.words >= maxWordsRead {
		text := strings.ReplaceAll(string(current.text), "\ufffe", rejoin.LineEndHyphen)
		return []page.Column{{Lines: strings.FieldsFunc(text, document.IsLineBreak)}}
	}
	words := current.locateWords()
	r.words += len(words)
	spans := page.JoinWords(words)
	if len(words) == maxPageWords || len(spans) == page.MaxSpans {
		r.out.AddWarning("a page has as many words as are read of one, or more")
	}
	depth := page.MaxColumns
	if r.spans == 0 {
		r.out.Document.Markup.Large = page.FindLargeTexts(spans)
	}
	r.spans += len(spans)
	if r.spans > page.MaxSought {
		depth = 0
	}
	return page.ReadingOrder(spans, depth)
}

// readLinks adds the URIs of link annotations, often the only place of a LinkedIn URL.
func (r *pdfReader) readLinks(page uint64) {
	at := 0 // the index of the next annotation
	for range maxPageLinks {
		binary.LittleEndian.PutUint32(r.pdf.read(r.pdf.scratch, scratchSize), uint32(at))
		if uint32(r.pdf.call("FPDFLink_Enumerate", page, r.pdf.scratch, r.pdf.scratch+4)) == 0 {
			return
		}
		memory := r.pdf.read(r.pdf.scratch, scratchSize)
		link := uint64(binary.LittleEndian.Uint32(memory[4:]))
		next := int(int32(binary.LittleEndian.Uint32(memory)))
		if link == 0 || next <= at {
			return
		}
		at = next
		action := r.pdf.call("FPDFLink_GetAction", link)
		size := r.pdf.call("FPDFAction_GetURIPath", r.document, action, 0, 0)
		if int32(size) <= 0 {
			continue
		}
		buffer := r.pdf.allocate(int(size))
		r.pdf.call("FPDFAction_GetURIPath", r.document, action, buffer, size)
		r.out.AddLink(string(r.pdf.read(buffer, int(size)-1))) // it ends with a zero
		r.pdf.call("free", buffer)
	}
}

const (
	maxPages     = 30 // read; the rest is ignored
	maxPageLinks = 200
	maxPageWords = 6000  // with positions read; real pages have under two thousand
	maxWordsRead = 12000 // with positions read on all pages; of the rest only the text is
	maxWord      = 500   // characters; a longer word is several
	maxCapitals  = 500   // within words that are looked at; real resumes have a few dozen
	narrowSpace  = 0.06  // of the text's height: wider than what parts letters of two fonts
)

type pdfPage struct {
	*pdfReader
	page      uint64
	handle    uint64 // of the text
	text      []rune
	places    []int // of the characters in pdfium's text; nil until made-up spaces were removed
	sameCount bool  // text and page have the same number of characters
	backwards bool  // there are words that are read from the right
	capitals  int   // within words, that were looked at
}

func (p *pdfPage) loadText() {
	count := int(int32(p.pdf.call("FPDFText_CountChars", p.handle)))
	if count < 0 { // also without a text
		p.pdf.err = errors.New("pdfium cannot read the text")
	}
	if count <= 0 {
		return
	}
	kept := min(count, document.MaxText)
	buffer := p.pdf.allocate(2 * (kept + 1)) // UTF-16, and a zero
	written := p.pdf.call("FPDFText_GetText", p.handle, 0, uint64(kept), buffer)
	units := make([]uint16, max(0, min(int(int32(written)), kept+1)))
	_, _ = binary.Decode(p.pdf.read(buffer, 2*len(units)), binary.LittleEndian, units)
	p.pdf.call("free", buffer)
	if n := len(units); n > 0 && units[n-1] == 0 {
		units = units[:n-1]
	}
	p.text = utf16.Decode(units)
	p.sameCount = len(p.text) == count
	p.markUnmapped()
	p.backwards = words.IsRightToLeft(string(p.text))
}

// locateWords returns the page's words in the order of its text, as pdfium separates them.
func (p *pdfPage) locateWords() []page.Span {
	p.dropMadeSpaces()
	p.spread = p.spread || spreadsShortI(p.text)
	var words []page.Span
	for at := 0; at < len(p.text) && len(words) < maxPageWords; {
		end := at
		for end < min(len(p.text), at+maxWord) && !isBlank(p.text[end]) {
			if isLineEndHyphen(p.text[end]) || end > at && p.isSetApart(end) {
				break
			}
			end++
		}
		if end < len(p.text) && isLineEndHyphen(p.text[end]) {
			end++ // the mark stays with the word
		}
		if end > at {
			if w, ok := p.locateWord(at, end); ok {
				words = append(words, w)
			}
		}
		for at = max(end, at+1); at < len(p.text) && isBlank(p.text[at]); at++ {
		}
	}
	return words
}

// isSetApart reports whether a word begins at a capital behind a small letter or a digit, in another
// font: a little apart, as a family name in bold letters with a narrow space, or over the end of the
// word before, as a heading beside an address that is too long for its column.
func (p *pdfPage) isSetApart(at int) bool {
	before := p.text[at-1]
	isInner := unicode.IsUpper(p.text[at]) && (unicode.IsLower(before) || unicode.IsDigit(before))
	if p.capitals == maxCapitals || !isInner {
		return false
	}
	p.capitals++
	var boxes [2]page.Box
	var fonts [2]string
	for i := range boxes {
		index := p.charIndex(at - 1 + i)
		box, ok := p.pdf.characterBox(p.handle, index)
		if !ok {
			return false
		}
		boxes[i] = box
		fonts[i] = p.pdf.fontName(p.handle, index)
	}
	gap := boxes[1].Left - boxes[0].Right
	return fonts[0] != fonts[1] && math.Abs(gap) > narrowSpace*boxes[0].Height()
}

func isBlank(r rune) bool { return r <= ' ' && r != 2 || r == 0xa0 }

// isLineEndHyphen reports whether r is one of pdfium's two marks for a hyphen at the end of a line.
func isLineEndHyphen(r rune) bool { return r == 2 || r == 0xfffe }

func (p *pdfPage) locateWord(at, end int) (page.Span, bool) {
	first, ok := p.charBox(at)
	if !ok {
		return page.Span{}, false
	}
	last, hasLast := p.charBox(end - 1)
	if !hasLast || last.Middle() < first.Middle()-first.Height()/2 { // a hyphen mark has no position, or the next line's
		last = first
	}
	box := first.Union(last)
	for i := at; p.backwards && i < end; i++ { // read from the right, a word may end within
		if b, ok := p.charBox(i); ok && words.IsRightToLeft(string(p.text[i])) {
			box = box.Union(b)
		}
	}
	index := p.charIndex(at)
	return page.Span{
		Box: box, Text: p.readWord(at, end),
		Size: p.pdf.fontSize(p.handle, index), Font: p.pdf.fontName(p.handle, index),
	}, true
}

// charIndex returns the page's index of a character of the text.
func (p *pdfPage) charIndex(at int) uint64 {
	if p.places != nil {
		at = p.places[at]
	}
	if p.sameCount {
		return uint64(at)
	}
	return p.pdf.call("FPDFText_GetCharIndexFromTextIndex", p.handle, uint64(at))
}

// hasProperty reports whether a function of pdfium that asks for a property of a character returns 1.
func (p *pdfPage) hasProperty(function string, at int) bool {
	return int32(p.pdf.call(function, p.handle, p.charIndex(at))) == 1
}

func (p *pdfPage) charBox(at int) (page.Box, bool) {
	b, ok := p.pdf.characterBox(p.handle, p.charIndex(at))
	return b, ok && b.IsValid()
}
