package terminal

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// readRows reads a file, CSV or NDJSON by its name, and what is wrong with its form. Cells are checked later.
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
		return nil, []problem{{1, "", "the line of headings cannot be read: " + err.Error()}}
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

// newObjectRow returns the row of a line. It adds its columns to found, and names that mean none to unused.
func (l layout) newObjectRow(line int, text []byte, found map[string]bool, unused map[string]int) (inputRow, error) {
	row := inputRow{line: line, values: map[string]any{}}
	object := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &object); err != nil {
		return row, err
	}
	nested := map[string]json.RawMessage{}
	_ = json.Unmarshal(object["preferences"], &nested) // anything but an object is missing in the check
	delete(object, "preferences")
	names := l.names()
	for _, name := range columnNames() { // a field can have its name of the contract, unless --map gives that to another column
		if names[foldHeading(name)] == "" {
			names[foldHeading(name)] = name
		}
	}
	seen := map[string]bool{}
	for _, part := range []map[string]json.RawMessage{object, nested} {
		for _, heading := range sortedKeys(part) {
			name := names[foldHeading(heading)]
			found[name] = true
			switch {
			case !seen[name] || name == "":
			case object[heading] != nil && nested[heading] != nil:
				row.wrong = append(row.wrong, problem{line, name, "this field is set twice: inside preferences and outside"})
			default:
				row.wrong = append(row.wrong, problem{line, name, "two names stand for this column"})
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

const adviceMarket = "must be true: you attest that the candidate is on the market now; --on-market attests it for all"

// plan has the candidates of a file that have no problems, and their lines by reference.
type plan struct {
	candidates []client.Candidate
	lines      map[string]int
}

func planCandidates(rows []inputRow, resumes *os.Root, onMarket bool) (p plan, problems []problem) {
	p.lines = map[string]int{}
	seen := repetitions{}
	for i, row := range rows {
		if row.values["clientReferenceId"] == nil {
			reference := fmt.Sprintf("row-%d", i+1)
			if person, ok := row.person(); ok { // else the row has a problem
				// A reference that is the same wherever the row is in a later run: no person takes the place of another.
				reference = fmt.Sprintf("auto-%.6x", sha256.Sum256([]byte(person)))
			}
			row.values["clientReferenceId"] = reference
		}
		in, wrong := checkRow(row)
		if err := checkResume(resumes, row.resume); err != nil {
			wrong = append(wrong, problem{row.line, resumeColumn, err.Error()})
		}
		if !onMarket && !row.onMarket {
			wrong = append(wrong, problem{row.line, marketColumn, adviceMarket})
		}
		wrong = append(wrong, seen.check(row)...)
		problems = append(problems, wrong...)
		if len(wrong) > 0 {
			continue
		}
		p.lines[row.text("clientReferenceId")] = row.line
		p.candidates = append(p.candidates, client.Candidate{
			Item: contract.BulkItem{
				Name: in.Name, LinkedInURL: in.LinkedInURL, Email: in.Email, Preferences: in.Preferences,
				ScreeningCallLink: in.ScreeningCallLink, RecruiterEmail: in.RecruiterEmail, ClientReferenceID: in.ClientReferenceID,
				OnMarketConfirmed: true,
			},
			ResumeName: filepath.Base(row.resume),
			ReadResume: func() ([]byte, error) { return readRegular(resumes.OpenFile, row.resume) },
		})
	}
	return p, problems
}

// person returns who the candidate is, and for whom: a profile and a member's address. ok is false without a profile.
func (r inputRow) person() (text string, ok bool) {
	profile, ok := identity.LinkedIn(r.text("linkedinUrl"))
	return "person\n" + profile + "\n" + strings.ToLower(r.text("recruiterEmail")), ok
}

// repetitions has the first line with a reference or a person.
type repetitions map[string]int

// check returns a problem if an earlier row has the same reference, or is the same person: one with the
// same profile for the same member, of which the service takes the first alone (contract, Deduplication).
func (r repetitions) check(row inputRow) (problems []problem) {
	note := func(key, column, what string) {
		r[key] = cmp.Or(r[key], row.line)
		if r[key] != row.line {
			problems = append(problems, problem{row.line, column, fmt.Sprintf("line %d has the same%s", r[key], what)})
		}
	}
	note("reference\n"+row.text("clientReferenceId"), "clientReferenceId", "")
	if person, ok := row.person(); ok {
		note(person, "linkedinUrl", " person")
	}
	return problems
}

// text returns a value that is a string, "" for any other.
func (r inputRow) text(name string) string {
	text := ""
	switch value := r.values[name].(type) {
	case string:
		text = value
	case json.RawMessage:
		_ = json.Unmarshal(value, &text)
	}
	return text
}

// checkResume returns an error for a file that cannot be submitted. It must lie in the directory of
// resumes, behind links too, because list and directory may come from others.
func checkResume(resumes *os.Root, name string) error {
	if name == "" {
		return fmt.Errorf("required: the name of a file in --resumes")
	}
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%q leads out of --resumes", name)
	}
	content, err := readRegular(resumes.OpenFile, name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not in --resumes", name)
	}
	if err != nil {
		return err
	}
	return checkContent(name, content)
}

func checkContent(name string, content []byte) error {
	if len(content) > contract.MaxFileBytes {
		return fmt.Errorf("%s has %d bytes; at most %d are accepted", name, len(content), contract.MaxFileBytes)
	}
	kind, err := filetype.Sniff(content)
	if err == nil && kind == filetype.Undecidable { // the service would accept it, and fail to read it
		err = errors.New("its content is not a document; " + filetype.AcceptedAdvice)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
