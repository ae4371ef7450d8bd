// Package resume turns a resume file into what it says about its person, in three
// steps, each usable alone:
//
//	Read           bytes → blocks of text in reading order, and links (Document)
//	Extract        Document → names, addresses, jobs, skills … (Fields)
//	CheckIdentity  Fields → whether the file is plainly another person's (Verdict)
//
// The steps are packages below this one, each of which imports only those before it:
//
//	words, dates               what languages say, and when
//	document                   what every reader returns, limits, failures
//	charset                    bytes → text
//	facts, heading             what a piece of a line or a line is
//	rejoin, page, collect      torn lines, words with positions, rows of tables → lines in reading order
//	pdf, office                the formats
//	jobs, person, background   sections → fields
//
// The reader trusts no file. Every format is read within the limits of package document; PDF
// is read by pdfium inside a WebAssembly sandbox that is discarded after each document. A file
// that cannot be read is a *[document.Failure]: permanent, so that no queue retries a decompression
// bomb, with a message that says what to send instead. Any other error means that the context
// ended or that the sandbox could not start, and is worth a retry.
//
// Nothing is invented: a field that the text does not show is empty, and what was
// found carries a confidence (fields.go). The reader uses no clock, network or
// store, and never puts a resume's text into an error. It reads no images, and a
// single date ("2015") makes no job.
package resume

import (
	"context"
	"errors"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/office"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/pdf"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

// Read returns the text and links of a resume. The error is a *[document.Failure] if the file
// cannot be read, and otherwise the context's, or that of a sandbox that could not
// start.
func Read(ctx context.Context, content []byte) (document.Document, error) {
	if len(content) > document.MaxFile {
		return document.Document{}, document.NewFailure(document.TooLarge, "the file is larger than 9 MiB; send a smaller one", nil)
	}
	kind, err := filetype.Sniff(content)
	var refusal *filetype.Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Empty:
		return document.Document{}, document.NewFailure(document.Empty, err.Error(), err)
	case err != nil:
		return document.Document{}, document.NewFailure(document.UnsupportedType, err.Error(), err)
	}
	out := collect.New(kind)
	if err := readers[kind](ctx, content, out); err != nil {
		return document.Document{}, err
	}
	doc := out.FinishDocument()
	if len(doc.Blocks) > 0 {
		return doc, nil
	}
	message := "the document holds no text; send one with the resume typed in it"
	if kind == filetype.PDF {
		message = "the PDF holds only pictures; send one with a text layer"
	}
	return document.Document{}, document.NewFailure(document.NoTextLayer, message, nil)
}

// readers holds the reader of each format. It adds to the collector and returns a
// *document.Failure or the context's error.
var readers = map[filetype.Type]func(context.Context, []byte, *collect.Collector) error{
	filetype.PDF:         pdf.Read, // its time begins when the sandbox is free
	filetype.DOCX:        withTimeLimit(office.ReadDOCX),
	filetype.Text:        withTimeLimit(office.ReadText),
	filetype.Markdown:    withTimeLimit(office.ReadText),
	filetype.ODT:         withTimeLimit(office.ReadODT),
	filetype.RTF:         withTimeLimit(office.ReadRTF),
	filetype.HTML:        withTimeLimit(office.ReadHTML),
	filetype.Undecidable: readUndecidable,
}

func withTimeLimit(read func(context.Context, []byte, *collect.Collector) error) func(context.Context, []byte, *collect.Collector) error {
	return func(ctx context.Context, content []byte, out *collect.Collector) error {
		return document.RunWithTimeLimit(ctx, func(ctx context.Context) error { return read(ctx, content, out) })
	}
}

// readUndecidable returns the failure of a broken zip container, or of an unknown type.
func readUndecidable(_ context.Context, content []byte, _ *collect.Collector) error {
	if filetype.IsZip(content) {
		if _, err := office.OpenArchive(content); err != nil {
			return err
		}
	}
	return document.NewFailure(document.UnsupportedType, "the file is none of the accepted types; "+filetype.AcceptedAdvice, nil)
}

// LoadVocabulary loads the lists of words and the regular expressions, which takes 30 ms of
// processor time. A function calls it in the background while it waits for its first message;
// without it the first resume takes longer.
func LoadVocabulary() {
	words.Vocabulary()
	words.SkillsByName()
	personname.Load()
	words.CompileExpressions()
}
