package facts

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Each verdict holds for its example.
func TestVerdictsHoldForTheirExamples(t *testing.T) {
	t.Parallel()
	for _, v := range verdicts {
		f := Fact{Text: v.example}
		var reasons []string
		for _, applied := range verdicts {
			if applied.holds(&f) {
				applied.apply(&f)
				reasons = append(reasons, applied.reason)
			}
		}
		if !slices.Contains(reasons, v.reason) {
			t.Errorf("%q is judged by %q, not by %q", v.example, reasons, v.reason)
		}
	}
}

// All verdicts together make a fact of a text.
func TestFactsAreJudged(t *testing.T) {
	t.Parallel()
	tests := []struct {
		because string
		want    Fact
	}{
		{"a title has a noun of titles", Fact{Text: "Deck Officer", Title: true}},
		{"a legal form ends names of employers", Fact{Text: "Butler Ltd", Legal: true, Company: true}},
		{"some name what they do as their employer", Fact{Text: "independent consultant", Company: true}},
		{"unless it is their title", Fact{Text: "Independent Consultant", Title: true}},
		{"a department of a government is an employer, and no part of one", Fact{Text: "Department of Public Works", Company: true}},
		{"also one without an organisation's word", Fact{Text: "Office for Rivers", Company: true}},
		{"an employer has an organisation's word", Fact{Text: "Growers Cooperative", Company: true}},
		{"a title's area is no employer", Fact{Text: "Northern Region", IsUnit: true}},
		{"also one without a word for a part", Fact{Text: "EMEA", IsUnit: true}},
		{"a part of an employer has a word for it", Fact{Text: "Sales Division", IsUnit: true}},
		{"and a lean by its ending", Fact{Text: "Sales Department", IsUnit: true, lean: 0.7}},
		{"an organisation's word alone names a part", Fact{Text: "Rail", Company: true, IsUnit: true}},
		{"work on one's own account alone is no part", Fact{Text: "Freelance", Title: true, Company: true}},
		{"a legal form makes a part an employer", Fact{Text: "Sales Department Ltd", Legal: true, Company: true}},
		{"of a title's and an organisation's word one describes the other", Fact{Text: "Hotel Manager", Title: true}},
		{"partners give a firm its name", Fact{Text: "Fitch, Barlow and Carpenter", Company: true}},
		{"endings of unknown words lean to a title", Fact{Text: "Sprocket Stuffer", lean: 0.7}},
		{"signs of unknown words lean to an employer", Fact{Text: "Sprocket 42", lean: -0.7}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, New(tt.want.Text), cmp.AllowUnexported(Fact{}), cmpopts.EquateApprox(0, 0.01)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.because, diff)
		}
	}
}
