package terminal

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"text/tabwriter"

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
	failed := error(nil)
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
