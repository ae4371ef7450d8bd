// Package resume turns a resume file into what it says about its person, in three
// steps, each usable alone:
//
//	Read           bytes → blocks of text in reading order, and links (Document)
//	Extract        Document → names, addresses, jobs, skills … (Fields)
//	CheckIdentity  Fields → whether the file is plainly another person's (Verdict)
//
// The package trusts no file. Every format is read within the limits below; PDF
// is read by pdfium inside a WebAssembly sandbox that is discarded after each
// document (pdf.go, pdfium.go, sandbox.go). A file that cannot be read is a *[Failure]:
// permanent, so that no queue retries a decompression bomb, with a message that
// says what to send instead. Any other error means that the context ended or that
// the sandbox could not start, and is worth a retry.
//
// Much depends on the reading order. The columns of a PDF page are found by the
// positions of its words (word.go, layout.go, column.go), dates in a column of their own are
// put beside what they date (labelcolumn.go), what a line break split is joined again
// (rejoin.go, cell.go, datecell.go, dateline.go), and rows of tables are distinguished from columns
// (table.go).
//
// A job is found by its dates (date.go); where its title and company are around
// them is learned from the resume itself (job.go, pattern.go). Skills and places
// are looked up in lists (skills.txt, places.txt, cities.txt), and so are the words of 30 languages for
// headings, titles, legal forms, schools and degrees (words.txt) and CLDR's for dates (cldr.txt). Skills that
// the list lacks are told as their section has them (writtenskill.go).
//
// Nothing is invented: a field that the text does not show is empty, and what was
// found carries a confidence (confidence.go). The package uses no clock, network or
// store, and never puts a resume's text into an error. It reads no images, and a
// single date ("2015") makes no job.
package resume

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// Limits, far above what real resumes need and far below what does harm.
const (
	MaxFile     = 9 << 20         // bytes of one file
	readTimeout = 8 * time.Second // one document, after its turn has come
	maxPages    = 30              // PDF pages read; the rest is ignored
	maxText     = 512 << 10       // bytes of text kept
	maxLines    = 4000            // lines kept
	maxLine     = 500             // characters; longer lines are split
	maxLinks    = 500             // links kept
	maxURL      = 2048            // bytes of a link; longer ones are dropped
)

// Document is a file's text in reading order.
type Document struct {
	Type     filetype.Type
	Blocks   [][]string // lines that belong together: a page, a column, a text box; a tab stands for a gap in the layout
	Links    []string   // targets of link annotations and hyperlinks, in order, each once
	Warnings []string   // what was left out, for operators

	Markup Markup
}

// Read returns the text and links of a resume. The error is a *[Failure] if the file
// cannot be read, and otherwise the context's, or that of a sandbox that could not
// start.
func Read(ctx context.Context, content []byte) (Document, error) {
	if len(content) > MaxFile {
		return Document{}, newFailure(TooLarge, "the file is larger than 9 MiB; send a smaller one", nil)
	}
	kind, err := filetype.Sniff(content)
	if err != nil {
		return Document{}, refusalFailure(err)
	}
	out := newCollector(kind)
	if err := readers[kind](ctx, content, out); err != nil {
		return Document{}, err
	}
	doc := out.finishDocument()
	if len(doc.Blocks) == 0 {
		return Document{}, newFailure(NoTextLayer, noTextMessage(kind), nil)
	}
	return doc, nil
}

// readers holds the reader of each format. It adds to the collector and returns a
// *Failure or the context's error.
var readers = map[filetype.Type]func(context.Context, []byte, *collector) error{
	filetype.PDF:         readPDF, // its time begins when the sandbox is free
	filetype.DOCX:        withTimeLimit(readDOCX),
	filetype.Text:        withTimeLimit(readText),
	filetype.Markdown:    withTimeLimit(readText),
	filetype.ODT:         withTimeLimit(readODT),
	filetype.RTF:         withTimeLimit(readRTF),
	filetype.HTML:        withTimeLimit(readHTML),
	filetype.Undecidable: readUndecidable,
}

func withTimeLimit(read func(context.Context, []byte, *collector) error) func(context.Context, []byte, *collector) error {
	return func(ctx context.Context, content []byte, out *collector) error {
		return runWithTimeLimit(ctx, func(ctx context.Context) error { return read(ctx, content, out) })
	}
}

// runWithTimeLimit runs work for at most the time of one document. Running out of it
// is a failure of the file; the end of ctx is the caller's error.
func runWithTimeLimit(ctx context.Context, work func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	err := work(bounded)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && bounded.Err() != nil:
		return limitFailure(err)
	}
	return err
}

func noTextMessage(kind filetype.Type) string {
	if kind == filetype.PDF {
		return "the PDF holds only pictures; send one with a text layer"
	}
	return "the document holds no text; send one with the resume typed in it"
}

// readUndecidable returns the failure of a broken zip container, or of an unknown type.
func readUndecidable(_ context.Context, content []byte, _ *collector) error {
	if filetype.IsZip(content) {
		if _, err := openArchive(content); err != nil {
			return err
		}
	}
	return newFailure(UnsupportedType, "the file is none of the accepted types; "+filetype.AcceptedAdvice, nil)
}

func refusalFailure(err error) error {
	var r *filetype.Refusal
	switch {
	case !errors.As(err, &r):
		return err
	case r.Empty:
		return newFailure(Empty, r.Message, err)
	}
	return newFailure(UnsupportedType, r.Message, err)
}
