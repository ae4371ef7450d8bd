package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drawn returns a line of text in a font of a size.
func drawn(left, bottom, size float64, font, text string) Span {
	s := newSpan(left, bottom, text)
	s.Size = size
	s.Font = font
	s.lastFont = font
	return s
}

func TestTornFacts(t *testing.T) {
	t.Parallel()
	body := drawn(50, 640, 10, "Serif", "Built the machines that others had planned, and sold them to customers")
	tests := []struct {
		name  string
		spans []Span
		want  []string
	}{
		{"a title below an employer that fills its cell, in another font", []Span{
			drawn(50, 700, 10, "Bold", "Ravenmoor Paper Mills"), drawn(170, 700, 10, "Serif", "2019 – 2021"), drawn(50, 688, 10, "Serif", "Penmaking Foreperson"), body},
			[]string{"Ravenmoor Paper Mills\t2019 – 2021", "Penmaking Foreperson", body.Text}},
		{"an employer that fills its cell, in one font", []Span{
			drawn(50, 700, 10, "Bold", "Ravenmoor Paper Mills"), drawn(170, 700, 10, "Serif", "2019 – 2021"), drawn(50, 688, 10, "Bold", "Waterside"), body},
			[]string{"Ravenmoor Paper Mills Waterside\t2019 – 2021", body.Text}},
		{"an employer whose legal form is below", []Span{drawn(50, 700, 10, "Bold", "Penmaking Foreperson, Ravenmoor"), drawn(50, 688, 10, "Bold", "s.r.o."), body},
			[]string{"Penmaking Foreperson, Ravenmoor s.r.o.", body.Text}},
		{"a fact that ends with a word that joins, and half of a place below", []Span{
			drawn(50, 700, 10, "Bold", "Ravenmoor &"), drawn(250, 700, 10, "Serif", "Leeds, United"), drawn(50, 688, 10, "Bold", "Sons"), drawn(250, 688, 10, "Serif", "Kingdom"), body},
			[]string{"Ravenmoor & Sons\tLeeds, United Kingdom", body.Text}},
		{"heads of one style that fill a narrow column", []Span{
			drawn(50, 740, 10, "Bold", "Penmaking Foreperson at the Mills of"), drawn(50, 728, 10, "Bold", "Ravenmoor Waterside"), drawn(50, 716, 10, "Serif", "2019 – 2021"),
			drawn(50, 704, 10, "Bold", "Inkmaking Foreperson at the Paperworks"), drawn(50, 692, 10, "Bold", "Moorside"), drawn(50, 680, 10, "Serif", "2017 – 2019"), drawn(50, 668, 10, "Serif", "Made a good ink for the writers"), drawn(50, 656, 10, "Serif", "Sold the ink to all the papers"), drawn(50, 644, 10, "Serif", "Wrote a book of the ink trade")},
			[]string{"Penmaking Foreperson at the Mills of Ravenmoor Waterside", "2019 – 2021", "Inkmaking Foreperson at the Paperworks Moorside", "2017 – 2019", "Made a good ink for the writers", "Sold the ink to all the papers", "Wrote a book of the ink trade"}},
		{"a title and an employer of one font above a place", []Span{
			drawn(50, 700, 14, "Bold", "Engineer"), drawn(450, 700, 10, "Italic", "2019 – 2021"), drawn(50, 688, 14, "Bold", "Ravenmoor"), drawn(50, 676, 12, "Serif", "Leeds"), body},
			[]string{"Engineer\t2019 – 2021", "Ravenmoor", "Leeds", body.Text}},
		{"a title and an employer of one font above text", []Span{
			drawn(50, 700, 14, "Bold", "Senior Machinist"), drawn(450, 700, 10, "Italic", "2019 – 2021"), drawn(50, 688, 14, "Bold", "Ravenmoor"), drawn(50, 676, 10, "Serif", "Built them"), body},
			[]string{"Senior Machinist\t2019 – 2021", "Ravenmoor", "Built them", body.Text}},
		{"a region whose second word is below, at the right", []Span{
			drawn(50, 700, 10, "Bold", "Engineer"), drawn(375, 700, 10, "Italic", "Kelowna, British"), drawn(50, 688, 10, "Serif", "Ravenmoor"), drawn(415, 688, 10, "Italic", "Columbia"), drawn(50, 676, 10, "Serif", "2019 – 2021"), body},
			[]string{"Engineer\tKelowna, British Columbia", "Ravenmoor", "2019 – 2021", body.Text}},
		{"an employer in a cell at the right, whose lines end below each other", []Span{
			drawn(50, 700, 10, "Bold", "Penmaker /"), drawn(300, 700, 10, "Serif", "Ravenmoor Mills,"), drawn(50, 688, 10, "Bold", "Foreperson"), drawn(355, 688, 10, "Serif", "Leeds"), drawn(50, 676, 10, "Serif", "2019 – 2021"), body},
			[]string{"Penmaker / Foreperson\tRavenmoor Mills, Leeds", "2019 – 2021", body.Text}},
		{"an employer in such a cell, before its legal form", []Span{
			drawn(50, 700, 10, "Bold", "Penmaker"), drawn(300, 700, 10, "Serif", "Ravenmoor Mills"), drawn(320, 688, 10, "Serif", "SASU, Leeds"), drawn(50, 676, 10, "Serif", "2019 – 2021"), body},
			[]string{"Penmaker\tRavenmoor Mills SASU, Leeds", "2019 – 2021", body.Text}},
		{"dates before their place", []Span{
			drawn(50, 700, 10, "Bold", "Ravenmoor Mills /"), drawn(300, 700, 10, "Serif", "2019 – 2021 |"), drawn(50, 688, 10, "Bold", "Penmaker"), drawn(300, 688, 10, "Serif", "Leeds"), body},
			[]string{"Ravenmoor Mills / Penmaker\t2019 – 2021 | Leeds", body.Text}},
		{"dates before a word for now, and before a month", []Span{
			drawn(50, 700, 10, "Bold", "Penmaker"), drawn(300, 700, 10, "Serif", "04/2023 – en"), drawn(300, 688, 10, "Serif", "cours"),
			drawn(50, 676, 10, "Bold", "Foreperson"), drawn(300, 676, 10, "Serif", "2020-03 – 2022-"), drawn(300, 664, 10, "Serif", "09"), body},
			[]string{"Penmaker\t04/2023 – en cours", "Foreperson\t2020-03 – 2022-09", body.Text}},
		{"a short label above a heading", []Span{
			drawn(50, 700, 10, "Bold", "IT"), drawn(300, 700, 10, "Serif", "Go, SQL"), drawn(50, 688, 10, "Bold", "Work Experience"), drawn(50, 676, 10, "Serif", "2019 – 2021")},
			[]string{"IT\tGo, SQL", "Work Experience", "2019 – 2021"}},
		{"text below a head that fills its cell", []Span{
			drawn(50, 700, 10, "Serif", "Penmaking Foreperson, Ravenmoor Mills – Leeds"), drawn(310, 700, 10, "Serif", "2019 – 2021"), drawn(50, 688, 10, "Serif", "Trained new starters."), body},
			[]string{"Penmaking Foreperson, Ravenmoor Mills – Leeds\t2019 – 2021", "Trained new starters.", body.Text}},
		{"a list of words between even gaps", []Span{
			drawn(50, 700, 10, "Serif", "Weaving"), drawn(100, 700, 10, "Serif", "Dyeing"), drawn(145, 700, 10, "Serif", "Spinning"), drawn(200, 700, 10, "Serif", "Felting"), body},
			[]string{"Weaving\tDyeing\tSpinning\tFelting", body.Text}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff([][]string{tt.want}, columnLines(ReadingOrder(tt.spans, MaxColumns))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
