// Package document is what readers of all formats return: a file's text in reading order, or why it cannot be
// read. It holds the limits that apply to every format.
package document

import (
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// IsLineBreak reports whether r ends a line in any format.
func IsLineBreak(r rune) bool {
	switch r {
	case '\n', '\r', '\f', '\v', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}

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
)

// Document is a file's text in reading order.
type Document struct {
	Type     filetype.Type
	Blocks   [][]string // lines that belong together: a page, a column, a text box; a tab is a gap in the layout
	Links    []string   // targets of link annotations and hyperlinks, in order, each once
	Warnings []string   // what was left out, for operators

	Markup Markup
}
