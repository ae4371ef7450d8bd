package terminal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"reflect"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

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
		if printed++; most > 0 && printed > most {
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

// line is a name and a value.
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

// rowsOf returns the rows of one answer.
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

// isControl reports whether a character moves the cursor, begins a command to the terminal, ends a line or
// changes the direction of the text around it.
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
