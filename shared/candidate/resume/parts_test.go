package resume

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/background"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
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

func TestEducation(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want []background.Education
	}{
		{"BSc Computer Science, University of Leeds, 2012 – 2015", []background.Education{{School: "University of Leeds", Degree: "BSc Computer Science", Start: dates.Month{Year: 2012}, End: dates.Month{Year: 2015}}}},
		{"University of Leeds\nBSc Computer Science\n2015", []background.Education{{School: "University of Leeds", Degree: "BSc Computer Science", End: dates.Month{Year: 2015}}}},
		{"MBA\t2014 – 2016\nUniversity of Madras\nBachelor of Commerce\t2010 – 2013\nLoyola College, Chennai, India", []background.Education{
			{School: "University of Madras", Degree: "MBA", Start: dates.Month{Year: 2014}, End: dates.Month{Year: 2016}}, {School: "Loyola College", Degree: "Bachelor of Commerce", Start: dates.Month{Year: 2010}, End: dates.Month{Year: 2013}}}},
		{"Bachelor of Science, Nursing | Texas State University", []background.Education{{School: "Texas State University", Degree: "Bachelor of Science, Nursing"}}},
		{"Ashdown College, Great Hall\t2015 – 2018", []background.Education{{School: "Ashdown College, Great Hall", Degree: "", Start: dates.Month{Year: 2015}, End: dates.Month{Year: 2018}}}},
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
		found := Extract(newDocument("Maya Okafor\nExperience\n"+text+"\n- Built things."), asOf).Experiences
		want := []jobs.Experience{{Title: "Engineer", Company: "Acme Robotics", Start: dates.Month{Year: 2015}, End: dates.Month{Year: 2019}, Location: "Leeds, United Kingdom", Description: "Built things."}}
		if diff := cmp.Diff(want, found); diff != "" {
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
