package resume

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drawn returns a line of text in a font of a size.
func drawn(left, bottom, size float64, font, text string) span {
	s := newSpan(left, bottom, text)
	s.size, s.font, s.lastFont = size, font, font
	return s
}

func TestTornFacts(t *testing.T) {
	t.Parallel()
	body := drawn(50, 640, 10, "Serif", "Built the machines that others had planned, and sold them to customers")
	tests := []struct {
		name  string
		spans []span
		want  []string
	}{
		{"an employer beside dates, in two lines of a larger font", []span{
			drawn(50, 700, 14, "Bold", "Ravenmoor"), drawn(450, 700, 10, "Italic", "2019 – 2021"), drawn(50, 688, 14, "Bold", "Paper Mills"), drawn(50, 676, 12, "Serif", "Engineer"), body},
			[]string{"Ravenmoor Paper Mills\t2019 – 2021", "Engineer"}},
		{"a title below an employer that fills its cell, in another font", []span{
			drawn(50, 700, 10, "Bold", "Ravenmoor Paper Mills"), drawn(170, 700, 10, "Serif", "2019 – 2021"), drawn(50, 688, 10, "Serif", "Penmaking Foreperson"), body},
			[]string{"Ravenmoor Paper Mills\t2019 – 2021", "Penmaking Foreperson"}},
		{"an employer that fills its cell, in one font", []span{
			drawn(50, 700, 10, "Bold", "Ravenmoor Paper Mills"), drawn(170, 700, 10, "Serif", "2019 – 2021"), drawn(50, 688, 10, "Bold", "Waterside"), body},
			[]string{"Ravenmoor Paper Mills Waterside\t2019 – 2021"}},
		{"a title and an employer of one font above a place", []span{
			drawn(50, 700, 14, "Bold", "Engineer"), drawn(450, 700, 10, "Italic", "2019 – 2021"), drawn(50, 688, 14, "Bold", "Ravenmoor"), drawn(50, 676, 12, "Serif", "Leeds"), body},
			[]string{"Engineer\t2019 – 2021", "Ravenmoor", "Leeds"}},
		{"a title and an employer of one font above text", []span{
			drawn(50, 700, 14, "Bold", "Senior Machinist"), drawn(450, 700, 10, "Italic", "2019 – 2021"), drawn(50, 688, 14, "Bold", "Ravenmoor"), drawn(50, 676, 10, "Serif", "Built them"), body},
			[]string{"Senior Machinist\t2019 – 2021", "Ravenmoor", "Built them"}},
	}
	for _, tt := range tests {
		want := append(tt.want, body.text)
		if diff := cmp.Diff([][]string{want}, columnLines(readingOrder(tt.spans, maxColumns))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
