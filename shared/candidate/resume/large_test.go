package resume

import (
	"testing"
)

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
