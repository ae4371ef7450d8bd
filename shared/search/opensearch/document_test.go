package opensearch

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// TestStoredDocumentsAreRankedAsTheirRoles fails if a role that a domain returns lacks a value by which it is ranked.
func TestStoredDocumentsAreRankedAsTheirRoles(t *testing.T) {
	t.Parallel()
	posted := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		doc   roleindex.Doc
		share float64
	}{
		"empty": {doc: roleindex.Doc{ID: "a"}},
		"full": {share: 0.5, doc: roleindex.Doc{
			ID: "b", Name: "Engineer", Company: "Lumenfold", BrowseRank: 7, PostedAt: posted, UpdatedAt: posted,
			Locations: []string{"uk", "boston"}, RoleTypes: []string{"ai_engineer"}, Industries: []string{"ai"}, TechStack: []string{"Go", "ｇｏ", "a:b"},
			Workplace: "REMOTE", FundingRound: "SEED", CompanyTier: "TIER_1", Density: "HIGH", Status: "ACTIVE",
			SalaryLower: 100_000, SalaryUpper: 150_000, YearsMin: 2.5, YearsMax: 6, FeePercent: 17.5, CompanySize: 40,
			Flags: []roleindex.Flag{roleindex.VisaSponsorship, roleindex.SelfServeClosed},
		}},
	} {
		sent := newDocument(&tt.doc, forStrangers, false)
		raw, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		var stored document
		if err := json.Unmarshal(raw, &stored); err != nil {
			t.Fatal(err)
		}
		read := stored.Doc()
		got := read.Entry()
		want := tt.doc.Entry()
		want.Terms = got.Terms
		want.Title = got.Title
		want.Company = got.Company
		want.Pairs = got.Pairs // texts are only searched
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if stored.SkillShare != tt.share {
			t.Errorf("%s: a skill is %v of the stack, want %v", name, stored.SkillShare, tt.share)
		}
	}
}
