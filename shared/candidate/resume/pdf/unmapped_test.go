package pdf

import (
	"testing"
)

// The glyphs without text stand where a file draws them: a short i, which reaches over its
// syllable, is "<" and another one "?".
func TestRestoreSyllables(t *testing.T) {
	t.Parallel()
	mark := func(text string) []rune {
		runes := []rune(text)
		for i, r := range runes {
			switch r {
			case '<':
				runes[i] = reachingGlyph
			case '?':
				runes[i] = unmappedGlyph
			}
		}
		return runes
	}
	page := mark("क<विता <निदेशक")
	if !spreadsShortI(page) || spreadsShortI(mark("क<विता निदेशक")) || spreadsShortI([]rune("कविता निदेशक")) {
		t.Error("what a page tells of the short i is not seen, or seen elsewhere")
	}
	tests := []struct {
		name, word string
		spread     bool
		want       string
	}{
		{"told with the letter", "क<विता", true, "कविता"},
		{"told with the letter once", "क<विता", false, "कविता"},
		{"not told", "<वपणन", true, "विपणन"},
		{"told where there is none", "अस्पतिाल", true, "अस्पताल"},
		{"before a nasal sign", "<संह", true, "सिंह"},
		{"of two consonants", "<त्रवेणी", true, "त्रिवेणी"},
		{"another glyph", "सहा?क", true, "सहाक"},
		{"the letter below a mark", "न<र्स", true, "नर्स"},
		{"the letter below a mark and a short i", "न<<र्सिंग", true, "नर्सिंग"},
		{"the mark told with another letter", "कायर्क", true, "कार्य"},
		{"the mark told with its letter", "चायर्य", true, "चार्य"},
		{"the mark above a letter with a vowel", "चार्क", true, "र्चा"},
		{"the mark on a page that tells all", "संपर्क", false, "संपर्क"},
		{"a page that tells all", "कविता", false, "कविता"},
		{"no Devanagari", "Kavita", true, "Kavita"},
	}
	for _, tt := range tests {
		if got := restoreSyllables(mark(tt.word), tt.spread); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
