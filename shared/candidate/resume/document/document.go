// Package document is what readers of all formats return: a file's text in reading order, or why it cannot be
// read. It holds the limits that apply to every format.
package document

import (
	"context"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// IsLineBreak reports whether r ends a line in any format.
func IsLineBreak(r rune) bool { return strings.ContainsRune("\n\r\f\v\u0085\u2028\u2029", r) }

// Markup is the information a file adds to its text. Lines and texts are as in the blocks;
// of equal ones the first counts.
type Markup struct {
	Styles map[string]string // how lines are set: "h2.title", "Heading1"
	Roles  map[string]Role   // what elements are named after: of pieces of lines
	Large  []string          // texts of the first page in letters larger than others, the largest first
}

// Role is the meaning that the name of an element gives its text.
type Role byte

// What elements may be named after.
const (
	TitleRole Role = iota + 1
	CompanyRole
)

// Limits, far above what real resumes need and far below what does harm.
const (
	MaxFile = 9 << 20 // bytes of one file

	MaxText  = 512 << 10 // bytes of text kept
	MaxLines = 4000      // lines kept

	MaxLinks = 500  // links kept
	MaxURL   = 2048 // bytes of a link; longer ones are dropped

	readTimeout = 8 * time.Second // one document, after its turn has come
)

// Document is a file's text in reading order.
type Document struct {
	Type     filetype.Type
	Blocks   [][]string // lines that belong together: a page, a column, a text box; a tab is a gap in the layout
	Links    []string   // targets of link annotations and hyperlinks, in order, each once
	Warnings []string   // what was left out, for operators

	Markup Markup
}

// Kind says why a file cannot be read.
type Kind string

// The kinds of failure. All are permanent: the same bytes fail again.
const (
	Empty           Kind = "empty"            // no bytes
	UnsupportedType Kind = "unsupported_type" // recognised as a type that is not accepted
	Encrypted       Kind = "encrypted"        // needs a password
	NoTextLayer     Kind = "no_text_layer"    // opens, but holds no text
	TooLarge        Kind = "too_large"        // above MaxFile
	ResourceLimit   Kind = "resource_limit"   // would take too much time or memory
	Corrupt         Kind = "corrupt"          // damaged or truncated
	UnknownEncoding Kind = "unknown_encoding" // text in an encoding that cannot be detected
)

// Failure says that a file cannot be read. Message is public and says what to send
// instead; the cause is for the log. Neither holds any of the file's text.
type Failure struct {
	Kind    Kind
	Message string
	cause   error
}

// Error returns the kind and the public message.
func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Message }

// Unwrap returns the inner cause, or nil.
func (f *Failure) Unwrap() error { return f.cause }

// NewFailure returns a failure with a public message, and a cause for the log or nil.
func NewFailure(kind Kind, message string, cause error) *Failure {
	return &Failure{Kind: kind, Message: message, cause: cause}
}

// CorruptFailure returns the failure of a damaged file.
func CorruptFailure(cause error) *Failure {
	return NewFailure(Corrupt, "the file is damaged or incomplete; export it again and send the new file", cause)
}

// LimitFailure returns the failure of a file that takes too much time or memory.
func LimitFailure(cause error) *Failure {
	return NewFailure(ResourceLimit, "the file takes too much time or memory to read; export it again as a plain PDF or DOCX", cause)
}

// RunWithTimeLimit runs work for at most the time of one document. Running out of it
// is a failure of the file; the end of ctx is the caller's error.
func RunWithTimeLimit(ctx context.Context, work func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	err := work(bounded)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && bounded.Err() != nil:
		return LimitFailure(err)
	}
	return err
}
