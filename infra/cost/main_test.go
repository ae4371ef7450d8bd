package main

import (
	"os"
	"strings"
	"testing"
)

// The guide has the costs that the command prints.
func TestGuideHasTheCosts(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(strings.TrimSpace(formatTables()), "\n\n") {
		if !strings.Contains(string(guide), part+"\n") {
			t.Errorf("put into infra/README.md:\n%s", part)
		}
	}
}

// A steady million requests a minute costs at most 160,000 dollars a month, and 3.70 a million, with the levers of
// stage scale. At a thousand, those of prod-us cost less than they do.
func TestCostOfScale(t *testing.T) {
	t.Parallel()
	total := func(perMinute float64, l levers) float64 {
		return newBills([]load{steady(perMinute)}, l)[0].Total()
	}
	const most, mostOfMillion = 160_000, 3.70
	if got := total(1e6, ofScale); got > most || got/(1e6*60*hours)*1e6 > mostOfMillion {
		t.Errorf("as scale: %.0f dollars a month; want at most %d", got, most)
	}
	if got := total(1e6, levers{}); got < 2*most {
		t.Errorf("without levers: %.0f", got)
	}
	if prod, scale := total(1000, ofProd), total(1000, ofScale); prod >= scale {
		t.Errorf("at a thousand a minute: as prod-us %.0f, as scale %.0f", prod, scale)
	}
	for i := range stepwise[1:] {
		if before, after := total(1e6, stepwise[i]), total(1e6, stepwise[i+1]); after >= before {
			t.Errorf("%s: %.0f after %.0f", stepwise[i+1].name, after, before)
		}
	}
}
