package resume

import (
	"slices"
	"strings"
	"testing"
)

// Heads of jobs in whole files, as "title | company | place".
func TestHeadsInFiles(t *testing.T) {
	t.Parallel()
	const top = "Maya Okafor\nmaya.okafor@example.com\n\nExperience\n"
	for name, test := range map[string]struct {
		content string
		want    []string
	}{
		"Markdown without headings": {
			top + "**Cooper**, Bluestem Ltd  \n*2019 – 2021*\n\n**Lead, Platform Tools**, Tern Bank  \n*2016 – 2018*\n",
			[]string{"Cooper | Bluestem Ltd | ", "Lead, Platform Tools | Tern Bank | "},
		},
		"Markdown in italics": {
			"# Maya Okafor\n\n# Experience\n\n**Bluestem Ltd** (2019 – 2021)  \n_Cooper_  \nLeeds\n",
			[]string{"Cooper | Bluestem Ltd | Leeds"},
		},
		"towns of unknown names behind a dash": {
			top + "Engineer, Quillfeather – Wickling\n2019 – 2021\n\nManager, Ardmore – Little Wenham\n2016 – 2018\n\nTeacher, Oxbow – Norsea\n2014 – 2015\n",
			[]string{"Engineer | Quillfeather | Wickling", "Manager | Ardmore | Little Wenham", "Teacher | Oxbow | Norsea"},
		},
		"employers of unknown names behind a dash": {
			top + "Director, Estate Planning – Kestrel\n2019 – 2021\n\nEngineer – Quillfeather\n2016 – 2018\n\nTeacher – Oxbow\n2014 – 2015\n",
			[]string{"Director, Estate Planning | Kestrel | ", "Engineer | Quillfeather | ", "Teacher | Oxbow | "},
		},
		"names that are no towns, for places stand beside the dates": {
			top + "Engineer, Bluestem\n2019 – 2021, Leeds\n\nAnalyst, Fixed Income, Rosa Quigley\n2016 – 2018, Manchester\n\nLead, Trust and Safety, Ivory Tide\n2014 – 2015, Leeds\n",
			[]string{"Engineer | Bluestem | Leeds", "Analyst, Fixed Income | Rosa Quigley | Manchester", "Lead, Trust and Safety | Ivory Tide | Leeds"},
		},
		"a month at the end of a line": {
			top + "Engineer at Tern Bank July\n2019 – Feb 2021\n\nTeacher at Oxbow Academy Mar 2016 – May 2018\n",
			[]string{"Engineer | Tern Bank | ", "Teacher | Oxbow Academy | "},
		},
		"a title that is also a heading": {
			top + "Volunteer,\tBluestem – Leeds\t2019 – 2021\nEngineer,\tTern – Leeds\t2016 – 2018\n",
			[]string{"Volunteer | Bluestem | Leeds", "Engineer | Tern | Leeds"},
		},
		"work on one's own account above a title": {
			top + "Tern Bank\tLeeds\nEngineer\t2019 – 2021\n\nFreelance\tRemote\nInside Sales\t2016 – 2018\n\nTern Bank\tLeeds\nTeacher\t2014 – 2015\n",
			[]string{"Engineer | Tern Bank | Leeds", "Inside Sales | Freelance | Remote", "Teacher | Tern Bank | Leeds"},
		},
		"employers named after titles": {
			top + "Butler Foods\tLeeds\nGardener\t2019 – 2021\n\nChef's Warehouse\tLeeds\nMuseum Educator\t2016 – 2018\n",
			[]string{"Gardener | Butler Foods | Leeds", "Museum Educator | Chef's Warehouse | Leeds"},
		},
		"titles of unknown words at employers": {
			top + "Gaffer at Two Doors Down\n2019 – 2021\n\nRiveter at Oxbow\n2016 – 2018\n",
			[]string{"Gaffer | Two Doors Down | ", "Riveter | Oxbow | "},
		},
		"a title that is also a type of employment, and one that could be a state": {
			top + "Temp, Oxbow\n2019 – 2021\n\nQA, Tern Bank\n2016 – 2018\n\nTeacher, Bluestem\n2014 – 2015\n",
			[]string{"Temp | Oxbow | ", "QA | Tern Bank | ", "Teacher | Bluestem | "},
		},
		"an initial with points": {
			top + "2019 – 2021\tEngineer, U.S. Forestry Fund, Leeds\n• Planted oaks\n2016 – 2018\tTeacher, Oxbow Academy, Leeds\n",
			[]string{"Engineer | U.S. Forestry Fund | Leeds", "Teacher | Oxbow Academy | Leeds"},
		},
	} {
		fields := Extract(mustRead(t, []byte(test.content)), asOf)
		var got []string
		for _, e := range fields.Experiences {
			got = append(got, e.Title+" | "+e.Company+" | "+e.Location)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, "; "), strings.Join(test.want, "; "))
		}
	}
}
