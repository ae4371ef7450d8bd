package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The keys that drawing a person and a style reads of every language.
var neededKeys = []string{"code", "region", "now", "duration", "experience", "education", "skills", "tongues", "summary", "contact", "personal", "interests", "columns", "labels",
	"vitae", "people", "titles", "companies", "places", "schools", "degrees", "levels", "speaks", "bullets", "profile", "hobbies", "long", "short"}

func TestLanguagesAreComplete(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"languages", "heldout/languages"} {
		for code, l := range readLanguages(dir) {
			for _, key := range neededKeys {
				if len(l.values(key)) == 0 {
					t.Errorf("%s of %s: no %s", code, dir, key)
				}
			}
			for _, spoken := range l.values("speaks") {
				if code, _, _ := strings.Cut(spoken, "="); englishName(code) == "" {
					t.Errorf("%s of %s: no English name", code, dir)
				}
			}
			if len(l.values("long")) != 12 || len(l.values("short")) != 12 || len(l.values("labels")) != 4 || len(l.values("columns")) != 3 {
				t.Errorf("%s of %s: wrong number of values", code, dir)
			}
		}
	}
}

// makeText writes the files of a few plans that need Go alone.
func makeText(t *testing.T) []truth {
	t.Helper()
	plans := setFlags{}.plan()
	dir := t.TempDir()
	plans = slices.DeleteFunc(plans, func(p plan) bool { return p.format == "pdf" || p.code != "en" })
	for _, p := range plans[:12] {
		if err := p.write(dir, &engineWork{}); err != nil {
			t.Fatal(err)
		}
	}
	truths, err := readTruths(dir)
	if err != nil {
		t.Fatal(err)
	}
	return truths
}

func TestSameSeedMakesSameFiles(t *testing.T) {
	t.Parallel()
	first := makeText(t)
	second := makeText(t)
	for i := range first {
		a, err := os.ReadFile(first[i].File)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(second[i].File)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs", filepath.Base(first[i].File))
		}
	}
}

// The truth says what the file shows: it is all in the file's text, as the reader reads it.
func TestTruthIsInTheFile(t *testing.T) {
	t.Parallel()
	for _, want := range makeText(t) {
		got, err := readFile(want.File)
		if err != nil {
			t.Fatal(err)
		}
		values := want.stated().listStated()
		for _, value := range slices.Concat(values, []string{want.Email}, want.Skills, want.Languages) {
			if !isWithin(value, got.text) {
				t.Errorf("%s does not say %q", filepath.Base(want.File), value)
			}
		}
		if r := compareFile(want, got, newTrust()); r.tallies["e-mail"].right != 1 {
			t.Errorf("%s: the reader finds %v, want %s", filepath.Base(want.File), got.Emails, want.Email)
		}
	}
}

// What a page of a theme does not show is left out of the truth.
func TestTruthLacksWhatPageLeavesOut(t *testing.T) {
	t.Parallel()
	plans := setFlags{HeldOut: true}.plan()
	who := drawPerson(plans[0].language, plans[0].random)
	s := drawStyle(plans[0].family, plans[0].language, plans[0].random)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte("<style>"+who.Email+"</style><h1>"+who.Name+"</h1><i>"+who.Studies[0].Degree+"</i>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := pruneTruth(newTruth(who, s, plans[0]), who, file, file); err != nil {
		t.Fatal(err)
	}
	truths, err := readTruths(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	got := truths[0]
	if got.Name != who.Name || got.Studies[0].Degree != who.Studies[0].Degree {
		t.Errorf("the truth lacks what the page shows: %+v", got)
	}
	if got.Email != "" || got.LinkedIn != "" || got.Skills != nil || got.Languages != nil {
		t.Errorf("the truth has what the page does not show: %+v", got)
	}
	if r := compareFile(got, found{}, newTrust()); r.tallies["e-mail"].want != 0 {
		t.Error("values that the page does not show are counted as missed")
	}
}

// The held-out families and languages are in no other set.
func TestHeldOutSetHasItsOwn(t *testing.T) {
	t.Parallel()
	plans := setFlags{HeldOut: true}.plan()
	if len(plans) != 480 {
		t.Errorf("it has %d files, want 480", len(plans))
	}
	own := []string{"yamlresume", "latexclass"}
	for _, p := range plans {
		if p.heldOut != "language" && (p.heldOut != "family" || !slices.Contains(own, p.family.Name)) {
			t.Errorf("%s is held out as %q", p.name, p.heldOut)
		}
	}
}

// The columns have the values that a truth states, each of them.
func TestColumnsOfATruth(t *testing.T) {
	t.Parallel()
	stated := truth{
		Name: "Ada Quill", Email: "ada@example.com", LinkedIn: "https://www.linkedin.com/in/ada-quill",
		Jobs: []truthJob{
			{"Cook", "Old Mill", "2015-03", "2017"},
			{"Sous Chef", "Harbour Inn", "2018-Q2", ""},
		},
		Studies: []study{{School: "Culinary College", Degree: "Diploma"}, {School: "Evening School", Degree: ""}},
		Skills:  []string{"Baking", "Planning"}, Languages: []string{"English", "Welsh"},
	}
	got := map[string][]string{}
	for _, column := range fields {
		got[column.name] = column.values(stated.stated())
	}
	want := map[string][]string{
		"name":            {"Ada Quill"},
		"e-mail":          {"ada@example.com"},
		"LinkedIn":        {"https://www.linkedin.com/in/ada-quill"},
		"current title":   {"Sous Chef"},
		"current company": {"Harbour Inn"},
		"jobs":            {"Cook | Old Mill | 2015-03 – 2017", "Sous Chef | Harbour Inn | 2018-Q2 – "},
		"dates":           {"Cook | Old Mill | 2015-03 – 2017", "Sous Chef | Harbour Inn | 2018-Q2 – "},
		"schools":         {"Culinary College", "Evening School"},
		"degrees":         {"Diploma", ""},
		"skills":          {"Baking", "Planning"},
		"languages":       {"English", "Welsh"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func newTrust() *trust { return &trust{rated: make(map[string][3]tally)} }

// A parser that finds the truth is right in everything, one that finds nothing in nothing.
func TestScorerKnowsRightFromWrong(t *testing.T) {
	t.Parallel()
	for _, want := range makeText(t) {
		all := want.stated()
		all.jobs = slices.Clone(all.jobs)
		for i, j := range want.Jobs {
			all.jobs[i].Start, _, _ = strings.Cut(j.Start, "-Q")
			all.jobs[i].End, _, _ = strings.Cut(j.End, "-Q")
		}
		for field, got := range compareFile(want, all, newTrust()).tallies {
			if got.right != got.want || got.got != got.want || got.alike != got.want {
				t.Errorf("%s: %s is %+v for a perfect parser", filepath.Base(want.File), field, got)
			}
		}
		for field, got := range compareFile(want, found{}, newTrust()).tallies {
			if got.right+got.alike+got.got > 0 {
				t.Errorf("%s: %s is %+v for an empty parser", filepath.Base(want.File), field, got)
			}
		}
	}
}

func TestEqualities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, got     string
		strict, alike bool
	}{
		{"Vice President, Sales", "VICE PRESIDENT,  Sales", true, true},
		{"Vice President, Sales", "Vice President", false, true},
		{"Halloway & Finch LLP", "Halloway – Finch", false, true},
		{"Priya Raghunathan", "Raghunathan, Priya", false, true},
		{"株式会社青空システム", "青空システム", false, true},
		{"Sous Chef", "Head Chef", false, false},
		{"Sous Chef", "", false, false},
	} {
		if isEqual(c.want, c.got) != c.strict || isAlike(c.want, c.got) != c.alike {
			t.Errorf("%q and %q: strict %v, lenient %v", c.want, c.got, !c.strict, !c.alike)
		}
	}
	for _, c := range []struct {
		want, got string
		same      bool
	}{{"2019", "2019", true}, {"2019", "2019-01", false}, {"2019-Q2", "2019-05", true}, {"2019-Q2", "2019", true}, {"2019-Q2", "2019-07", false}, {"", "", true}} {
		if isSameMonth(c.want, c.got) != c.same {
			t.Errorf("%q and %q: %v", c.want, c.got, !c.same)
		}
	}
}

// Errors of a field that the table does not have are refused, not left out.
func TestErrorsOfUnknownField(t *testing.T) {
	t.Parallel()
	for name, isKnown := range map[string]bool{"": true, "jobs": true, "e-mail": true, "email": false} {
		err := scoreCommand{Errors: name}.Validate()
		if (err == nil) != isKnown || err != nil && !strings.Contains(err.Error(), "name, e-mail, LinkedIn") {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

// A file without a value of a property counts in no row of it.
func TestFilesCountInTheRowsOfTheirValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		truth truth
		want  []string
	}{
		{truth{Language: "en", Format: "pdf"}, []string{"all", "", "English", "English, PDF", "", "format pdf", "", "language en"}},
		{truth{Language: "de", HeldOut: "family", Family: "letter"}, []string{"all", "held-out family", "other languages", "", "", ""}},
	} {
		if got := tt.truth.listClasses(); !slices.Equal(got, tt.want) {
			t.Errorf("%+v counts in %q; want %q", tt.truth, got, tt.want)
		}
	}
}
