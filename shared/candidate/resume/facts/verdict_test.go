package facts

import (
	"slices"
	"testing"
)

// Each verdict holds for its example.
func TestVerdictsHoldForTheirExamples(t *testing.T) {
	t.Parallel()
	for _, v := range verdicts {
		f := Fact{Text: v.example}
		if reasons := f.judge(); !slices.Contains(reasons, v.reason) {
			t.Errorf("%q is judged by %q, not by %q", v.example, reasons, v.reason)
		}
	}
}
