package jobs

import (
	"testing"
)

func TestJoinFlowingHeads(t *testing.T) {
	t.Parallel()
	const whole = "Cooper at Bright Harbor Credit Union|2014 – 2016|• Made barrels|"
	checkLines(t, joinFlowingHeads, map[string]lineTest{
		"an employer, before its dates":           {"Cooper,\tTern &|Sons Jan 2018 – July 2019", "Cooper,\tTern & Sons\tJan 2018 – July 2019"},
		"an employer, in brackets":                {"Cooper,\tCouncil for Crafts|(North) Jan 2018 – July 2019", "Cooper,\tCouncil for Crafts (North)\tJan 2018 – July 2019"},
		"a title, above a place and dates":        {"Tern Rail, Manager, Learning and|Development – Leeds, UK|• Jan 2018 – July 2019", "Tern Rail, Manager, Learning and Development – Leeds, UK|• Jan 2018 – July 2019"},
		"an employer that fills the line":         {whole + "Welder at Northmoor Bridge Academy|Trust|2010 – 2012", whole + "Welder at Northmoor Bridge Academy Trust|2010 – 2012"},
		"an employer that would fit":              {whole + "Welder at Tern|Trust|2010 – 2012", ""},
		"an employer above each title":            {"Tern|Cooper 2014 – 2016|Bluestem|Welder 2010 – 2012", ""},
		"a whole head below a line of its own":    {"Bluestem Works|Cooper, Tern Ltd 2014 – 2016", ""},
		"a list item, a sentence and other dates": {"• Made barrels and|Cooper 2014 – 2016|Made barrels from seasoned timber of good oak and|Leeds, UK|2010 – 2012", ""},
	})
}

func TestJoinCommaHeads(t *testing.T) {
	t.Parallel()
	const whole = "Tern Rail,\tCooper – Bath\t2014 – 2016|• Made barrels|"
	checkLines(t, joinCommaHeads, map[string]lineTest{
		"beside a place and dates": {
			"Tern Rail,\tSenior\tLeeds|Claims Adjuster\t2019 – 2021|Wren Ltd,\tClerk\tLittle Wenham|2014 – 2016",
			"Tern Rail,\tSenior Claims Adjuster\tLeeds\t2019 – 2021|Wren Ltd,\tClerk\tLittle Wenham|2014 – 2016",
		},
		"a whole name below": {
			"Tern Rail,\tLittle Wenham|Claims Adjuster\t2019 – 2021|Wren Ltd,\tWelder\tLeeds|2014 – 2016",
			"Tern Rail,\tClaims Adjuster\tLittle Wenham\t2019 – 2021|Wren Ltd,\tWelder\tLeeds|2014 – 2016",
		},
		"the first name": {
			"Manager, Learning and\tLeeds|Development,\tTern Rail\t2019 – 2021|Welder,\tWren Ltd\tBath|2014 – 2016",
			"Manager, Learning and Development,\tTern Rail\tLeeds\t2019 – 2021|Welder,\tWren Ltd\tBath|2014 – 2016",
		},
		"before a place behind a dash":    {whole + "Wren Ltd,\tSenior\t2010 – 2012|Welder – Little|Wenham", whole + "Wren Ltd,\tSenior Welder – Little Wenham\t2010 – 2012"},
		"beside dates at the left":        {"2014 – 2016\tTern Rail,\tCooper – Bath|• Made barrels|2010 – 2012\tWren Ltd,\tSenior|Welder – Leeds", "2014 – 2016\tTern Rail,\tCooper – Bath|• Made barrels|2010 – 2012\tWren Ltd,\tSenior Welder – Leeds"},
		"a name that ends with its comma": {whole + "Wren Ltd,\t2010 – 2012|Welder – Leeds", whole + "Wren Ltd, Welder – Leeds\t2010 – 2012"},
		"a sentence":                      {whole + "Wren Ltd,\tWelder and Planner\t2010 – 2012|Trained new starters.", ""},
		"one head alone":                  {"Wren Ltd,\tSenior\tLeeds|Welder\t2010 – 2012", ""},
		"heads of one font":               {"Wren Ltd\tLeeds|Welder\t2010 – 2012|Tern Ltd\tBath|Cooper\t2008 – 2009", ""},
	})
}
