package ingest

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// What a package does in its initialisation, every start of the function waits for. Lists of
// words and regular expressions are loaded when they are first needed.
func TestInitialisationOfTheReaderIsSmall(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, "-test.run=^$")
	command.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, trace)
	}
	line := regexp.MustCompile(`(?m)^init \S+/external-api/(shared/(?:candidate/resume|identity)\S*) .* (\d+) bytes, \d+ allocs$`)
	found := line.FindAllSubmatch(trace, -1)
	if len(found) == 0 {
		t.Fatalf("no package is in the trace:\n%s", trace)
	}
	for _, m := range found {
		if size, _ := strconv.Atoi(string(m[2])); size > 200_000 {
			t.Errorf("%s allocates %d bytes in its initialisation, want at most 200,000", m[1], size)
		}
	}
}
