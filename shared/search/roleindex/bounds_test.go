package roleindex_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Each bound accepts the number that equals it, and not the next one beyond it.
func TestNumberBounds(t *testing.T) {
	t.Parallel()
	posted := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	doc := func(id string) roleindex.Doc {
		return roleindex.Doc{
			ID: id, PostedAt: posted, SalaryLower: 90_000, SalaryUpper: 120_000, YearsMin: 2, YearsMax: 5.5, CompanySize: 10, FeePercent: 12.5,
		}
	}
	unknown := roleindex.Doc{ID: "unknown", PostedAt: posted}
	rich := doc("rich")
	rich.SalaryUpper = 998_500
	almost := doc("almost")
	almost.SalaryUpper = 998_499
	index, err := roleindex.Open(roleindex.Build(roleindex.ByID(doc("plain"), unknown, rich, almost)))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		query roleindex.Query
		want  string
	}{
		"none":                       {roleindex.Query{}, "almost plain rich unknown"},
		"salary at the upper end":    {roleindex.Query{MinSalary: new(int64(120_000))}, "almost plain rich"},
		"salary above it":            {roleindex.Query{MinSalary: new(int64(121_000))}, "almost rich"},
		"salary at the lower end":    {roleindex.Query{MaxSalary: new(int64(90_000))}, "almost plain rich"},
		"salary below it":            {roleindex.Query{MaxSalary: new(int64(89_000))}, ""},
		"salary over the cap":        {roleindex.Query{MinSalary: new(int64(5_000_000))}, "rich"},
		"years at the most":          {roleindex.Query{MinYears: new(5.5)}, "almost plain rich unknown"},
		"years above it":             {roleindex.Query{MinYears: new(5.6)}, "unknown"},
		"years at the least":         {roleindex.Query{MaxYears: new(2.0)}, "almost plain rich unknown"},
		"years below it":             {roleindex.Query{MaxYears: new(1.9)}, "unknown"},
		"at least the company's":     {roleindex.Query{MinCompanySize: new(int64(10))}, "almost plain rich"},
		"more than the company's":    {roleindex.Query{MinCompanySize: new(int64(11))}, ""},
		"at most the company's":      {roleindex.Query{MaxCompanySize: new(int64(10))}, "almost plain rich"},
		"fewer than the company's":   {roleindex.Query{MaxCompanySize: new(int64(9))}, ""},
		"the fee":                    {roleindex.Query{MinFeePercent: new(12.5)}, "almost plain rich"},
		"more than the fee":          {roleindex.Query{MinFeePercent: new(12.51)}, ""},
		"any fee":                    {roleindex.Query{MinFeePercent: new(0.0)}, "almost plain rich"},
		"posted since the hour":      {roleindex.Query{PostedSince: posted}, "almost plain rich unknown"},
		"posted since the next hour": {roleindex.Query{PostedSince: posted.Add(time.Hour)}, ""},
	} {
		var ids []string
		for _, row := range index.View().Search(tt.query).Rows {
			ids = append(ids, row.ID)
		}
		slices.Sort(ids)
		if got := strings.Join(ids, " "); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
