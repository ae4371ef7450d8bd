package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
)

// writeSample copies a sample to a temporary file, whose path it returns.
func writeSample(t *testing.T, name string) string {
	t.Helper()
	content, err := resumes.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestResumeAsJSON(t *testing.T) {
	t.Parallel()
	file := writeSample(t, "priya-raman.txt")
	u, err := understandFile(file, time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	if err := u.writeJSON(&raw); err != nil {
		t.Fatal(err)
	}
	want := `{"file":"` + file + `","ok":true,"name":"Priya Raman","emails":["priya.raman@example.com"],
		"linkedinUrl":"https://www.linkedin.com/in/priya-raman-demo","githubUrl":"",
		"experiences":[{"title":"Finance Director","company":"Marigold Textiles Ltd","start":"2019-04","end":"","isCurrent":true,"location":"","description":"Leads a team of eleven and the yearly audit."},
			{"title":"Financial Controller","company":"Oakbridge Retail Ltd","start":"2014-01","end":"2019-03","isCurrent":false,"location":"","description":"Closed the books in four working days."}],
		"education":[{"school":"Thornfield University","degree":"MSc Accounting","start":"2012","end":"2013"}],"skills":[],"languages":[],"yearsOfExperience":12.5,
		"confidence":{"name":0.95,"emails":0.99,"linkedinUrl":0.99,"experiences":0.95,"education":0.8,"yearsOfExperience":0.9},"warnings":[]}`
	var got, expected any
	if err := json.Unmarshal(raw.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &expected); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

func TestResumeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "photo.png")
	if err := os.WriteFile(file, []byte("\x89PNG\r\n\x1a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := understandFile(file, time.Now())
	if err != nil || u.OK || u.Error != "unsupported_type" || u.Message == "" {
		t.Errorf("a picture: %+v, %v; want unsupported_type and a message", u, err)
	}
	if _, err := understandFile(file+".missing", time.Now()); err == nil {
		t.Error("a missing file is no error")
	}
}
