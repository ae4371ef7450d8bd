// Package collect gathers the text and links of a document on behalf of the readers of all formats.
package collect

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Collector gathers a document's blocks and links within the limits, on behalf of
// every reader. What does not fit is left out with a warning.
type Collector struct {
	Document document.Document
	IsCut    bool // text was left out

	size  int
	lines int
	links map[string]bool // set for each of the document's
	rows  [][][]string    // the lines of the cells of open rows of tables, the innermost row last
	inner int             // open rows beyond maxRows, of which the lines go to the last cell of the innermost of rows
}

// New returns an empty collector for a file of a type.
func New(kind filetype.Type) *Collector {
	return &Collector{Document: document.Document{Type: kind}, links: make(map[string]bool)}
}

// IsFull reports whether the limits of a document are reached.
func (c *Collector) IsFull() bool { return c.size >= document.MaxText || c.lines >= document.MaxLines }

// EndText leaves out all further text.
func (c *Collector) EndText() {
	c.AddWarning("the text was truncated: the document is longer than the limit")
	c.size = document.MaxText
	c.IsCut = true
}

// AddText adds the lines of a text, tidied. Lines that are too long are split.
func (c *Collector) AddText(text string) {
	for line := range strings.FieldsFuncSeq(text, document.IsLineBreak) {
		for line = tidyLine(line); line != ""; {
			var head string
			head, line = splitLine(line, words.MaxLine)
			if c.IsFull() || c.size+len(head) > document.MaxText {
				c.EndText()
				return
			}
			to := c.CurrentLines()
			*to = append(*to, rejoin.PeriodHalves(head))
			c.lines++
			c.size += len(head)
		}
	}
}

// CurrentLines returns the lines to append to: the open cell's, or the last block's.
func (c *Collector) CurrentLines() *[]string {
	if n := len(c.rows); n > 0 {
		return &c.rows[n-1][len(c.rows[n-1])-1]
	}
	if len(c.Document.Blocks) == 0 {
		c.Document.Blocks = [][]string{nil}
	}
	return &c.Document.Blocks[len(c.Document.Blocks)-1]
}

// StartBlock begins a new block unless the last one is empty. Inside a table it does
// nothing, because lines go to the cell.
func (c *Collector) StartBlock() {
	if n := len(c.Document.Blocks); len(c.rows) == 0 && n > 0 && len(c.Document.Blocks[n-1]) > 0 {
		c.Document.Blocks = append(c.Document.Blocks, nil)
	}
}

// FinishDocument ends open rows, which a broken file may leave, drops empty blocks, and returns the document.
func (c *Collector) FinishDocument() document.Document {
	for len(c.rows) > 0 {
		c.EndRow()
	}
	c.Document.Blocks = slices.DeleteFunc(c.Document.Blocks, func(b []string) bool { return len(b) == 0 })
	return c.Document
}

// AddLink adds the target of a link as it is in the file.
func (c *Collector) AddLink(target string) {
	target = strings.TrimSpace(target)
	isValid := target != "" && len(target) <= document.MaxURL && utf8.ValidString(target)
	if !isValid || len(c.Document.Links) >= document.MaxLinks {
		return
	}
	if !c.links[target] {
		c.links[target] = true
		c.Document.Links = append(c.Document.Links, target)
	}
}

// AddWarning adds a warning for operators, once.
func (c *Collector) AddWarning(text string) {
	if !slices.Contains(c.Document.Warnings, text) {
		c.Document.Warnings = append(c.Document.Warnings, text)
	}
}

// splitLine splits a line after at most limit characters, at a space if it has one, so that addresses stay whole.
func splitLine(line string, limit int) (head, rest string) {
	count := 0
	space := 0
	for i, r := range line {
		if count == limit {
			end := i
			if space > 0 {
				end = space
			}
			return line[:end], strings.TrimSpace(line[end:])
		}
		if r == ' ' || r == '\t' {
			space = i
		}
		count++
	}
	return line, ""
}

// tidyLine composes a line, drops invisible characters and reduces runs of white space
// to one space. Tabs and runs of three spaces become one tab: they separate columns.
func tidyLine(line string) string {
	line = symbolBullets.Replace(norm.NFC.String(strings.ToValidUTF8(line, "")))
	var b strings.Builder
	gap := 0 // spaces since the last character; a tab is three
	for _, r := range line {
		switch {
		case r == '\t':
			gap += 3
		case unicode.IsSpace(r):
			gap++
		// Controls, soft hyphens, zero-width marks and the private-use glyphs of icon fonts are invisible.
		// Joiners are not: Persian and Indic words need them.
		case r == '\u200c', r == '\u200d', r != utf8.RuneError && unicode.IsGraphic(r) && !unicode.Is(unicode.Co, r):
			switch {
			case b.Len() == 0 || gap == 0:
			case gap >= 3:
				b.WriteByte('\t')
			default:
				b.WriteByte(' ')
			}
			gap = 0
			b.WriteRune(r)
		}
	}
	return b.String()
}

// symbolBullets replaces bullets of the fonts Symbol and Wingdings.
var symbolBullets = strings.NewReplacer("\uf0b7", "•", "\uf0a7", "•", "\uf0d8", "•", "\uf0fc", "•", "\uf076", "•", "\uf0be", "•")

// roleNames match the classes and properties of elements that hold a title or a company, which are English in any language.
var roleNames = []struct {
	role document.Role
	form func() *regexp.Regexp
}{
	{document.TitleRole, words.Expression(`(?i)^(?:.*[-_])?(?:job-?_?title|position(?:-?_?(?:name|title))?|designation|role(?:-?_?(?:name|title))?|hasoccupation|occupation)$`)},
	{document.CompanyRole, words.Expression(`(?i)^(?:.*[-_])?(?:company(?:-?_?name)?|employer(?:-?_?name)?|organi[sz]ation(?:-?_?name)?|worksfor)$`)},
}

// FindRole returns what the words of an attribute name.
func FindRole(attribute string) document.Role {
	for _, word := range strings.Fields(attribute) {
		for _, n := range roleNames {
			if n.form().MatchString(word) {
				return n.role
			}
		}
	}
	return 0
}

// AddMarkedText adds the lines of a text, and how they are set.
func (c *Collector) AddMarkedText(text, style string) {
	before := len(*c.CurrentLines())
	c.AddText(text)
	if style == "" || len(text) > 4*heading.MaxLength {
		return
	}
	for _, line := range (*c.CurrentLines())[before:] {
		mark(&c.Document.Markup.Styles, line, style)
	}
}

// AddRole adds the role that an element's name gives its text.
func (c *Collector) AddRole(text string, r document.Role) {
	text = facts.Trim(tidyLine(text))
	if text != "" && len(text) <= words.MaxLine {
		mark(&c.Document.Markup.Roles, text, r)
	}
}

func mark[M any](marks *map[string]M, text string, markup M) {
	if len(*marks) < maxMarked {
		words.SetNew(marks, text, markup)
	}
}

const (
	maxMarked = 1000              // lines and texts of a document of which mark-up is kept
	maxRows   = 6                 // tables nested in tables; each one searches the lines inside it for dates
	maxRecord = 4 * words.MaxLine // characters of a record's line; a longer one is split
)

// OpenRows returns how many rows are open, each nested in the one before.
func (c *Collector) OpenRows() int { return len(c.rows) }

// BeginRow opens a row; its lines go to cells until EndRow.
func (c *Collector) BeginRow() {
	if len(c.rows) == maxRows {
		c.inner++
		return
	}
	c.rows = append(c.rows, [][]string{nil})
}

// BeginCell opens a cell unless the last one is empty: empty cells are dropped.
func (c *Collector) BeginCell() {
	if n := len(c.rows); n > 0 && c.inner == 0 && len(*c.CurrentLines()) > 0 {
		c.rows[n-1] = append(c.rows[n-1], nil)
	}
}

// EndRow puts the row's lines into reading order. A row is either a record, with one fact per cell ("2019 – now |
// Engineer, Acme"), in which at most one cell is long, or a layout of columns to be read from top to bottom.
func (c *Collector) EndRow() {
	n := len(c.rows)
	if c.inner > 0 || n == 0 {
		c.inner = max(0, c.inner-1)
		return
	}
	var cells [][]string
	for _, cell := range c.rows[n-1] {
		if len(cell) > 0 {
			cells = append(cells, rejoin.Dates(cell))
		}
	}
	c.rows = c.rows[:n-1]
	long := words.Count(cells, func(cell []string) bool { return !isShortCell(cell) })
	if long <= 1 {
		to := c.CurrentLines()
		*to = append(*to, recordLines(cells)...)
		return
	}
	for _, cell := range cells {
		c.StartBlock()
		to := c.CurrentLines()
		*to = append(*to, cell...)
	}
	c.StartBlock()
}

// isShortCell reports whether a cell holds a line, or a date and its place.
func isShortCell(cell []string) bool {
	return len(cell) == 1 || len(cell) <= 3 && slices.ContainsFunc(cell, dates.HasPeriod)
}

// recordLines returns the short cells and the first line of the long one as one line
// with gaps, then the rest of the long one. A heading is a line of its own.
func recordLines(cells [][]string) []string {
	var headings, facts, rest []string
	for _, cell := range cells {
		if len(cell) == 1 && heading.Is(cell[0]) {
			headings = append(headings, cell[0])
			continue
		}
		short := 1
		if isShortCell(cell) {
			short = len(cell)
		}
		facts = append(facts, cell[:short]...)
		rest = append(rest, cell[short:]...)
	}
	for line := strings.Join(facts, "\t"); line != ""; {
		var head string
		head, line = splitLine(line, maxRecord)
		headings = append(headings, head)
	}
	return append(headings, rest...)
}
