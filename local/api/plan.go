package api

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// maxResume is what a request body leaves for a file in base64, in bytes.
const maxResume = (contract.MaxBodyBytes - 4096) / 4 * 3

// planned is a candidate of the file, checked.
type planned struct {
	line int
	client.Candidate
}

// planCandidates checks all rows and their resumes, and returns the candidates, or all problems of
// the file by line.
func planCandidates(rows []inputRow, resumes *os.Root, onMarket bool) (all []planned, problems []problem) {
	lines := map[string]int{}
	people := map[string]int{}
	for i, row := range rows {
		if row.values["clientReferenceId"] == nil {
			row.values["clientReferenceId"] = fmt.Sprintf("row-%d", i+1)
		}
		in, wrong := checkRow(row)
		if err := checkResume(resumes, row.resume); err != nil {
			wrong = append(wrong, problem{row.line, resumeColumn, err.Error()})
		}
		if !onMarket && !row.onMarket {
			wrong = append(wrong, problem{row.line, marketColumn, "it must be true: you attest that the candidate is on the market now; --on-market says so for all"})
		}
		problems = append(problems, wrong...)
		if len(wrong) > 0 {
			continue
		}
		reference := *in.ClientReferenceID
		if first := cmp.Or(lines[reference], row.line); first != row.line {
			problems = append(problems, problem{row.line, "clientReferenceId", fmt.Sprintf("line %d has the same", first)})
		}
		person := in.Email + "\n" + in.LinkedInURL
		if first := cmp.Or(people[person], row.line); first != row.line {
			problems = append(problems, problem{row.line, "email", fmt.Sprintf("line %d has the same person", first)})
		}
		lines[reference] = row.line
		people[person] = row.line
		all = append(all, planned{row.line, client.Candidate{
			Item: newBulkItem(in), ResumeName: filepath.Base(row.resume), ReadResume: func() ([]byte, error) { return readRegular(resumes.OpenFile, row.resume) },
		}})
	}
	slices.SortStableFunc(problems, func(a, b problem) int { return cmp.Compare(a.Line, b.Line) })
	return all, problems
}

func newBulkItem(in contract.SubmitRequest) contract.BulkItem {
	return contract.BulkItem{
		Name: in.Name, LinkedInURL: in.LinkedInURL, Email: in.Email, Preferences: in.Preferences,
		ScreeningCallLink: in.ScreeningCallLink, RecruiterEmail: in.RecruiterEmail, ClientReferenceID: in.ClientReferenceID,
		OnMarketConfirmed: true,
	}
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
	if err != nil {
		return err
	}
	return checkContent(name, content)
}

// checkContent returns an error for the content of a file that cannot be submitted.
func checkContent(name string, content []byte) error {
	if len(content) > maxResume {
		return fmt.Errorf("%s has %d bytes; the most are %d", name, len(content), maxResume)
	}
	if _, err := filetype.Sniff(content); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
