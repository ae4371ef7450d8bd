package operate

import (
	"strings"
	"testing"
)

// The last line says that there are more refusals only if there are.
func TestPrintRefusals(t *testing.T) {
	t.Parallel()
	for refusals, isMore := range map[int]bool{shownRefusals - 1: false, shownRefusals: false, shownRefusals + 1: true, shownRefusals + 2: true} {
		var out strings.Builder
		printRefusal := printRefusals(&out, "events")
		for line := range refusals {
			printRefusal(line+1, "no JSON")
		}
		shown := strings.Count(out.String(), "refused: no JSON\n")
		if shown != min(refusals, shownRefusals) || strings.Count(out.String(), "further refusals") != map[bool]int{true: 1}[isMore] {
			t.Errorf("of %d refusals: %s", refusals, &out)
		}
	}
}
