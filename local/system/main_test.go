package system_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/iam"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// recorded is what every function did to AWS in a whole run of these tests. The
// tests of infra hold the synthesized policies to it, both ways.
const recorded = "testdata/actions.golden"

var update = flag.Bool("update", false, "write testdata/actions.golden anew")

// TestMain runs the tests, in which every call is held to the function's grants,
// and then looks at what was used. A run of some tests uses only a part.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, use := range iam.Total.Denied() {
		fmt.Printf("FAIL: %s is not granted: enter it in shared/topology\n", use)
		code = 1
	}
	if code == 0 && whole() {
		code = compare()
	}
	os.Exit(code)
}

// compare holds the run to the record.
func compare() int {
	var lines strings.Builder
	for _, use := range iam.Total.Uses() {
		lines.WriteString(use.String() + "\n")
	}
	if *update {
		if err := os.WriteFile(recorded, []byte(lines.String()), 0o644); err != nil {
			fmt.Println("FAIL:", err)
			return 1
		}
	}
	want, err := os.ReadFile(recorded)
	if idle := unused(iam.Total.Uses()); len(idle) > 0 {
		fmt.Printf("FAIL: granted in shared/topology and used by no test:\n%s\n", strings.Join(idle, "\n"))
		return 1
	}
	if diff := cmp.Diff(string(want), lines.String()); diff != "" || err != nil {
		fmt.Printf("FAIL: the actions used differ from %s (-file +run); write it anew with -update (%v):\n%s", recorded, err, diff)
		return 1
	}
	return 0
}

// unused lists the grants that no call of the run needed.
func unused(uses []iam.Use) (lines []string) {
	for _, f := range append([]topology.Function{topology.Uploads}, topology.Functions...) {
		for _, g := range f.Grants {
			for _, action := range g.Actions {
				if use := (iam.Use{Function: f.Name, Action: action, On: g.On}); !slices.Contains(uses, use) {
					lines = append(lines, use.String())
				}
			}
		}
	}
	return lines
}

// whole tells whether all tests ran.
func whole() bool {
	for _, name := range []string{"test.run", "test.skip", "test.fuzz", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	return true
}
