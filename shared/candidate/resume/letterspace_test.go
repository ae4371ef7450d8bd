package resume

import (
	"strings"
	"testing"
)

func TestLettersSetApart(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, words string
		gaps        []float64 // of the height, before each word
		want        string
	}{
		{"a name", "Fara h Si d d i q u i", []float64{0, 0.13, 0.55, 0.13, 0.12, 0.13, 0.12, 0.13, 0.12}, "Farah Siddiqui"},
		{"a heading", "S k i l l s", []float64{0, 0.17, 0.15, 0.17, 0.17, 0.17}, "Skills"},
		{"spaces as wide as gaps between letters", "a b c d e f", []float64{0, 0.2, 0.21, 0.3, 0.2, 0.3}, "a b c d e f"},
		{"letters with spaces", "A B C D E F", []float64{0, 0.28, 0.28, 0.28, 0.28, 0.28}, "A B C D E F"},
		{"words of a narrow font", "Head of IT at an Inn in Ely", []float64{0, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, "Head of IT at an Inn in Ely"},
	}
	for _, tt := range tests {
		var r run
		right := 0.0
		for i, word := range strings.Fields(tt.words) {
			s := newSpan(right+10*tt.gaps[i], 700, word)
			s.turn, right = i, s.right
			r.words = append(r.words, s)
		}
		if got := r.newSpan(10).text; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
