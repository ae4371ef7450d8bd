package contract

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadEnums(t *testing.T) {
	t.Parallel()
	want := map[string]*Enum{"size": {Name: "size", Values: []string{"S", "1 to 10"}}, "kind": {Name: "kind", Values: []string{"A"}}}
	got := readEnums("size\n  S\n  1 to 10\nkind\n  A\n")
	_ = append(got["size"].Values, "M", "L") // no part of what follows
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Every line of the table is a name or a value below one, each name is there once, and has values.
func TestTheTableIsWellFormed(t *testing.T) {
	t.Parallel()
	read := 0
	for name, e := range enums {
		read += 1 + len(e.Values)
		if name == "" || len(e.Values) == 0 || slices.Contains(e.Values, "") {
			t.Errorf("%q has the values %q", name, e.Values)
		}
	}
	if lines := strings.Count(enumerationsText, "\n"); read != lines || strings.Contains(enumerationsText, "\t") {
		t.Errorf("%d lines have %d names and values; each line has one, without tabs", lines, read)
	}
}

// Each enumeration is listed with the fields and parameters that take it; those of the feed alone are not.
func TestListedEnumerationsNameTheirFields(t *testing.T) {
	t.Parallel()
	got := map[string][]string{}
	for _, e := range ListEnumerations().Enumerations {
		got[e.Name] = e.Fields
		if len(e.Fields) == 0 || len(e.Values) == 0 || !slices.IsSorted(e.Fields) {
			t.Errorf("%s: %d values, and the fields %v", e.Name, len(e.Values), e.Fields)
		}
	}
	want := map[string][]string{
		"accessLevel": {"accessLevel"}, "approvalStatus": {"approvalStatus"}, "errorType": {"error.type"}, "errorCode": {"error.code"},
		"submissionError": {"errorCode"}, "bulkError": {"code"}, "companySize": {"companySizePreferences"},
		"industry": {"excludedIndustries", "industries", "industry"}, "workplaceType": {"workplace", "workplaceType", "workplaceTypes"},
		"fundingRound":   {"fundingRound", "fundingRounds", "idealFundingRounds"},
		"applicationVia": nil, "roleVisibility": nil,
	}
	for name, fields := range want {
		if diff := cmp.Diff(fields, got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if len(got) != len(enums)-2 {
		t.Errorf("%d enumerations are listed of %d", len(got), len(enums))
	}
}

// A batch item and a rejected bulk item have codes of their own (contract, Submission batch).
func TestItemCodesAreListedApart(t *testing.T) {
	t.Parallel()
	want := []string{
		"invalid_email", "invalid_linkedin_url", "recruiter_not_found", "recruiter_deactivated", "invalid_resume_reference",
		"invalid_screening_call_link", "invalid_name", "enqueue_failed",
	}
	if diff := cmp.Diff(want, EnumByName("bulkError").Values); diff != "" {
		t.Errorf("of bulk items (-want +got):\n%s", diff)
	}
	items := EnumByName("submissionError")
	if len(items.Values) != 13 || items.Has("invalid_name") || items.Has("invalid_screening_call_link") {
		t.Errorf("of batch items: %v", items.Values)
	}
}

// A role is recommended for eight reasons; the industry of its company is none
// (contract, recommended-roles).
func TestReasonsOfRecommendations(t *testing.T) {
	t.Parallel()
	want := []string{"role_type", "skills", "location", "workplace", "salary", "experience", "funding_round", "company_size"}
	if diff := cmp.Diff(want, EnumByName("recommendationReason").Values); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
