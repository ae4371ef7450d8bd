package resume

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
)

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
