package background

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

func readSkills(text string) []string {
	found, _ := FindSkills(read(text), "Maya Okafor")
	return found
}

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

// skillTest is the lines of a resume below its name, and the skills to be read from them.
type skillTest struct {
	name, text string
	want       []string
}

func checkSkills(t *testing.T, tests []skillTest) {
	t.Helper()
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, readSkills("Maya Okafor\n"+tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Skills that skills.txt lacks are reported as written in the skills section.
func TestWrittenSkills(t *testing.T) {
	t.Parallel()
	checkSkills(t, []skillTest{
		{"commas", "Skills\nReport Writing, Fibre Optics, Manual Handling", []string{"Report Writing", "Fibre Optics", "Manual Handling"}},
		{"lines", "Key Skills\nSEN support\nPhonics\nSafeguarding", []string{"SEN support", "Phonics", "Safeguarding"}},
		{"levels behind dashes", "Skills\nSlinging – Advanced\nPhonics – very good\nTatting - 5 years", []string{"Slinging", "Phonics", "Tatting"}},
		{"levels in cells", "Skills\nSlinging\tAdvanced\nPhonics\tBasic\nTatting\tAdvanced", []string{"Slinging", "Phonics", "Tatting"}},
		{"levels of unknown words are repeated", "Skills\nSlinging\tUpper\nPhonics\tLower\nTatting\tUpper\nTrug making\tLower", []string{"Slinging", "Phonics", "Tatting", "Trug making"}},
		{"levels as headings", "Skills\nExpert\nSlinging, Tatting\nAdvanced\nPhonics, Trug making", []string{"Slinging", "Tatting", "Phonics", "Trug making"}},
		{"ratings", "Skills\nSlinging ★★★★☆\nPhonics 4/5\nTatting 80 %", []string{"Slinging", "Phonics", "Tatting"}},
		{"colons without a list", "Skills\n- Slinging:\n- Phonics:\n- Tatting: 4/5", []string{"Slinging", "Phonics", "Tatting"}},
		{"labels", "Skills\nDatabases: PostgreSQL, Quxbase\nMethods: Scrum, Crystal Clear", []string{"PostgreSQL", "Quxbase", "Scrum", "Crystal Clear"}},
		{"labels in cells", "Technical Skills\nLanguages\tGo, Rust\nTools\tQuxbase, Tatter", []string{"Go", "Rust", "Quxbase", "Tatter"}},
		{"a label that is a skill", "Skills\nPhotoshop: retouching\nGo, SQL", []string{"retouching", "Adobe Photoshop", "Go", "SQL"}},
		{"common words that belong to an item", "Skills\nSpring cleaning, Excel in teams, C# 12", []string{"Spring cleaning", "Excel in teams", "C#"}},
		{"numbers", "Skills\n1. Slinging\n2. Phonics\n3) Tatting", []string{"Slinging", "Phonics", "Tatting"}},
		{"ticks", "Skills\n✔ Slinging\n✔ Phonics\n✓ Tatting", []string{"Slinging", "Phonics", "Tatting"}},
		{"quotation marks", "Skills\n\"Slinging\", “Phonics”, «Tatting», 'Rush work'", []string{"Slinging", "Phonics", "Tatting", "Rush work"}},
		{"slashes", "Skills\nSlinging/Phonics/Tatting, Trug making / Rush work", []string{"Slinging", "Phonics", "Tatting", "Trug making", "Rush work"}},
		{"years behind dashes", "Skills\nSlinging - 4 years, Phonics - 2 years, Tatting - 1 year", []string{"Slinging", "Phonics", "Tatting"}},
		{"dates in brackets", "Skills\nSlinging (since 2015), Phonics (2018), Tatting (2018 – 2020)", []string{"Slinging", "Phonics", "Tatting"}},
		{"labels of languages", "Personal Skills\nMother tongue(s)\tEnglish\nOther languages\tFrench B2\nDigital skills\tQuxbase, Tatter", []string{"Quxbase", "Tatter"}},
		{"German", "Kenntnisse\nWareneingang, Staplerschein, MS Office (sehr gut)", []string{"Wareneingang", "Staplerschein", "Microsoft Office"}},
		{"Russian", "Навыки\n1С:Бухгалтерия, Сметное дело, Делопроизводство", []string{"1С:Бухгалтерия", "Сметное дело", "Делопроизводство"}},
		{"Chinese", "技能\n护理记录、静脉输液、急救、英语", []string{"护理记录", "静脉输液", "急救"}},
		{"no languages, numbers or years", "Skills\nEnglish (fluent), Slinging, Phonics, Tatting, 2019, 10+ years", []string{"Slinging", "Phonics", "Tatting"}},
		{"no addresses, places or names", "Skills\nSlinging\nPhonics\nTatting\n+44 20 7946 0000\nmaya@example.com\nexample.com/maya https://example.com\nLondon\nMaya Okafor\nPage 1 of 2", []string{"Slinging", "Phonics", "Tatting"}},
		{"no sentences", "Skills\nExperienced in planning budgets, working with donors and writing reports for the board. Used to leading teams of ten.", nil},
		{"no jobs of a heading that was not understood", "Skills\nWelder, Bluestem Ltd, 2019 – 2021\nForged gates\nSlinging", nil},
		{"beside a job", "Experience\nClerk, Bluestem Ltd, 2019 – 2021\nTechnologies: Quxbase, Tatter, Go", []string{"Quxbase", "Tatter", "Go"}},
	})
}

// Whatever a section holds, a skill is one of skills.txt or stands in the text, no longer than it may be.
func TestSkillsStandInTheText(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for _, s := range words.SkillsByName() {
		names[s.Name] = true
	}
	item := rapid.OneOf(rapid.SampledFrom([]string{"Go", "Excel", "Slinging", "Report", "Writing", "Expert", "5 years", "2019 – 2021", "急救", "Сметное дело", "maya@example.com", "★★", "80 %", "and", "–"}), rapid.String())
	mark := rapid.SampledFrom([]string{", ", "\n", "\n• ", " ", ": ", "\t", " – ", "/", "; "})
	rapid.Check(t, func(t *rapid.T) {
		text := "Skills\n"
		for range rapid.IntRange(1, 30).Draw(t, "items") {
			text += item.Draw(t, "item") + mark.Draw(t, "mark")
		}
		var lines []string
		for _, b := range read(text) {
			lines = append(lines, b.Lines...)
		}
		whole := strings.Join(lines, " ")
		for _, s := range readSkills(text) {
			if !names[s] && (!strings.Contains(whole, s) || len([]rune(s)) > 40) {
				t.Fatalf("%q is told of %q", s, whole)
			}
		}
	})
}
