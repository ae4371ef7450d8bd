package jobs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJoinWrappedHeads(t *testing.T) {
	t.Parallel()
	const whole = "Tern Ltd,\tCooper – Leeds, UK\t2014 – 2016|• Made barrels|"
	checkLines(t, joinWrappedHeads, map[string]lineTest{
		"a title, before the place that another head has": {whole + "Bluestem Ltd,\tRecords &\t2019 – 2021|Archives Clerk – Leeds, UK", whole + "Bluestem Ltd,\tRecords & Archives Clerk – Leeds, UK\t2019 – 2021"},
		"an employer, beside dates at the left":           {"2019 – 2021\tCooper, Wren, Leeds, UK|Made barrels.|2014 – 2016\tWelder, Yard of the|North, Leeds, UK", "2019 – 2021\tCooper, Wren, Leeds, UK|Made barrels.|2014 – 2016\tWelder, Yard of the North, Leeds, UK"},
		"an employer, before the place":                   {whole + "Welder,\tFathom\t2019 – 2021|Shipyard – Leeds, UK", whole + "Welder,\tFathom Shipyard – Leeds, UK\t2019 – 2021"},
		"a title that other heads have on their line":     {"Tern,\tEngineer\t2014 – 2016|• Made barrels|Wren,\tDredging\t2019 – 2021|Engineer", "Tern,\tEngineer\t2014 – 2016|• Made barrels|Wren,\tDredging Engineer\t2019 – 2021"},
		"a bracket": {"Cooper,\tBluestem\t2019 – 2021|(North)|• Made barrels", "Cooper,\tBluestem (North)\t2019 – 2021|• Made barrels"},
		"an employer and its place below each title": {"Cooper\t2019 – 2021|Bluestem, Leeds, UK|Welder, Night Shift\t2014 – 2016|Fathom, Leeds, UK", ""},
		"an employer and its place below one title":  {"Cooper, Bluestem, Leeds, UK\t2019 – 2021|Fathom, Leeds, UK|Welder, Night Shift\t2014 – 2016|Tern, Leeds, UK", ""},
		"a list item and a sentence":                 {whole + "Welder of\t2019 – 2021|• Leeds|Tern for\t2011 – 2012|Made barrels of good oak for the breweries.", ""},
		"an employer, before its legal form":         {"Head of Sales, Tern Ltd\t2014 – 2016|• Made barrels|Clerk, Bluestem\t2019 – 2021|Shipping Co.", "Head of Sales, Tern Ltd\t2014 – 2016|• Made barrels|Clerk, Bluestem Shipping Co.\t2019 – 2021"},
		"an employer below a head with room for it":  {"Head of Sales, Bluestem Shipping Co.\t2014 – 2016|• Made barrels|Clerk, Records\t2019 – 2021|Tern Co.", ""},
		"a school, beside dates and how long it was": {"Head of Sales, Tern Ltd\t2014 – 2016 (2 yrs)|• Made barrels|Care Agent, Redfern Primary\t2019 – 2021 (3 yrs)|Primary School", "Head of Sales, Tern Ltd\t2014 – 2016 (2 yrs)|• Made barrels|Care Agent, Redfern Primary Primary School\t2019 – 2021 (3 yrs)"},
		"what a company is":                          {"Head of Sales, Tern Ltd\t2014 – 2016|• Made barrels|Cooper, Bluestem Motors\t2019 – 2021|Consultancy for public transport", ""},
		"quotes":                                     {"Cooper @ AO «Tern and|Sons»\t2019 – 2021|Welder @ Tern Works|«Fathom»\t2014 – 2016", "Cooper @ AO «Tern and Sons»\t2019 – 2021|Welder @ Tern Works «Fathom»\t2014 – 2016"},
		"dates":                                      {whole + "Welder of\t2019 – 2021|Tern, Leeds, UK\t2018 – 2019", ""},
	})
}

// lineTest holds lines, parted by bars, and what becomes of them; want is "" if nothing does.
type lineTest struct{ lines, want string }

// checkLines checks a step that tidies the lines of a section.
func checkLines(t *testing.T, tidy func(lines []string) []string, tests map[string]lineTest) {
	t.Helper()
	for name, test := range tests {
		if test.want == "" {
			test.want = test.lines
		}
		if diff := cmp.Diff(strings.Split(test.want, "|"), tidy(strings.Split(test.lines, "|"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
