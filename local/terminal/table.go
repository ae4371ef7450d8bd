package terminal

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// look is how a table is shown. The zero value is that of a pipe: as wide as its cells, without colours.
type look struct {
	width  int // of the terminal, in characters
	colour *os.File
}

// readable is the least width to which a column is shortened so that others fit.
const readable = 16

// ids are the headings of columns that are not shortened, since their cells are copied; texts are those
// of columns with text to read, which continues on the next line of the terminal.
var (
	ids   = []string{"CANDIDATE", "BATCH", "ROLE", "RESUME"}
	texts = []string{"PROBLEM", "MESSAGE"}
)

// newLook returns the look of a terminal, nil for none. NO_COLOR, if it is set, and a terminal that
// shows no colours leave them out.
func newLook(terminal *os.File, getenv func(string) string) look {
	if terminal == nil {
		return look{}
	}
	width, _, err := term.GetSize(int(terminal.Fd()))
	if err != nil {
		width, _ = strconv.Atoi(getenv("COLUMNS"))
	}
	l := look{width: width}
	if getenv("NO_COLOR") == "" && getenv("TERM") != "dumb" {
		l.colour = terminal
	}
	return l
}

// colours are those of states, by value.
var colours = map[string]string{
	"failed": red, "rejected": red, "expired": red, "not_found": red,
	"succeeded": green, "on_market": green,
	"queued": yellow, "processing": yellow, "deduplicated": yellow, "off_market": yellow,
}

const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// printTable prints rows, of which the first has the headings. Cells have no control characters.
func (c *call) printTable(rows [][]string) error {
	widths := c.look.fit(rows)
	var text strings.Builder
	for i, cells := range rows {
		for j, width := range widths {
			cell := shorten(cells[j], width)
			text.WriteString(c.look.paint(cell, i == 0))
			if j < len(widths)-1 {
				text.WriteString(strings.Repeat(" ", width-utf8.RuneCountInString(cell)+2))
			}
		}
		text.WriteByte('\n')
	}
	to := c.out
	if c.look.colour != nil { // the screen would show the colours as text
		to = c.look.colour
	}
	_, err := io.WriteString(to, text.String())
	return err
}

// fit returns the widths of the columns that fit the terminal. Columns are left out from the end until
// each other one has its least width; then the widest are shortened.
func (l look) fit(rows [][]string) []int {
	headings := rows[0]
	widths := make([]int, len(headings))
	for _, cells := range rows {
		for j, cell := range cells {
			widths[j] = max(widths[j], utf8.RuneCountInString(cell))
		}
	}
	least := make([]int, len(widths))
	taken := slices.Clone(widths) // what each column takes of the line
	for j, heading := range headings {
		least[j] = min(widths[j], readable)
		switch {
		case slices.Contains(ids, heading):
			least[j] = widths[j]
		case slices.Contains(texts, heading):
			taken[j] = least[j]
		}
	}
	n := len(widths)
	for l.width > 0 && n > 1 && lineOf(least[:n]) > l.width {
		n--
	}
	l.shrink(taken[:n], least)
	for j, heading := range headings[:n] {
		if slices.Contains(texts, heading) {
			taken[j] = widths[j]
		}
	}
	return taken[:n]
}

// shrink shortens the widest columns until they fit, or have their least width.
func (l look) shrink(taken, least []int) {
	for l.width > 0 && lineOf(taken) > l.width {
		widest := -1
		for j := range taken {
			if taken[j] > least[j] && (widest < 0 || taken[j] > taken[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			return
		}
		taken[widest]--
	}
}

// lineOf returns the width of columns with the spaces between them.
func lineOf(widths []int) int {
	total := 2 * (len(widths) - 1)
	for _, width := range widths {
		total += width
	}
	return total
}

// shorten returns at most width characters of a cell.
func shorten(cell string, width int) string {
	letters := []rune(cell)
	if len(letters) <= width {
		return cell
	}
	return string(letters[:width-1]) + "…"
}

func (l look) paint(cell string, heading bool) string {
	colour := colours[cell]
	if heading {
		colour = bold
	}
	if l.colour == nil || colour == "" {
		return cell
	}
	return colour + cell + plain
}
