package terminal

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

const adviceMarket = "must be true: you attest that the candidate is on the market now; --on-market attests it for all"

// plan has the candidates of a file that have no problems, and their lines by reference.
type plan struct {
	candidates []client.Candidate
	lines      map[string]int
}

// planCandidates checks all rows and their resumes, and returns the candidates without problems, and all
// problems of the rows.
func planCandidates(rows []inputRow, resumes *os.Root, onMarket bool) (p plan, problems []problem) {
	p.lines = map[string]int{}
	seen := repetitions{}
	for i, row := range rows {
		if row.values["clientReferenceId"] == nil {
			row.values["clientReferenceId"] = row.newReference(i + 1)
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

// newReference returns a reference for a row without one. It is the same wherever the row is in a later run, so that no
// person takes the place of another.
func (r inputRow) newReference(place int) string {
	person, ok := r.person()
	if !ok {
		return fmt.Sprintf("row-%d", place) // which has a problem
	}
	return fmt.Sprintf("auto-%.6x", sha256.Sum256([]byte(person)))
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

// checkContent returns an error for the content of a file that cannot be submitted.
func checkContent(name string, content []byte) error {
	if len(content) > contract.MaxFileBytes {
		return fmt.Errorf("%s has %d bytes; at most %d are accepted", name, len(content), contract.MaxFileBytes)
	}
	kind, err := filetype.Sniff(content)
	if err == nil && kind == filetype.Undecidable { // the service would accept it, and fail to read it
		err = errors.New("its content is that of no document; " + filetype.AcceptedAdvice)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
