package background

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
)

// read returns text split at its headings.
func read(text string) []heading.Block {
	return heading.Split([][]string{strings.Split(text, "\n")}, document.Markup{})
}

func readStudies(text string) []Education {
	return FindEducation(read(text))
}

func TestEducation(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want []Education
	}{
		{"BSc Computer Science, University of Leeds, 2012 – 2015", []Education{{School: "University of Leeds", Degree: "BSc Computer Science", Start: dates.Month{Year: 2012}, End: dates.Month{Year: 2015}}}},
		{"University of Leeds\nBSc Computer Science\n2015", []Education{{School: "University of Leeds", Degree: "BSc Computer Science", End: dates.Month{Year: 2015}}}},
		{"MBA\t2014 – 2016\nUniversity of Madras\nBachelor of Commerce\t2010 – 2013\nLoyola College, Chennai, India", []Education{
			{School: "University of Madras", Degree: "MBA", Start: dates.Month{Year: 2014}, End: dates.Month{Year: 2016}}, {School: "Loyola College", Degree: "Bachelor of Commerce", Start: dates.Month{Year: 2010}, End: dates.Month{Year: 2013}}}},
		{"Bachelor of Science, Nursing | Texas State University", []Education{{School: "Texas State University", Degree: "Bachelor of Science, Nursing"}}},
		{"Ashdown College, Great Hall\t2015 – 2018", []Education{{School: "Ashdown College, Great Hall", Degree: "", Start: dates.Month{Year: 2015}, End: dates.Month{Year: 2018}}}},
		{"Graduated with honours, captain of the chess team.", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, readStudies("Maya Okafor\nEducation\n"+tt.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// Classes of courses of study, as "degree | school".
func TestStudiesOfAnyStructure(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lines string
		want  []string
	}{
		"a colon":                          {"Ashdown University: MSc in Physics\n2010 – 2014", []string{"MSc in Physics | Ashdown University"}},
		"the place in brackets":            {"BA (History) – Ashdown University (Leeds)\n2010 – 2014", []string{"BA (History) | Ashdown University"}},
		"notes":                            {"BSc Physics\nAshdown University\n2010 – 2014\nMinor in Philosophy\nRelevant coursework: Statistics, Ethics\nFirst-class honours", []string{"BSc Physics | Ashdown University"}},
		"a school of unknown words":        {"Ravenspur\nBSc Physics\n2010 – 2014\nTern Hall\nBA History\n2007 – 2010", []string{"BSc Physics | Ravenspur", "BA History | Tern Hall"}},
		"dates below":                      {"Ashdown University\nBSc Physics\n2010 – 2014\nTern Hall\nBA History\n2007 – 2010", []string{"BSc Physics | Ashdown University", "BA History | Tern Hall"}},
		"a school behind its field":        {"BSc in Physics, Tern Hall\n2010 – 2014", []string{"BSc in Physics | Tern Hall"}},
		"a degree at a school":             {"BSc Physics at Ashdown College\n2010 – 2014", []string{"BSc Physics | Ashdown College"}},
		"a line that ends open":            {"BSc in\nMarine Ecology\nInstitute of\nMaritime Studies\n2010 – 2014", []string{"BSc in Marine Ecology | Institute of Maritime Studies"}},
		"a slash":                          {"BSc Physics / Ashdown College\n2010 – 2014", []string{"BSc Physics | Ashdown College"}},
		"a broken name":                    {"BSc in Physics, Tern Hill\t2010 – 2014\nCommunity College\nAshdown\t2007 – 2010\nHigh School\nA Levels", []string{"BSc in Physics | Tern Hill Community College", "A Levels | Ashdown High School"}},
		"a degree named for schools above": {"High School Diploma\nAshdown College\n2010 – 2014", []string{"High School Diploma | Ashdown College"}},
		"no gap":                           {"Ashdown College BSc Physics\t2010 – 2014", []string{"BSc Physics | Ashdown College"}},
		"a degree named for schools":       {"Ashdown College\nHigh School Diploma\n2010 – 2014", []string{"High School Diploma | Ashdown College"}},
		"a final point":                    {"2010 – 2014\tBSc Physics, Institute of Marine Sciences of Wickling.\n2007 – 2010\tB.A., Tern College", []string{"BSc Physics | Institute of Marine Sciences of Wickling", "B.A. | Tern College"}},
		"a school with its place":          {"BSc Physics, University of Wickling, Denver\t2010 – 2014", []string{"BSc Physics | University of Wickling, Denver"}},
		"a school of a university":         {"School of Law, Ashdown University\nLL.M.\t2010 – 2014", []string{"LL.M. | School of Law, Ashdown University"}},
		"a place that is named so":         {"Tern State University, University Park\nBA History\t2010 – 2014", []string{"BA History | Tern State University, University Park"}},
		"a field alone, still studied":     {"Ashdown University\nMarine Ecology\n2021 – Present", []string{"Marine Ecology | Ashdown University"}},
		"commas without a text between":    {"BSc, , Physics, Ashdown University\n2010 – 2014", []string{"BSc, Physics | Ashdown University"}},
		"a comma at the end":               {"BSc Physics,\nAshdown University\n2010 – 2014", []string{"BSc Physics | Ashdown University"}},
		"a field alone":                    {"Ashdown University\nMarine Ecology\n2010 – 2014", []string{"Marine Ecology | Ashdown University"}},
	} {
		var got []string
		for _, e := range readStudies("Maya Okafor\nEducation\n" + test.lines) {
			got = append(got, e.Degree+" | "+e.School)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, "; "), strings.Join(test.want, "; "))
		}
	}
}

// The dates of the next entry are not those of a study that goes on.
func TestStudiesThatGoOn(t *testing.T) {
	t.Parallel()
	got := readStudies("Maya Okafor\nEducation\nMSc Physics, Tern University\n2021 – Present\nBSc Maths, Ashdown University 2018 – 2021")
	want := []Education{
		{School: "Tern University", Degree: "MSc Physics", Start: dates.Month{Year: 2021}},
		{School: "Ashdown University", Degree: "BSc Maths", Start: dates.Month{Year: 2018}, End: dates.Month{Year: 2021}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("studies (-want +got):\n%s", diff)
	}
}
