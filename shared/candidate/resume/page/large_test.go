package page

import (
	"slices"
	"testing"
)

func TestLargeTexts(t *testing.T) {
	t.Parallel()
	newLine := func(y, size float64, text string) Span {
		s := newSpan(50, y, text)
		s.Size = size
		s.Top = s.Bottom + size
		return s
	}
	spans := []Span{newLine(740, 20, "MAYA"), newLine(720, 20, "OKAFOR"), newLine(900, 30, "Northmoor"), newLine(500, 15, "Experience"), newLine(400, 15, "Education"),
		newLine(300, 15, "Skills"), newLine(200, 15, "Hobbies")}
	for y := range 10 {
		spans = append(spans, newLine(480-float64(20*y), 10, "text"))
	}
	if got, want := FindLargeTexts(spans), []string{"Northmoor", "MAYA OKAFOR", "MAYA", "OKAFOR"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
