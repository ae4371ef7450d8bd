package facts

import (
	"testing"
)

// TestPairs holds how lines of title and employer are split at their commas, as "title @ employer".
func TestPairs(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"Analyst, Fixed Income, Rosa Quigley":           "Analyst, Fixed Income @ Rosa Quigley",
		"Specialist, Payroll, Umber & Ash":              "Specialist, Payroll @ Umber & Ash",
		"Lead, Trust and Safety, Ivory Tide":            "Lead, Trust and Safety @ Ivory Tide",
		"Accountant, Fitch, Barlow & Moss":              "Accountant @ Fitch, Barlow & Moss",
		"Support Engineer, Tier 2 at Plum Street":       "Support Engineer, Tier 2 @ Plum Street",
		"Broker, Obsidian, Pvt. Ltd.":                   "Broker @ Obsidian, Pvt. Ltd.",
		"Analyst - Credit Risk, Veridia":                "Analyst - Credit Risk @ Veridia",
		"Software Engineer II – Payments, Wren":         "Software Engineer II – Payments @ Wren",
		"Head of Sales - EMEA\tWren":                    "Head of Sales - EMEA @ Wren",
		"Specialist, Payroll at\tWren, Co.":             "Specialist, Payroll @ Wren, Co.",
		"Engineer\t1 year 6 months Jasperon & Moss":     "Engineer @ Jasperon & Moss",
		"Nurse (RN)\tWren":                              "Nurse (RN) @ Wren",
		"Inspector\tMason-Reid":                         "Inspector @ Mason-Reid",
		"Fellow in Linguistics, de Vries Shipping":      "Fellow in Linguistics @ de Vries Shipping",
		"Clerk, Ardmore Lights, Fort Ellis, CO":         "Clerk @ Ardmore Lights",
		"Clerk, Ardmore Lights\tFort Ellis, CO":         "Clerk @ Ardmore Lights",
		"Clerk, Ardmore Lights\tFort Ellis, CO, US":     "Clerk @ Ardmore Lights",
		"Bar Manager at Butler Foods":                   "Bar Manager @ Butler Foods",
		"PhD Candidate, Wren Group – Robotics Division": "PhD Candidate @ Wren Group – Robotics Division",
		"Director, IT & Security, Umber & Ash":          "Director, IT & Security @ Umber & Ash",
		"Ten Bridges, Lead Clerk, Platform Engagement":  "Lead Clerk, Platform Engagement @ Ten Bridges",
	} {
		pair := Split(line).Pair
		got := ""
		switch {
		case len(pair) < 2:
		case pair[0].Title:
			got = pair[0].Text + " @ " + pair[1].Text
		default:
			got = pair[1].Text + " @ " + pair[0].Text
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestLegalForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"Ltd": true, "Pvt. Ltd.": true, "L.L.C.": true, "Co. KG": true, "": false, "Tern Ltd": false, ".": false, "Ltd Tern": false} {
		if got := IsLegalForm(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func TestWorkAreas(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"Payroll": true, "Operations & Logistics": true, "Enterprise Sales": true, "Research and Policy": true, "Tern Payments": false, "Enterprise": false, "and": false, "": false} {
		if got := isWorkArea(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
