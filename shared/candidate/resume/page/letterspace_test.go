package page

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
		{"wide gaps", "A N N L E E", []float64{0, 0.3, 0.31, 0.86, 0.3, 0.3}, "ANN LEE"},
		{"wide and narrow gaps", "I D A - M A Y", []float64{0, 0.25, 0.2, 0.2, 0.25, 0.2, 0.2}, "I D A - M A Y"},
		{"drawn with spaces", "I D A L E E", []float64{0, 0.25, 0.2, 0.7, 0.25, 0.2}, "IDA LEE"},
		{"words of a narrow font", "Head of IT at an Inn in Ely", []float64{0, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, "Head of IT at an Inn in Ely"},
	}
	for _, tt := range tests {
		var r run
		right := 0.0
		for i, word := range strings.Fields(tt.words) {
			s := newSpan(right+10*tt.gaps[i], 700, word)
			s.turn = i
			right = s.Right
			r.words = append(r.words, s)
		}
		if got := r.joinText(false, 10); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
