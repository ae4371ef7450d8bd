package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// pasteQuickStart runs the blocks of the quick start one after the other in a shell whose curl is the script, and
// returns what is printed and the requests.
func pasteQuickStart(t *testing.T, curl string) (printed, requests string) {
	t.Helper()
	guide, _, _ := strings.Cut(readGuide(t), "\n## Conventions")
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '%s ' \"$@\" | tr '\\n' ' ' >>" + dir + "/requests; echo >>" + dir + "/requests\n" + curl + "\n"
	if err := os.WriteFile(filepath.Join(dir, "curl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	var blocks strings.Builder
	for _, block := range shellBlock.FindAllStringSubmatch(guide, -1) {
		blocks.WriteString(block[1])
	}
	shell := exec.Command("sh", "-c", blocks.String())
	shell.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "AGENCY_KEY=a-key")
	out, err := shell.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	sent, err := os.ReadFile(filepath.Join(dir, "requests"))
	if err != nil {
		t.Fatal(err)
	}
	return string(out), string(sent)
}

func readGuide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("guides.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestQuickStartReadsTheCandidate(t *testing.T) {
	t.Parallel()
	_, requests := pasteQuickStart(t, `case "$*" in
*submit*) echo '{"batchId":"b-1","requestId":"r"}' ;;
*batches/b-1*) echo '{"batchId":"b-1","items":[{"index":0,"status":"succeeded","candidateUserId":"cu_1"}]}' ;;
*) echo '{}' ;;
esac`)
	if !strings.Contains(requests, "/talent-network/candidates/cu_1/preferences ") {
		t.Errorf("the preferences of the candidate are not read:\n%s", requests)
	}
	// With a fixed key, a second paste with another name is refused.
	if !regexp.MustCompile(`Idempotency-Key: quick-start-\d+-\d+ `).MatchString(requests) {
		t.Errorf("the Idempotency-Key is not the paste's own:\n%s", requests)
	}
}

// A refused submission or a failed item ends the quick start, and its answer is printed.
func TestQuickStartStopsAtARefusal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		curl   string
		answer string
		want   int
	}{
		"a wrong key":   {`echo '{"error":{"code":"invalid_api_key"}}'`, "invalid_api_key", 2},
		"no answer":     {`echo 'curl: (7) refused' >&2; exit 7`, "curl: (7) refused", 2},
		"a failed item": {`echo '{"batchId":"b-1","items":[{"status":"failed","candidateUserId":null}]}'`, `"status":"failed"`, 3},
	} {
		printed, requests := pasteQuickStart(t, c.curl)
		if got := strings.Count(requests, "\n"); got != c.want || !strings.Contains(printed, c.answer) {
			t.Errorf("%s: got %d requests, want %d, and printed %q with %q in it:\n%s", name, got, c.want, printed, c.answer, requests)
		}
	}
}
