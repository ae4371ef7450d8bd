package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadEnums(t *testing.T) {
	t.Parallel()
	want := map[string]*Enum{"size": {Name: "size", Values: []string{"S", "1 to 10"}}, "kind": {Name: "kind", Values: []string{"A"}}}
	if diff := cmp.Diff(want, readEnums("size\n  S\n  1 to 10\nkind\n  A\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMalformedEnumsPanic(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, line string }{
		"an empty line":         {"size\n  S\n\nkind\n  A\n", `""`},
		"a line of spaces":      {"size\n  S\n  \n", `"  "`},
		"a tab":                 {"size\n\tS\n", `"\tS"`},
		"a tab in a value":      {"size\n  S\tM\n", `"  S\tM"`},
		"a value before a name": {"  S\nsize\n  M\n", `"  S"`},
		"no values":             {"size\nkind\n  A\n", `"size"`},
		"no values at the end":  {"size\n  S\nkind\n", `"kind"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "enumerations.txt: "+c.line) {
					t.Errorf("panic is %q, want the line %s", text, c.line)
				}
			}()
			readEnums(c.text)
		})
	}
}
