package terminal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// column is a column of a table.
type column[Row any] struct {
	heading string
	cell    func(Row) string
}

// printRows prints the first rows, at most most if that is above 0: as JSON objects when they come,
// or as a table at the end. Rows before an error are printed too: what they say has happened.
func printRows[Row any](c *call, rows iter.Seq2[Row, error], most int, columns ...column[Row]) error {
	headings := make([]string, len(columns))
	for i, column := range columns {
		headings[i] = column.heading
	}
	table := [][]string{headings}
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
		cells := make([]string, len(columns))
		for i, column := range columns {
			cells[i] = printable(column.cell(row))
		}
		table = append(table, cells)
	}
	if printed == 0 && failed == nil {
		_, _ = fmt.Fprintln(c.messages, "none")
	}
	if len(table) == 1 {
		return failed
	}
	return errors.Join(failed, c.printTable(table))
}

// printOne prints an object: as JSON, or as lines of names and values.
func printOne(c *call, value any, lines ...[2]string) error {
	if c.settings.JSON {
		return json.NewEncoder(c.out).Encode(value)
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		_, _ = fmt.Fprintf(table, "%s\t%s\n", line[0], printable(line[1]))
	}
	return table.Flush()
}

// formatTime returns a time to the second in UTC, "" for none.
func formatTime(t *contract.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// formatNumber returns a whole number, "" for none.
func formatNumber(n *int64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
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
type screen struct {
	to      io.Writer
	replace func(rune) string
}

// newMessages returns a screen on which control characters become spaces.
func newMessages(to io.Writer) screen { return screen{to, func(rune) string { return " " }} }

// newResults returns a screen on which control characters become the escapes of JSON, which mean the same
// to a program that reads them. Tables have none (printable).
func newResults(to io.Writer) screen {
	return screen{to, func(r rune) string { return fmt.Sprintf(`\u%04x`, r) }}
}

// Write writes text without control characters. Its callers end it after a whole character.
func (s screen) Write(text []byte) (int, error) {
	var clean strings.Builder
	for _, r := range string(text) { // bytes that are not UTF-8 become U+FFFD
		if isControl(r) && r != '\n' {
			clean.WriteString(s.replace(r))
		} else {
			clean.WriteRune(r)
		}
	}
	_, err := io.WriteString(s.to, clean.String())
	return len(text), err
}

// terminal returns the terminal that a screen writes to, nil without one.
func (s screen) terminal() *os.File {
	file, ok := s.to.(*os.File)
	if !ok {
		return nil
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return file
}

// isControl reports whether a character moves the cursor, begins a command to the terminal, ends a line or
// changes the direction of the text around it.
func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// blankControls returns text with spaces in place of its control characters.
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
