package terminal

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
	"slices"
	"strings"
)

// readRows reads the candidates of a file, CSV or NDJSON by its name, and what is wrong with its
// headings and its form. The content of a cell is checked later.
func readRows(name string, l layout) (rows []inputRow, problems []problem, err error) {
	content, err := readRegular(os.OpenFile, name)
	if err != nil {
		return nil, nil, err
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".txt":
		rows, problems = readCSV(content, l)
	case ".ndjson", ".jsonl":
		rows, problems = readNDJSON(content, l)
	default:
		err = fmt.Errorf("%s is not named .csv, .tsv, .ndjson or .jsonl", name)
	}
	return rows, problems, err
}

// readCSV reads rows below a line of headings. A row without any text is left out.
func readCSV(content []byte, l layout) (rows []inputRow, problems []problem) {
	in := newCSVReader(content, l.findSeparator(content))
	first, err := in.Read()
	if err != nil {
		return nil, []problem{{1, "", "there are no headings: " + err.Error()}}
	}
	columns, problems := l.mapColumns(first)
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, problems
		}
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			return rows, append(problems, problem{wrong.Line, "", wrong.Err.Error()}) // later rows cannot be separated
		}
		line, _ := in.FieldPos(0)
		switch {
		case strings.TrimSpace(strings.Join(cells, "")) == "":
		case len(cells) != len(columns):
			message := "the row has " + count(len(cells), "cell") + ", and there are " + count(len(columns), "heading")
			problems = append(problems, problem{line, "", message})
		default:
			row := inputRow{line: line, values: map[string]any{}}
			for i, name := range columns {
				row.addCell(name, cells[i])
			}
			l.setValues(&row)
			rows = append(rows, row)
		}
	}
}

func newCSVReader(content []byte, separator rune) *csv.Reader {
	in := csv.NewReader(bytes.NewReader(content))
	in.Comma = separator
	in.TrimLeadingSpace = separator != '\t'
	in.FieldsPerRecord = -1
	return in
}

// findSeparator returns what separates the headings: of comma, tab and semicolon the one that makes the most columns,
// or else, because a heading can hold the others, the most headings.
func (l layout) findSeparator(content []byte) (separator rune) {
	names := l.names()
	most := [2]int{-1}
	for _, one := range ",\t;" {
		headings, _ := newCSVReader(content, one).Read() // an error is reported for the one that is chosen
		found := [2]int{0, len(headings)}
		for _, heading := range headings {
			if names[foldHeading(heading)] != "" {
				found[0]++
			}
		}
		if slices.Compare(found[:], most[:]) > 0 {
			most = found
			separator = one
		}
	}
	return separator
}

// setValues adds the values that are the same for all rows.
func (l layout) setValues(row *inputRow) {
	for _, name := range sortedKeys(l.Set) {
		if _, known := fields[name]; known || name == resumeColumn || name == marketColumn {
			row.addCell(name, l.Set[name])
		}
	}
}

// readNDJSON reads one object from each line, with the fields of a bulk item; those of its
// preferences may be beside the others. Its resume is a file name.
func readNDJSON(content []byte, l layout) (rows []inputRow, problems []problem) {
	in := bufio.NewScanner(bytes.NewReader(content))
	in.Buffer(nil, 1<<20)
	found := map[string]bool{}
	unused := map[string]int{} // the first line with the name
	for line := 1; in.Scan(); line++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		row, err := l.newObjectRow(line, in.Bytes(), found, unused)
		if err != nil {
			problems = append(problems, problem{line, "", "no JSON object: " + err.Error()})
			continue
		}
		rows = append(rows, row)
	}
	if err := in.Err(); err != nil {
		problems = append(problems, problem{Message: err.Error()})
	}
	for _, name := range sortedKeys(unused) {
		if !l.IgnoreColumns {
			problems = append(problems, problem{unused[name], name, "is not used; " + adviseColumn(name, found)})
		}
	}
	return rows, append(problems, l.checkFlags(found)...)
}

// newObjectRow returns the row of a line. It adds its columns to found, and to unused the names that mean
// none.
func (l layout) newObjectRow(line int, text []byte, found map[string]bool, unused map[string]int) (inputRow, error) {
	row := inputRow{line: line, values: map[string]any{}}
	object := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &object); err != nil {
		return row, err
	}
	nested := map[string]json.RawMessage{}
	_ = json.Unmarshal(object["preferences"], &nested) // anything but an object is missing in the check
	delete(object, "preferences")
	names := l.namesOfFields()
	seen := map[string]bool{}
	for _, part := range []map[string]json.RawMessage{object, nested} {
		for _, heading := range sortedKeys(part) {
			name := names[foldHeading(heading)]
			found[name] = true
			switch {
			case !seen[name] || name == "":
			case object[heading] != nil && nested[heading] != nil:
				row.wrong = append(row.wrong, problem{line, name, "preferences have this column, and it is beside them too"})
			default:
				row.wrong = append(row.wrong, problem{line, name, "two names mean this column"})
			}
			seen[name] = true
			if name == "" && unused[heading] == 0 {
				unused[heading] = line
			}
			row.addValue(name, part[heading])
		}
	}
	l.setValues(&row)
	return row, nil
}

// namesOfFields returns the columns by folded name of a field, which can be the one of the contract in spite of --map, unless --map
// gives that name to another column.
func (l layout) namesOfFields() map[string]string {
	names := l.names()
	for _, name := range columnNames() {
		if names[foldHeading(name)] == "" {
			names[foldHeading(name)] = name
		}
	}
	return names
}
