package recommend_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

var now = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

func newTestView(t testing.TB, docs ...roleindex.Doc) *roleindex.View {
	t.Helper()
	ix, err := roleindex.Open(roleindex.Build(byID(docs...)))
	if err != nil {
		t.Fatal(err)
	}
	return ix.View()
}

// byID returns documents by their ids; of several with one id, the last.
func byID(docs ...roleindex.Doc) map[string]*roleindex.Doc {
	all := map[string]*roleindex.Doc{}
	for i := range docs {
		all[docs[i].ID] = &docs[i]
	}
	return all
}

func candidateAda() recommend.Candidate {
	return recommend.Candidate{
		RoleTypes: []string{"backend_engineer"}, Locations: []string{"new_york"}, Workplaces: []string{"HYBRID", "REMOTE"},
		FundingRounds: []string{"SEED"}, CompanySizes: []string{"10 - 50 employees"}, ExcludedIndustries: []string{"gaming"},
		SalaryFloor: 100_000, SalaryTarget: 150_000, Skills: []string{"Go", "PostgreSQL", "café.js"}, Years: new(5.0),
	}
}

// idealRole is a role of which everything suits Ada.
func idealRole(id string, change func(*roleindex.Doc)) roleindex.Doc {
	d := roleindex.Doc{
		ID: id, PostedAt: now, Places: []string{"New York"}, Locations: []string{"new_york"}, RoleTypes: []string{"backend_engineer"},
		Industries: []string{"fintech"}, Workplace: "HYBRID", FundingRound: "SEED", Status: "ACTIVE", TechStack: []string{"go", "postgresql"},
		SalaryLower: 120_000, SalaryUpper: 160_000, YearsMin: 3, YearsMax: 8, CompanySize: 30,
		Flags: []roleindex.Flag{roleindex.VisaSponsorship},
	}
	if change != nil {
		change(&d)
	}
	return d
}

func rankDocs(t testing.TB, c recommend.Candidate, docs ...roleindex.Doc) []recommend.Recommendation {
	t.Helper()
	return recommend.Rank(newTestView(t, docs...), roleindex.Query{}, c.Criteria(now))
}

// TestScores takes one role through everything that can be said of it, and shows
// what it costs.
func TestScores(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		role func(*roleindex.Doc)
		who  func(*recommend.Candidate)
		want float64 // 0: not recommended
	}{
		"everything suits": {want: 1},
		"stack folded":     {role: func(d *roleindex.Doc) { d.TechStack = []string{"CAFÉ.JS"} }, want: 1},
		"half the stack":   {role: func(d *roleindex.Doc) { d.TechStack = []string{"Go", "Rust"} }, want: 0.9},
		"no stack listed":  {role: func(d *roleindex.Doc) { d.TechStack = nil }, want: 0.85},
		"an adjacent type": {role: func(d *roleindex.Doc) { d.RoleTypes = []string{"full_stack_engineer"} }, want: 0.8},
		"another type":     {role: func(d *roleindex.Doc) { d.RoleTypes = []string{"people_talent"} }, want: 0.6},
		"another type and stack": {role: func(d *roleindex.Doc) {
			d.RoleTypes = []string{"people_talent"}
			d.TechStack = nil
		}},
		"remote in the same region": {role: func(d *roleindex.Doc) {
			d.Locations = []string{"texas"}
			d.Workplace = "REMOTE"
		}, want: 0.98},
		"remote in another region": {role: func(d *roleindex.Doc) {
			d.Locations = []string{"india"}
			d.Workplace = "REMOTE"
		}},
		"hybrid in the same region": {role: func(d *roleindex.Doc) { d.Locations = []string{"texas"} }},
		"one of its places":         {role: func(d *roleindex.Doc) { d.Locations = []string{"india", "new_york"} }, want: 1},
		"no place":                  {role: func(d *roleindex.Doc) { d.Locations = nil }, want: 0.96},
		"anywhere for her":          {who: func(c *recommend.Candidate) { c.Locations = nil }, want: 0.96},
		"on site":                   {role: func(d *roleindex.Doc) { d.Workplace = "ON_SITE" }},
		"an unknown workplace":      {role: func(d *roleindex.Doc) { d.Workplace = "" }, want: 0.975},
		"an excluded industry":      {role: func(d *roleindex.Doc) { d.Industries = []string{"fintech", "gaming"} }},
		"below the floor": {role: func(d *roleindex.Doc) {
			d.SalaryLower = 60_000
			d.SalaryUpper = 99_000
		}},
		"at the floor": {role: func(d *roleindex.Doc) {
			d.SalaryLower = 60_000
			d.SalaryUpper = 100_000
		}, want: 0.96},
		"between floor and hope": {role: func(d *roleindex.Doc) { d.SalaryUpper = 125_000 }, want: 0.98},
		"more than is stored": {
			role: func(d *roleindex.Doc) {
				d.SalaryLower = 90_000_000
				d.SalaryUpper = 120_000_000
			},
			who: func(c *recommend.Candidate) {
				c.SalaryFloor = 80_000_000
				c.SalaryTarget = 100_000_000
			}, want: 1,
		},
		"no salary": {role: func(d *roleindex.Doc) {
			d.SalaryLower = 0
			d.SalaryUpper = 0
		}, want: 0.96},
		"a year and a half too few":  {who: func(c *recommend.Candidate) { c.Years = new(1.5) }, want: 0.96},
		"far too few years":          {who: func(c *recommend.Candidate) { c.Years = new(0.0) }, want: 0.92},
		"four years too many":        {who: func(c *recommend.Candidate) { c.Years = new(12.0) }, want: 0.96},
		"unknown years":              {who: func(c *recommend.Candidate) { c.Years = nil }, want: 0.96},
		"45 days old":                {role: func(d *roleindex.Doc) { d.PostedAt = now.AddDate(0, 0, -45) }, want: 0.98},
		"posted nobody knows when":   {role: func(d *roleindex.Doc) { d.PostedAt = time.Time{} }, want: 0.96},
		"a bigger company":           {role: func(d *roleindex.Doc) { d.CompanySize = 51 }, want: 0.97},
		"another round":              {role: func(d *roleindex.Doc) { d.FundingRound = "SERIES_C" }, want: 0.97},
		"an unknown round":           {role: func(d *roleindex.Doc) { d.FundingRound = "UNKNOWN" }, want: 0.985},
		"no visa is offered":         {role: func(d *roleindex.Doc) { d.Flags = nil }, want: 0.995},
		"no visa, and one is needed": {role: func(d *roleindex.Doc) { d.Flags = nil }, who: func(c *recommend.Candidate) { c.VisaNeeded = true }},
		"a visa is needed":           {who: func(c *recommend.Candidate) { c.VisaNeeded = true }, want: 1},
		"nothing is known of her":    {who: func(c *recommend.Candidate) { *c = recommend.Candidate{} }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			who := candidateAda()
			if c.who != nil {
				c.who(&who)
			}
			got := 0.0
			if found := rankDocs(t, who, idealRole("r1", c.role)); len(found) > 0 {
				got = found[0].Score
				if sum := found[0].Reasons.Score(); sum != got {
					t.Errorf("the reasons make %v, the score is %v", sum, got)
				}
			}
			if diff := got - c.want; diff > 1e-9 || diff < -1e-9 {
				t.Errorf("got %v; want %v", got, c.want)
			}
		})
	}
}

// TestOrder: strongest first, ties by Browse order, at most Most, and the bands.
func TestOrder(t *testing.T) {
	t.Parallel()
	var docs []roleindex.Doc
	for i := range 40 {
		docs = append(docs, idealRole(fmt.Sprintf("r%02d", i), func(d *roleindex.Doc) {
			d.BrowseRank = i
			if i%4 == 0 { // less than the others, whatever its rank
				d.RoleTypes = []string{"full_stack_engineer"}
				d.TechStack = []string{"Go", "Rust"}
			}
		}))
	}
	var got []string
	for _, r := range rankDocs(t, candidateAda(), docs[:18]...) {
		got = append(got, r.ID+" "+string(r.Band()))
	}
	want := []string{
		"r17 ENDORSED", "r15 ENDORSED", "r14 ENDORSED", "r13 ENDORSED", "r11 ENDORSED", "r10 ENDORSED", "r09 ENDORSED", "r07 ENDORSED",
		"r06 ENDORSED", "r05 ENDORSED", "r03 ENDORSED", "r02 ENDORSED", "r01 ENDORSED", "r16 SUGGESTED", "r12 SUGGESTED",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := len(rankDocs(t, candidateAda(), docs...)); n != recommend.MaxRecommendations {
		t.Errorf("%d roles; want %d", n, recommend.MaxRecommendations)
	}
}

// TestViewOfSeveralParts: what is changed and what one caller sees is ranked with the rest.
func TestViewOfSeveralParts(t *testing.T) {
	t.Parallel()
	docs := []roleindex.Doc{idealRole("r1", nil), idealRole("r2", nil), idealRole("r3", nil), idealRole("r4", func(d *roleindex.Doc) { d.Status = "PAUSED" })}
	better := idealRole("r2", func(d *roleindex.Doc) { d.BrowseRank = 9 })
	v := newTestView(t, docs...).Overlay(map[string]*roleindex.Doc{"r2": &better}).
		WithRolesFrom(newTestView(t, idealRole("r3", func(d *roleindex.Doc) { d.TechStack = []string{"Rust"} })), []string{"r3"})
	var got []string
	for _, r := range recommend.Rank(v, roleindex.Query{AnyOf: map[roleindex.Field][]string{roleindex.Status: {"ACTIVE"}}, Exclude: []string{"r5"}}, candidateAda().Criteria(now)) {
		got = append(got, r.ID)
	}
	if want := []string{"r2", "r1", "r3"}; !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

// TestReasons are told to operators by name.
func TestReasons(t *testing.T) {
	t.Parallel()
	found := rankDocs(t, candidateAda(), idealRole("r1", func(d *roleindex.Doc) {
		d.TechStack = []string{"Go", "Rust"}
		d.FundingRound = "SERIES_C"
	}))
	want := "[score=0.87 band=ENDORSED reasons=role type 0.40 of 0.40, skills 0.10 of 0.20, location 0.08 of 0.08, salary 0.08 of 0.08, " +
		"experience 0.08 of 0.08, workplace 0.05 of 0.05, freshness 0.04 of 0.04, company size 0.03 of 0.03, visa 0.01 of 0.01]"
	found[0].Score = math.Round(found[0].Score*1e6) / 1e6
	if got := found[0].LogValue().String(); got != want {
		t.Errorf("got %s; want %s", got, want)
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	got := recommend.SkillTerms("Node.js, C++ and Ruby on Rails. Go!", "ruby")
	want := []string{"node.js", "c++", "node.js c++", "and", "c++ and", "ruby", "and ruby", "ruby on", "rails", "on rails", "rails go"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTypesOf(t *testing.T) {
	t.Parallel()
	for title, want := range map[string][]string{
		"Senior Backend Engineer": {"backend_engineer"}, "Chief of Staff": {"chief_of_staff"}, "Baker": nil, "": nil,
		"AI Engineer / Data Engineer": {"ai_engineer", "data_engineer"},
	} {
		if got := recommend.RoleTypesOf(title); !slices.Equal(got, want) {
			t.Errorf("%q: got %q; want %q", title, got, want)
		}
	}
}

func FuzzTerms(f *testing.F) {
	f.Add("Node.js, C++ and Ruby on Rails")
	f.Add("\xff...---.. Ünïcode 漢字")
	f.Fuzz(func(t *testing.T, s string) {
		seen := map[string]bool{}
		for _, term := range recommend.SkillTerms(s) {
			if seen[term] || len(term) < 3 {
				t.Errorf("%q twice or too short", term)
			}
			seen[term] = true
		}
		recommend.RoleTypesOf(s)
	})
}

// TestOtherTypes: a role of another type is among the best as soon as it has a higher score than one
// of the sought type.
func TestOtherTypes(t *testing.T) {
	t.Parallel()
	weak := func(d *roleindex.Doc) { // 0.58
		d.TechStack = []string{"Rust"}
		d.PostedAt = now.AddDate(0, 0, -100)
		d.YearsMin = 40
		d.YearsMax = 0
		d.SalaryUpper = 100_000
		d.FundingRound = "SERIES_C"
		d.CompanySize = 3000
	}
	strong := func(d *roleindex.Doc) { weak(d); d.TechStack, d.SalaryUpper = nil, 130_000 } // more than 0.6
	docs := []roleindex.Doc{idealRole("other", func(d *roleindex.Doc) { d.RoleTypes = []string{"people_talent"} })}
	for name, change := range map[string]func(*roleindex.Doc){"weak": weak, "strong": strong} {
		all := slices.Clone(docs)
		for i := range recommend.MaxRecommendations {
			all = append(all, idealRole(fmt.Sprint("sought", i), change))
		}
		found := rankDocs(t, candidateAda(), all...)
		if first := found[0].ID == "other"; len(found) != recommend.MaxRecommendations || first != (name == "weak") {
			t.Errorf("beside %s roles: %q", name, summaries(found))
		}
	}
}
