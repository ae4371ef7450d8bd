package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"Series A", "series a"},
		{"ＣＡＦÉ", "cafe"},
		{"Zürich", "zurich"},
		{"Zu\u0308rich", "zurich"},
		{"Łódź", "lodz"},
		{"Straße", "strasse"},
		{"ﬁnance", "finance"},
		{"Βίος", "βιοσ"},
		{"東京", "東京"},
		{"한국", "한국"},
		{"a\xffb", "a\uFFFDb"},
		{"soft\u00adware", "software"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := Fold(tt.in); got != tt.want {
			t.Errorf("Fold(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want []string
	}{
		{"Senior Backend Engineer (Go)", []string{"senior", "backend", "engineer", "go"}},
		{"full_stack_engineer", []string{"full", "stack", "engineer"}},
		{"full-stack/Node.js", []string{"full", "stack", "node", "js"}},
		{"C++, C# and F#", []string{"c++", "c#", "and", "f#"}},
		{"sales+marketing", []string{"sales", "marketing"}},
		{"+1 #hiring", []string{"1", "hiring"}},
		{"Lowe's l’équipe", []string{"lowes", "lequipe"}},
		{"'quoted'", []string{"quoted"}},
		{"São-Paulo 東京", []string{"sao", "paulo", "東京"}},
		{"R&D", []string{"r", "d"}},
		{" \t—…", nil},
		{"", nil},
	}
	for _, tt := range tests {
		got := Words(tt.in)
		if len(got) == 0 {
			got = nil
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Words(%q): %s", tt.in, diff)
		}
	}
}

// FuzzWords holds what callers build on: words are valid, hold no space, and
// taking them apart again changes nothing.
func FuzzWords(f *testing.F) {
	f.Add("C++ Łódź's ﬁ 東京 c#d \xff")
	f.Fuzz(func(t *testing.T, s string) {
		words := Words(s)
		for _, w := range words {
			if !utf8.ValidString(w) || w == "" || strings.ContainsAny(w, " _-/") {
				t.Fatalf("word %q of %q", w, s)
			}
		}
		again := Words(strings.Join(words, " "))
		if strings.Join(again, " ") != strings.Join(words, " ") {
			t.Fatalf("%q → %q → %q", s, words, again)
		}
	})
}
