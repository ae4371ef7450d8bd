package resume

import (
	"slices"
	"strings"
	"testing"
)

// Heads that only the other heads of a resume explain, as "title | company | place".
func TestHeadsByUse(t *testing.T) {
	t.Parallel()
	const top = "Maya Okafor\nmaya.okafor@example.com\n\nExperience\n"
	for name, test := range map[string]struct {
		lines string
		want  []string
	}{
		"an employer in small letters": {
			"Welder, tern interactive (2019 – 2021)\n- Led a crew\nEngineer, Bluestem Ltd (2016 – 2018)\n",
			[]string{"Welder | tern interactive | ", "Engineer | Bluestem Ltd | "},
		},
		"an employer in small letters before the title": {
			"Bluestem Ltd, Engineer\n- 2019 – 2021\ntern interactive, Welder\n- 2016 – 2018\n",
			[]string{"Engineer | Bluestem Ltd | ", "Welder | tern interactive | "},
		},
		"an employer in small letters beside its dates": {
			"Welder\tLeeds\ntern interactive\t2019 – 2021\n- Led a crew\nEngineer\tLeeds\nBluestem Ltd\t2016 – 2018\n",
			[]string{"Welder | tern interactive | Leeds", "Engineer | Bluestem Ltd | Leeds"},
		},
		"legal forms with points": {
			"Welder, Bluestem Energy Services, L.P. (2019 – 2021)\nClerk, Oxbow, L.L.L.P. (2016 – 2018)\n",
			[]string{"Welder | Bluestem Energy Services, L.P. | ", "Clerk | Oxbow, L.L.L.P. | "},
		},
		"a legal form between employer and title": {
			"Bluestem Energy Services, L.P., Welder\n- 2019 – 2021\nOxbow plc, Clerk\n- 2016 – 2018\n",
			[]string{"Welder | Bluestem Energy Services, L.P. | ", "Clerk | Oxbow plc | "},
		},
		"employers behind dashes": {
			"Adviser – Three Larks, Leeds (2019 – 2021)\nClerk – Bluestem, Wickling (2016 – 2018)\n",
			[]string{"Adviser | Three Larks | Leeds", "Clerk | Bluestem | Wickling"},
		},
		"text behind heads whose dates have points": {
			"Nov. 2020–Feb. 2023\tClerk, Bluestem Ltd, Leeds. Sorted what others wrote in 2019. Paid bills.\nJuly 2018–Sept. 2020\tWelder, Oxbow, Leeds. Built machines.\n",
			[]string{"Clerk | Bluestem Ltd | Leeds", "Welder | Oxbow | Leeds"},
		},
		"text behind heads with initials": {
			"Nov. 2020–Feb. 2023\tClerk, Acme Ltd, Leeds. Sorted. Paid.\nMay 2018–Sep. 2020\tБухгалтер, ФОП Зозуля М. І., Київ\n",
			[]string{"Clerk | Acme Ltd | Leeds", "Бухгалтер | ФОП Зозуля М. І. | Київ"},
		},
		"public bodies": {
			"Clerk,\tDepartment for Rivers and Coast – Leeds\t2019 – 2021\nWelder,\tBluestem – Leeds\t2016 – 2018\n",
			[]string{"Clerk | Department for Rivers and Coast | Leeds", "Welder | Bluestem | Leeds"},
		},
		"now without its last point": {
			"Программист,\tПАО «Енот» – Казань\tдек. 2024 – н.в\nБухгалтер,\tНИИ «Барсук» – Казань\tапр. 2023 – нояб. 2024\n",
			[]string{"Программист | ПАО «Енот» | Казань", "Бухгалтер | НИИ «Барсук» | Казань"},
		},
	} {
		var got []string
		for _, e := range Extract(mustRead(t, []byte(top+test.lines)), asOf).Experiences {
			got = append(got, e.Title+" | "+e.Company+" | "+e.Location)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, "; "), strings.Join(test.want, "; "))
		}
	}
}
