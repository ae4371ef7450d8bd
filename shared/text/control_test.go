package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestControlCharacters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text          string
		single, plain bool
	}{
		{"", true, true},
		{"Ada Example", true, true},
		{"Zoë O’Brien-Łukasz", true, true},
		{"محمد\u200f بن علي", true, true},
		{"क्\u200dष", true, true},
		{"two\nlines", false, true},
		{"two\r\nlines", false, true},
		{"a\ttab", false, true},
		{"\x00x", false, false},
		{"\x1b[31mred", false, false},
		{"a\x7f", false, false},
		{"a\u0085b", false, false},
		{"a\u009bb", false, false},
		{"a\u202eb", false, true},
		{"\u2066a\u2069", false, true},
	} {
		if got := IsSingleLine(tt.text); got != tt.single {
			t.Errorf("IsSingleLine(%q) = %v", tt.text, got)
		}
		if got := IsPlain(tt.text); got != tt.plain {
			t.Errorf("IsPlain(%q) = %v", tt.text, got)
		}
	}
}

// A refused character is refused wherever it is.
func TestControlCharactersAnywhere(t *testing.T) {
	t.Parallel()
	control := rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune{0, 7, 8, 11, 12, 27, 127, 0x80, 0x9f, '\u202e', '\u2066', '\n', '\t'}))
	rapid.Check(t, func(t *rapid.T) {
		r := control.Draw(t, "rune")
		before := rapid.StringMatching(`[a-zé ]{0,9}`).Draw(t, "before")
		after := rapid.StringMatching(`[a-zé ]{0,9}`).Draw(t, "after")
		whole := before + string(r) + after
		if got, want := IsPlain(whole), IsPlain(string(r)); got != want {
			t.Fatalf("IsPlain(%q) = %v, and of the character %v", whole, got, want)
		}
		if got, want := IsSingleLine(whole), IsSingleLine(string(r)); got != want {
			t.Fatalf("IsSingleLine(%q) = %v, and of the character %v", whole, got, want)
		}
		if IsSingleLine(whole) && (!IsPlain(whole) || strings.ContainsAny(whole, "\t\r\n")) {
			t.Fatalf("%q is one line and no plain text", whole)
		}
	})
}
