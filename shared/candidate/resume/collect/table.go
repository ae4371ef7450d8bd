package collect

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	maxRows   = 6                 // tables nested in tables; each one searches the lines inside it for dates
	maxRecord = 4 * words.MaxLine // characters of a record's line; a longer one is split
)

// tableRow holds the lines of a table row's cells until the row ends.
type tableRow struct{ cells [][]string }

func (r *tableRow) openCell() *[]string {
	if len(r.cells) == 0 {
		r.cells = append(r.cells, nil)
	}
	return &r.cells[len(r.cells)-1]
}

// OpenRows returns how many rows are open, each nested in the one before.
func (c *Collector) OpenRows() int { return len(c.rows) }

// BeginRow opens a row; its lines go to cells until EndRow.
func (c *Collector) BeginRow() {
	if len(c.rows) == maxRows {
		c.inner++
		return
	}
	c.rows = append(c.rows, tableRow{})
}

// BeginCell opens a cell unless the last one is empty: empty cells are dropped.
func (c *Collector) BeginCell() {
	if n := len(c.rows); n > 0 && c.inner == 0 && len(*c.rows[n-1].openCell()) > 0 {
		c.rows[n-1].cells = append(c.rows[n-1].cells, nil)
	}
}

// EndRow puts the row's lines into reading order. A row is either a record, with one
// fact per cell ("2019 – now | Engineer, Acme"), or a layout of columns to be read from
// top to bottom.
func (c *Collector) EndRow() {
	n := len(c.rows)
	if c.inner > 0 || n == 0 {
		c.inner = max(0, c.inner-1)
		return
	}
	var cells [][]string
	for _, cell := range c.rows[n-1].cells {
		if len(cell) > 0 {
			cells = append(cells, rejoin.Dates(cell))
		}
	}
	c.rows = c.rows[:n-1]
	if isRecord(cells) {
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

// isRecord reports whether at most one cell holds more than a line, or a date and its place.
func isRecord(cells [][]string) bool {
	long := 0
	for _, cell := range cells {
		if !isShortCell(cell) {
			long++
		}
	}
	return long <= 1
}

func isShortCell(cell []string) bool {
	return len(cell) == 1 || len(cell) <= 3 && slices.ContainsFunc(cell, func(line string) bool {
		_, isDate := dates.FindPeriod(line)
		return isDate
	})
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
