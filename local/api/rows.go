package api

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// readRows reads the candidates of a file, CSV or NDJSON by its name. renames holds the column of
// the file for names of columns. What stands in a cell is checked later.
func readRows(name string, renames map[string]string) ([]inputRow, []problem, error) {
	content, err := readRegular(os.OpenFile, name)
	if err != nil {
		return nil, nil, err
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".txt":
		rows, problems := readCSV(content, renames)
		return rows, problems, nil
	case ".ndjson", ".jsonl":
		rows, problems := readNDJSON(content)
		return rows, problems, nil
	}
	return nil, nil, fmt.Errorf("%s is not named .csv, .tsv, .ndjson or .jsonl", name)
}

// readCSV reads rows below a line of headings. The separator is that of the headings: a tab, a
// semicolon or a comma.
func readCSV(content []byte, renames map[string]string) (rows []inputRow, problems []problem) {
	in := csv.NewReader(bytes.NewReader(content))
	headings, _, _ := bytes.Cut(content, []byte("\n"))
	for _, separator := range "\t;" {
		if bytes.ContainsRune(headings, separator) && !bytes.ContainsRune(headings, ',') {
			in.Comma = separator
		}
	}
	in.TrimLeadingSpace = in.Comma != '\t'
	first, err := in.Read()
	if err != nil {
		return nil, []problem{{1, "", "there are no headings: " + err.Error()}}
	}
	columns, problems := mapColumns(first, renames)
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, problems
		}
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			problems = append(problems, problem{wrong.Line, "", wrong.Err.Error()})
			if !errors.Is(err, csv.ErrFieldCount) {
				return rows, problems // what follows cannot be told apart
			}
			continue
		}
		line, _ := in.FieldPos(0)
		rows = append(rows, newCSVRow(line, columns, cells))
	}
}

// mapColumns returns the column that each heading means, "" for one that is not used. A heading
// means a column if it is the same but for case, spaces and punctuation.
func mapColumns(headings []string, renames map[string]string) (columns []string, problems []problem) {
	of := map[string]string{}
	for _, name := range columnNames() {
		of[foldHeading(name)] = name
	}
	for name, heading := range renames {
		if of[foldHeading(name)] != name {
			problems = append(problems, problem{1, name, "--map names no column; there are " + strings.Join(columnNames(), ", ")})
		}
		delete(of, foldHeading(name))
		of[foldHeading(heading)] = name
	}
	found := map[string]bool{}
	for _, heading := range headings {
		name := of[foldHeading(heading)]
		if found[name] && name != "" {
			problems = append(problems, problem{1, name, "two headings mean this column"})
		}
		found[name] = true
		columns = append(columns, name)
	}
	for _, name := range columnNames() {
		if !found[name] && (fields[name].Required || name == resumeColumn) {
			problems = append(problems, problem{1, name, fmt.Sprintf("no heading means this column; the headings are %q; use --map %s=HEADING", headings, name)})
		}
	}
	return columns, problems
}

// foldHeading returns a heading without case, spaces and punctuation.
func foldHeading(heading string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80 {
			return r
		}
		return -1
	}, strings.ToLower(heading))
}

// newCSVRow returns the row of a line. Empty cells are left out. A cell of a list has its values
// between semicolons or bars.
func newCSVRow(line int, columns, cells []string) inputRow {
	row := inputRow{line: line, values: map[string]any{}}
	for i, name := range columns {
		cell := strings.TrimSpace(cells[i])
		switch field := fields[name]; {
		case cell == "" || name == "":
		case name == resumeColumn:
			row.resume = cell
		case name == marketColumn:
			row.onMarket = strings.EqualFold(cell, "true") || strings.EqualFold(cell, "yes")
		case field.Schema.Kind == contract.KindArray:
			row.values[name] = splitList(field, cell)
		case field.Schema.Kind == contract.KindInteger && json.Valid([]byte(cell)):
			row.values[name] = json.RawMessage(cell)
		default:
			row.values[name] = readWords(field, cell)
		}
	}
	return row
}

func splitList(field contract.Field, cell string) []string {
	all := []string{}
	for part := range strings.FieldsFuncSeq(cell, func(r rune) bool { return r == ';' || r == '|' || r == '\n' }) {
		part = strings.TrimSpace(part)
		if part != "" {
			all = append(all, readWords(field, part))
		}
	}
	return all
}

// readNDJSON reads one object from each line, with the fields of a bulk item; those of its
// preferences may stand beside the others. Its resume is a file name.
func readNDJSON(content []byte) (rows []inputRow, problems []problem) {
	in := bufio.NewScanner(bytes.NewReader(content))
	in.Buffer(nil, 1<<20)
	for line := 1; in.Scan(); line++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		row := inputRow{line: line, values: map[string]any{}}
		object := map[string]json.RawMessage{}
		if err := json.Unmarshal(in.Bytes(), &object); err != nil {
			problems = append(problems, problem{line, "", "no JSON object: " + err.Error()})
			continue
		}
		nested := map[string]json.RawMessage{}
		_ = json.Unmarshal(object["preferences"], &nested) // what is no object is missing in the check
		for name, value := range nested {
			row.values[name] = value
		}
		for name, value := range object {
			switch name {
			case resumeColumn:
				_ = json.Unmarshal(value, &row.resume) // what is no string is missing in the check
			case marketColumn:
				_ = json.Unmarshal(value, &row.onMarket)
			case "preferences":
			default:
				row.values[name] = value
			}
		}
		rows = append(rows, row)
	}
	if err := in.Err(); err != nil {
		problems = append(problems, problem{Message: err.Error()})
	}
	return rows, problems
}
