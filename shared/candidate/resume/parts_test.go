package resume

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSkills(t *testing.T) {
	t.Parallel()
	checkSkills(t, []skillTest{
		{"listed", "Skills\nGolang, k8s; Postgres | C++ • .NET, Node.js", []string{"Go", "Kubernetes", "PostgreSQL", "C++", ".NET", "Node.js"}},
		{"short names count where they are listed", "Skills\nGo, R, C, SQL", []string{"Go", "R", "C", "SQL"}},
		{"short names are words elsewhere", "Experience\nWe go on and express a spring in word and deed, with R and C", nil},
		{"mentioned only", "Experience\nBuilt services with Kubernetes and PostgreSQL on AWS", []string{"Kubernetes", "PostgreSQL", "AWS"}},
		{"listed skills beat mentioned ones", "Skills\nRust, Python, Docker\nExperience\nused Kubernetes", []string{"Rust", "Python", "Docker"}},
		{"words, not parts of words", "Skills\nJavaScript, Scalability, Phpstorm, Excellence", []string{"JavaScript", "Scalability", "Phpstorm", "Excellence"}},
		{"labels", "Skills\nDatabases: MySQL, Redis\nLanguages: Go, SQL", []string{"MySQL", "Redis", "Go", "SQL"}},
		{"torn by a line's end", "Skills\nWound Care, Electronic Health\nRecords, Triage", []string{"Wound Care", "Electronic Health Records", "Triage"}},
		{"in brackets", "Skills\nCloud (AWS, Azure), Excel (advanced)", []string{"Cloud", "AWS", "Azure", "Microsoft Excel"}},
		{"heading beside its text", "Skills: Go, SQL, Rust", []string{"Go", "SQL", "Rust"}},
	})
}

// skillTest is the lines of a resume below its name, and the skills that they tell.
type skillTest struct {
	name, text string
	want       []string
}

func checkSkills(t *testing.T, tests []skillTest) {
	t.Helper()
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Extract(newDocument("Maya Okafor\n"+tt.text), asOf).Skills); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestSkillListIsSound(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for key, s := range skillsByName() {
		names[s.name] = true
		if words := len(strings.Fields(key)); key == "" || words > maxSkillWords {
			t.Errorf("%q has %d words, of which at most %d are looked at", s.name, words, maxSkillWords)
		}
	}
	if len(names) < 1000 {
		t.Errorf("%d skills, want at least 1,000", len(names))
	}
	for _, line := range strings.Split(strings.TrimSpace(skillList), "\n") {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "!"), "|")
		if s := skillsByName()[skillKey(first)]; !strings.HasPrefix(line, "//") && s.name != first {
			t.Errorf("%q is listed twice: it counts as %q", first, s.name)
		}
	}
}

func TestEducation(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want []Education
	}{
		{"BSc Computer Science, University of Leeds, 2012 – 2015", []Education{{"University of Leeds", "BSc Computer Science", Month{Year: 2012}, Month{Year: 2015}}}},
		{"University of Leeds\nBSc Computer Science\n2015", []Education{{"University of Leeds", "BSc Computer Science", Month{}, Month{Year: 2015}}}},
		{"MBA\t2014 – 2016\nUniversity of Madras\nBachelor of Commerce\t2010 – 2013\nLoyola College, Chennai, India", []Education{
			{"University of Madras", "MBA", Month{Year: 2014}, Month{Year: 2016}}, {"Loyola College", "Bachelor of Commerce", Month{Year: 2010}, Month{Year: 2013}}}},
		{"Bachelor of Science, Nursing | Texas State University", []Education{{"Texas State University", "Bachelor of Science, Nursing", Month{}, Month{}}}},
		{"Ashdown College, Certified Barrel Maker – Leeds, UK\t2015 – 2018", []Education{{"Ashdown College", "Certified Barrel Maker", Month{Year: 2015}, Month{Year: 2018}}}},
		{"Ashdown College, Great Hall\t2015 – 2018", []Education{{"Ashdown College, Great Hall", "", Month{Year: 2015}, Month{Year: 2018}}}},
		{"Graduated with honours, captain of the chess team.", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Extract(newDocument("Maya Okafor\nEducation\n"+tt.text), asOf).Education); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestJobLocations(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Engineer, Acme Robotics, Leeds, United Kingdom\n2015 – 2019", "Engineer at Acme Robotics\n2015 – 2019 | Leeds, United Kingdom",
		"Acme Robotics\tLeeds, United Kingdom\nEngineer\t2015 – 2019", "2015 – 2019\nLeeds, United Kingdom\nEngineer at Acme Robotics",
	} {
		jobs := Extract(newDocument("Maya Okafor\nExperience\n"+text+"\n- Built things."), asOf).Experiences
		want := []Experience{{Title: "Engineer", Company: "Acme Robotics", Start: Month{Year: 2015}, End: Month{Year: 2019}, Location: "Leeds, United Kingdom", Description: "Built things."}}
		if diff := cmp.Diff(want, jobs); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestRepeatedPeriod(t *testing.T) {
	t.Parallel()
	text := "Engineer, Acme Robotics\nMay 2015 – June 2019\n- Built things.\nMay 2015 – June 2019\nAnalyst, Borealis Foods\nMay 2012 – April 2015\n- Counted things.\nMay 2012 – April 2015"
	if jobs := Extract(newDocument("Maya Okafor\nExperience\n"+text), asOf).Experiences; len(jobs) != 2 {
		t.Errorf("got %d jobs, want 2: %+v", len(jobs), jobs)
	}
}

func TestYears(t *testing.T) {
	t.Parallel()
	now := Month{2026, 6}
	job := func(start, end Month) Experience { return Experience{Start: start, End: end, Current: end == Month{}} }
	tests := []struct {
		name string
		jobs []Experience
		want float64
	}{
		{"one", []Experience{job(Month{2020, 1}, Month{2020, 12})}, 1},
		{"two at once", []Experience{job(Month{2020, 1}, Month{2021, 12}), job(Month{2020, 6}, Month{2021, 6})}, 2},
		{"with a gap", []Experience{job(Month{2020, 1}, Month{2020, 12}), job(Month{2022, 1}, Month{2022, 6})}, 1.5},
		{"running", []Experience{job(Month{2025, 7}, Month{})}, 1},
		{"years only", []Experience{job(Month{Year: 2015}, Month{Year: 2018})}, 3},
		{"in the future", []Experience{job(Month{2026, 1}, Month{2030, 1})}, 0.5},
		{"none", nil, 0},
	}
	for _, tt := range tests {
		if got := countYears(tt.jobs, now); got != tt.want {
			t.Errorf("%s: %v years, want %v", tt.name, got, tt.want)
		}
	}
}

// However jobs overlap, the union is no more than the time they span, and no less than the longest.
func TestYearsAreAUnion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var jobs []Experience
		longest := 0.0
		for range rapid.IntRange(1, 8).Draw(t, "jobs") {
			start := Month{rapid.IntRange(1990, 2020).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month")}
			end := Month{start.Year + rapid.IntRange(0, 5).Draw(t, "years"), 12}
			jobs = append(jobs, Experience{Start: start, End: end})
			longest = max(longest, countYears(jobs[len(jobs)-1:], Month{2026, 6}))
		}
		if got := countYears(jobs, Month{2026, 6}); got < longest || got > 36.5 {
			t.Fatalf("%v years of %v, the longest is %v", got, jobs, longest)
		}
	})
}

func TestLanguagesAndConfidence(t *testing.T) {
	t.Parallel()
	f := Extract(newDocument("Maya Okafor\nmaya@example.com\nLanguages\nEnglisch (C2), 日本語, Twi\nReferences\nFrench Consulate"), asOf)
	if diff := cmp.Diff([]string{"English", "Japanese", "Twi"}, f.Languages); diff != "" {
		t.Errorf("languages (-want +got):\n%s", diff)
	}
	if f.Confidence["name"] != 0.95 || f.Confidence["emails"] != 0.99 {
		t.Errorf("confidence %v", f.Confidence)
	}
	if diff := cmp.Diff([]string{"no experience was found"}, f.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
