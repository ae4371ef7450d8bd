package operate

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Commands for dead letters refuse a number of letters that would show or send none.
func TestLettersAreAtLeastOne(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"list feed --max=0":     "--max must be at least 1",
		"list feed --max=-1":    "--max must be at least 1",
		"redrive feed --max=-1": "--max must be at least 1, or 0 for all letters",
		"redrive feed --max=0":  "",
	} {
		var c DeadLetters
		parser, err := kong.New(&c, kong.Vars{"queues": "feed"})
		if err != nil {
			t.Fatal(err)
		}
		problem := ""
		if _, err := parser.Parse(strings.Fields(args)); err != nil {
			problem = err.Error()
		}
		if !strings.HasSuffix(problem, want) || (problem == "") != (want == "") {
			t.Errorf("%s: got %q, want %q", args, problem, want)
		}
	}
}
