package system_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo/candidates"
	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/local/terminal"
)

var updateTranscript = flag.Bool("update-transcript", false, "write testdata/bulk.transcript")

// terminalUser is a person at a terminal: a directory with a file of candidates, and what a person sees there.
type terminalUser struct {
	t       *testing.T
	dir     string
	options []string
	rows    [][]string
	seen    strings.Builder
}

// edit replaces cells of the file, by line and heading.
func (s *terminalUser) edit(edits map[int]map[string]string) {
	for line, cells := range edits {
		for heading, text := range cells {
			s.rows[line-1][slices.Index(s.rows[0], heading)] = text
		}
	}
	s.save()
}

func (s *terminalUser) save() {
	s.t.Helper()
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(s.rows); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "people.csv"), text.Bytes(), 0o600); err != nil {
		s.t.Fatal(err)
	}
	fmt.Fprintf(&s.seen, "$ cat people.csv\n%s\n", text.String())
}

// run runs a command line, in which the file is people.csv, and returns its exit code.
func (s *terminalUser) run(words ...string) int {
	s.t.Helper()
	fmt.Fprintf(&s.seen, "$ recruiting %s\n", strings.Join(words, " "))
	args := slices.Clone(s.options)
	for _, word := range words {
		if word == "people.csv" || word == "resumes" {
			word = filepath.Join(s.dir, word)
		}
		args = append(args, strings.Trim(word, "'"))
	}
	code := terminal.Run("recruiting", args, strings.NewReader(""), &s.seen, &s.seen)
	fmt.Fprintf(&s.seen, "exit code %d\n\n", code)
	return code
}

// result prints the file of outcomes, if there is one.
func (s *terminalUser) result() {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "people.csv.result.csv"))
	if err != nil {
		s.t.Fatal(err)
	}
	fmt.Fprintf(&s.seen, "$ cat people.csv.result.csv\n%s\n", text)
}

var generatedID = regexp.MustCompile(`\b(?:cu_[0-9A-Za-z_-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`)

// A person corrects a file with sixteen kinds of mistakes in three rounds: what can be seen before anything is sent,
// what the service rejects and what fails when a resume is read. No candidate is submitted twice.
func TestBulkIsCorrectedInThreeRounds(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	s := newTerminalUser(t, sys)
	defer s.checkGolden()
	s.edit(map[int]map[string]string{
		1:  {"Visa authorization": "Maximum salary"},                          // 1: unknown, 2: missing
		3:  {"Salary min": "60k"},                                             // 3: no number
		4:  {"Locations": "Europe, UK"},                                       // 4: another separator
		5:  {"Workplace types": "Remot"},                                      // 5: unknown value
		6:  {"E-mail": "edda"},                                                // 6: no address
		7:  {"LinkedIn URL": "https://www.linkedin.com/company/example"},      // 7: no profile
		8:  {"Resume": "greta.pdf"},                                           // 8: not there
		9:  {"Resume": "noise.pdf"},                                           // 9: no document
		10: {"LinkedIn URL": "http://linkedin.com/in/bela-abendrot-2/"},       // 10: the person of line 3
		11: {"Client reference ID": "candidate-9"},                            // 11: the reference of line 10
		12: {"Recruiter email": "nobody@example.org"},                         // 12: no member, which is rejected
		13: {"Resume": "nils-abendrot-14.pdf"},                                // 13: another person's
		14: {"LinkedIn URL": "https://www.linkedin.com/in/sandbox-not-found"}, // 14: a profile that is not found
		15: {"Resume": "locked.pdf"},                                          // 15: with a password
	})
	command := []string{"bulk", "people.csv", "--resumes", "resumes"} // 16: not attested
	if code := s.run(command...); code != 2 {
		t.Errorf("round 1 exits with %d", code)
	}
	s.edit(map[int]map[string]string{
		3: {"Salary min": "60000"}, 4: {"Locations": "Europe; UK"}, 5: {"Workplace types": "Remote"}, 6: {"E-mail": "edda@example.com"},
		7: {"LinkedIn URL": "https://www.linkedin.com/in/farid-abendrot-6"}, 8: {"Resume": "greta-abendrot-7.pdf"},
		9: {"Resume": "hugo-abendrot-8.pdf"}, 10: {"LinkedIn URL": "https://www.linkedin.com/in/ilse-abendrot-9"},
		11: {"Client reference ID": "candidate-10"},
	})
	command = append(command, "--map", "'salaryMax=Maximum salary'", "--set", "visaAuthorization=HAS_VISA_AUTHORIZATION", "--on-market")
	if code := s.run(append(command, "--dry-run")...); code != 0 {
		t.Errorf("the dry run of round 2 exits with %d", code)
	}
	if code := s.run(command...); code != 3 {
		t.Errorf("round 2 exits with %d", code)
	}
	s.result()
	s.edit(map[int]map[string]string{
		12: {"Recruiter email": ""}, 13: {"Resume": "levin-abendrot-12.pdf"},
		14: {"LinkedIn URL": "https://www.linkedin.com/in/mona-abendrot-13"}, 15: {"Resume": "nils-abendrot-14.pdf"},
	})
	if code := s.run(append(command, "--dry-run")...); code != 0 {
		t.Errorf("the dry run of round 3 exits with %d", code)
	}
	if code := s.run(command...); code != 0 {
		t.Errorf("round 3 exits with %d", code)
	}
	s.result()
}

func newTerminalUser(t *testing.T, sys *testSystem) *terminalUser {
	t.Helper()
	s := &terminalUser{t: t, dir: t.TempDir()}
	keys := filepath.Join(s.dir, "env")
	s.options = []string{"--keys", keys, "--base-url", sys.BaseURL}
	locked, err := resumes.Files.ReadFile(locked.file)
	if err != nil {
		t.Fatal(err)
	}
	if err := candidates.Write(s.dir, 14); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"env": "AGENCY_KEY=" + sys.newAgencyKey() + "\n", "resumes/locked.pdf": string(locked),
		"resumes/noise.pdf": "\x93\x1f\xe2\x07\xb8\x5c\x00\xd4\x6a\xf1\x0e\x82\x3b\xc9\x15\xfe\x44\xa0\x9d\x21\x70\x8e\xdb\x03\x59\xbc\x12\xe7\x98\x06",
	} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "candidates.csv"))
	if err == nil {
		s.rows, err = csv.NewReader(bytes.NewReader(text)).ReadAll()
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.rows {
		s.rows[i] = append(s.rows[i], map[bool]string{true: "Recruiter email"}[i == 0])
		if i > 0 {
			s.rows[i][7] = "120000" // below the heading that takes the place of the visa's
		}
	}
	return s
}

// checkGolden compares what was seen with testdata/bulk.transcript.
func (s *terminalUser) checkGolden() {
	s.t.Helper()
	const golden = "testdata/bulk.transcript"
	seen := generatedID.ReplaceAllString(strings.ReplaceAll(s.seen.String(), s.dir+"/", ""), "ID")
	if *updateTranscript {
		if err := os.WriteFile(golden, []byte(seen), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if diff := cmp.Diff(string(want), seen); err != nil || diff != "" {
		s.t.Errorf("%v; transcript (-want +got):\n%s", err, diff)
	}
}
