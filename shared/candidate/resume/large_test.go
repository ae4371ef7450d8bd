package resume

import (
	"slices"
	"testing"
)

func TestLargeTexts(t *testing.T) {
	t.Parallel()
	newLine := func(y, size float64, text string) span {
		s := newSpan(50, y, text)
		s.size, s.top = size, s.bottom+size
		return s
	}
	spans := []span{newLine(740, 20, "MAYA"), newLine(720, 20, "OKAFOR"), newLine(900, 30, "Northmoor"), newLine(500, 15, "Experience"), newLine(400, 15, "Education"),
		newLine(300, 15, "Skills"), newLine(200, 15, "Hobbies")}
	for y := range 10 {
		spans = append(spans, newLine(480-float64(20*y), 10, "text"))
	}
	if got, want := findLargeTexts(spans), []string{"Northmoor", "MAYA OKAFOR", "MAYA", "OKAFOR"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNamesInLargeLetters(t *testing.T) {
	t.Parallel()
	const jobs = "\nExperience\nClerk, Northmoor Traders, 2015 – 2019"
	tests := []struct {
		text  string
		large []string
		want  string
	}{
		{"Calm Harbours\nMaya Okafor\nLisbon" + jobs, []string{"Maya Okafor"}, "Maya Okafor"},
		{"Summary\nA calm clerk of eleven years in three towns and two harbours." + jobs + "\nMaya Okafor\nPhone", []string{"Maya Okafor"}, "Maya Okafor"},
		{"Mason Carpenter\nmoon@example.com" + jobs, []string{"Mason Carpenter"}, "Mason Carpenter"},
		{"Clerk\nMaya Okafor" + jobs, []string{"Clerk"}, "Maya Okafor"},
		{"Hello there\nmoon@example.com" + jobs, []string{"Hello, I am Maya Okafor!"}, "Maya Okafor"},
		{"Northmoor Traders\nmoon@example.com" + jobs, []string{"Northmoor Traders"}, ""},
	}
	for _, tt := range tests {
		doc := newDocument(tt.text)
		doc.Markup.Large = tt.large
		if got := Extract(doc, asOf).Name; got != tt.want {
			t.Errorf("name of %q = %q, want %q", tt.text, got, tt.want)
		}
	}
}
