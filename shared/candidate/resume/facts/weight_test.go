package facts

import (
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Each weight counts for its example, on a side about which it says something.
func TestWeightsCountForTheirExamples(t *testing.T) {
	t.Parallel()
	roles := map[string]document.Role{"job-title": document.TitleRole, "company": document.CompanyRole}
	for at, w := range weights {
		f := New(w.example)
		f.Role = roles[w.example]
		f.Paired = true
		f.lean = 0
		title := f.ScoreTitle()
		company := f.ScoreCompany()
		if !w.holds(f) || title != w.points[asTitle] && company != w.points[asCompany] {
			t.Errorf("%d: %q has %v and %v points, not %v: %s", at, w.example, title, company, w.points, w.reason)
		}
	}
	for _, list := range [][]weight[float64, string]{leans, pairedWeights} {
		for _, w := range list {
			if got := firstPoints(list, w.example); got != w.points {
				t.Errorf("%q has %v points, not %v: %s", w.example, got, w.points, w.reason)
			}
		}
	}
}

// Each weight of a split is of its example where that is split, and nowhere if its feature is not.
func TestSplitWeightsAreOfTheirExamples(t *testing.T) {
	t.Parallel()
	for _, w := range splitWeights {
		found := false
		for at := range w.example {
			for _, gap := range []string{", ", " at "} {
				first, ok := strings.CutSuffix(w.example[:at], gap)
				if !ok {
					continue
				}
				behind := w.example[at:]
				head, _, hasComma := strings.Cut(first, ", ")
				if !hasComma {
					head = ""
				}
				found = found || w.holds(split{New(first), New(behind), head, behind, gap == " at "})
			}
		}
		if !found {
			t.Errorf("%q is not split so that %s", w.example, w.reason)
		}
	}
}

// That is what lets their weight stand before those of phrases and parts.
func TestOwnTradesAreNoPhrasesAndNoParts(t *testing.T) {
	t.Parallel()
	for _, text := range words.Vocabulary().Rules["own-trade"] {
		for _, f := range []Fact{New(text), New(strings.ToUpper(text)), New(strings.ToUpper(text[:1]) + text[1:])} {
			if f.IsPhrase || f.IsUnit {
				t.Errorf("%+v", f)
			}
		}
	}
}
