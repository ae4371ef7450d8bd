package terminal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// printRows prints the first rows, at most most if that is above 0: as JSON objects when they come,
// or as a table at the end, with headings between commas. Rows before an error are printed too: what they say has happened.
func printRows[Row any](c *call, rows iter.Seq2[Row, error], most int, headings string, cells func(Row) []any) error {
	table := [][]string{strings.Split(headings, ", ")}
	printed := 0
	var failed error
	for row, err := range rows {
		if err != nil {
			failed = explain(err)
			break
		}
		printed++
		if most > 0 && printed > most {
			_, _ = fmt.Fprintf(c.messages, "there are more than %d; --max 0 shows all\n", most)
			break
		}
		if c.settings.JSON {
			if err := json.NewEncoder(c.out).Encode(row); err != nil {
				return err
			}
			continue
		}
		var line []string
		for _, value := range cells(row) {
			line = append(line, printable(cellOf(value)))
		}
		table = append(table, line)
	}
	if printed == 0 && failed == nil {
		_, _ = fmt.Fprintln(c.messages, "none")
	}
	if len(table) == 1 {
		return failed
	}
	return errors.Join(failed, c.printTable(table))
}

type line [2]any

// printOne prints the object of a call, unless that failed: as JSON, or as lines.
func printOne(c *call, value any, err error, lines ...line) error {
	if err != nil {
		return explain(err)
	}
	if c.settings.JSON {
		return json.NewEncoder(c.out).Encode(value)
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		_, _ = fmt.Fprintf(table, "%s\t%s\n", line[0], printable(cellOf(line[1])))
	}
	return table.Flush()
}

// printNow prints what happens at this moment: as a JSON object, or as text.
func printNow(c *call, value any, text string) error {
	if c.settings.JSON {
		return json.NewEncoder(c.out).Encode(value)
	}
	_, err := fmt.Fprintln(c.out, text)
	return err
}

// cellOf returns a value in words: a time to the second in UTC, a list with spaces, "" for none.
func cellOf(value any) string {
	switch value := value.(type) {
	case contract.Time:
		return value.UTC().Format(time.DateTime)
	case float64:
		return fmt.Sprintf("%.1f", value)
	case bool:
		return map[bool]string{true: "yes"}[value]
	}
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() == reflect.Slice:
		words := make([]string, v.Len())
		for i := range words {
			words[i] = cellOf(v.Index(i).Interface())
		}
		return strings.Join(words, " ")
	case v.Kind() != reflect.Pointer:
		return fmt.Sprint(value)
	case v.IsNil():
		return ""
	}
	return cellOf(v.Elem().Interface())
}

func rowsOf[Row any](rows []Row, err error) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
		if err != nil {
			yield(*new(Row), err)
		}
	}
}

// screen writes to a terminal text that may come from others: answers of a server, names of candidates,
// journals. Of the characters that a terminal acts on instead of showing them, only line feeds pass.
// Of the others, those of messages become spaces, and those of results the escapes of JSON, which mean the
// same to a program that reads them. Tables have none (printable).
type screen struct {
	to       io.Writer
	ofResult bool
}

// Write writes text without control characters. Its callers end it after a whole character.
func (s screen) Write(text []byte) (int, error) {
	var clean strings.Builder
	for _, r := range string(text) { // bytes that are not UTF-8 become U+FFFD
		switch {
		case !isControl(r) || r == '\n':
			clean.WriteRune(r)
		case s.ofResult:
			_, _ = fmt.Fprintf(&clean, `\u%04x`, r)
		default:
			clean.WriteByte(' ')
		}
	}
	_, err := io.WriteString(s.to, clean.String())
	return len(text), err
}

// terminal returns the terminal that a screen writes to, nil without one.
func (s screen) terminal() *os.File {
	if file, ok := s.to.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// isControl reports whether a terminal acts on a character, or it changes the direction of the text around it.
func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

func blankControls(text string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, text)
}

// printable returns text for one line of a terminal, "-" for none.
func printable(text string) string {
	if text == "" {
		return "-"
	}
	return blankControls(text)
}

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

// newLook returns the look of a terminal; nil is none.
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

// printTable prints rows without control characters, the headings first.
func (c *call) printTable(rows [][]string) error {
	widths := c.look.fit(rows)
	var text strings.Builder
	for i, cells := range rows {
		for j, width := range widths {
			cell := shorten(cells[j], width)
			colour := colours[cell]
			if i == 0 {
				colour = bold
			}
			if c.look.colour != nil && colour != "" {
				text.WriteString(colour + cell + plain)
			} else {
				text.WriteString(cell)
			}
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

func lineOf(widths []int) int {
	total := 2 * (len(widths) - 1)
	for _, width := range widths {
		total += width
	}
	return total
}

func shorten(cell string, width int) string {
	letters := []rune(cell)
	if len(letters) <= width {
		return cell
	}
	return string(letters[:width-1]) + "…"
}
