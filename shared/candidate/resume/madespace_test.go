package resume

import (
	"fmt"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo/pdffile"
)

// helvetica has the widths of letters in thousandths of their size.
var helvetica = map[rune]float64{' ': 278, '-': 333, 'A': 667, 'K': 667, 'U': 722, 'a': 556, 'e': 556, 'f': 278, 'i': 222, 'n': 556, 'o': 556, 'p': 556, 'w': 722}

// drawLetters draws each character as an object of its own, set apart by spacing thousandths.
func drawLetters(text string, spacing float64) string {
	var out strings.Builder
	x := 50.0
	for _, r := range text {
		fmt.Fprintf(&out, "BT /F1 20 Tf %.2f 700 Td (%c) Tj ET\n", x, r)
		x += (helvetica[r] + spacing) * 20 / 1000
	}
	return out.String()
}

// adjustLetters draws characters in one object, set apart by spacing thousandths.
func adjustLetters(text string, spacing float64) string {
	var out strings.Builder
	for _, r := range text {
		fmt.Fprintf(&out, "(%c) %.0f ", r, -spacing)
	}
	return "BT /F1 20 Tf 50 700 Td [" + out.String() + "] TJ ET"
}

// newTextPDF returns a page with a content stream that may use Helvetica as F1 and its bold letters as F2.
func newTextPDF(content string) []byte {
	return pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>>>>>>>", newStream("", content))
}

func TestSpacesWithinWords(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, content, want string }{
		{"few letters set apart", drawLetters("Uwe Ano", 220), "Uwe Ano"},
		{"letters set far apart", drawLetters("Kai-Uwe Ano", 300), "Kai-Uwe Ano"},
		{"letters set apart by adjustments", adjustLetters("Kai-Uwe Ano", 130), "Kai-Uwe Ano"},
		{"letters of pairs that stand closer", "BT /F1 20 Tf 50 700 Td [(A) -80 (o) -200 (n) -200 (n) -200 (e) -700 (A) -200 (A) -90 (o) -200 (n)] TJ ET", "Aonne AAon"},
		{"words of a letter", "BT /F1 20 Tf 50 700 Td [(A) -300 (K) -300 (onna)] TJ ET", "A K onna"},
		{"letters set apart before a word of a letter", adjustLetters("Anno", 190) + " BT /F1 20 Tf 120 700 Td (A) Tj ET", "Anno A"},
		{"words without spaces in the file", "BT /F1 20 Tf 50 700 Td (Kai) Tj 34 0 Td (Ano) Tj ET", "Kai Ano"},
		{"a narrow gap between words", "BT /F1 20 Tf 50 700 Td (of) Tj 21.5 0 Td (Ano) Tj ET", "of Ano"},
		{"a narrow gap between two fonts", "BT /F1 20 Tf 50 700 Td (Kai) Tj /F2 20 Tf 31 0 Td (Ano) Tj ET", "Kai\tAno"},
		{"two fonts in a word", "BT /F1 20 Tf 50 700 Td (Kai) Tj /F2 20 Tf 28.9 0 Td (Ano) Tj ET", "KaiAno"},
		{"a heading over the end of an address", "BT /F1 20 Tf 50 700 Td (kai9) Tj /F2 20 Tf 34 0 Td (Ano) Tj ET", "kai9\tAno"},
		{"letters without spaces", "BT /F1 20 Tf 50 700 Td (A) Tj 19 0 Td (pion) Tj ET", "A pion"},
		{"a syllable of two glyphs", "BT /F1 20 Tf 50 700 Td /Span<</ActualText<FEFF0915093F>>>BDC (i) Tj 4.44 0 Td (n) Tj EMC 11.12 0 Td (o) Tj ET", "किo"},
		{"a syllable of two glyphs and a space", "BT /F1 20 Tf 50 700 Td /Span<</ActualText<FEFF0915093F>>>BDC (i) Tj 4.44 0 Td (n) Tj EMC 11.12 0 Td ( ) Tj 5.56 0 Td (o) Tj ET", "कि o"},
	}
	for _, tt := range tests {
		doc, err := Read(t.Context(), newTextPDF(tt.content))
		if err != nil {
			t.Fatal(tt.name, err)
		}
		if got := fmt.Sprint(doc.Blocks); got != "[["+tt.want+"]]" {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Words that broken fonts put nowhere are left out, however many they are.
func TestWordsWithoutAPlace(t *testing.T) {
	t.Parallel()
	lost := "BT /F1 12 Tf 1 0 0 1 200000 700 Tm 14 TL" + repeatNumbered(300*20, " (word%d) Tj T*") + " ET"
	if got := fmt.Sprint(mustRead(t, newTextPDF("BT /F1 12 Tf 50 700 Td (Maya Okafor) Tj ET "+lost)).Blocks); got != "[[Maya Okafor]]" {
		t.Errorf("got %.200q", got)
	}
}

// A page with more words than are read, or more pieces of lines, has a warning.
func TestPagesOfTooManyWords(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{
		"words":  "BT /F1 1 Tf 1 0 0 1 50 790 Tm" + strings.Repeat(" 0 -1 Td ("+strings.Repeat("a ", 10)+") Tj", 610) + " ET",
		"pieces": "BT /F1 1 Tf 1 0 0 1 50 790 Tm" + strings.Repeat(" 0 -1 Td (a) Tj 20 0 Td (b) Tj 20 0 Td (c) Tj 20 0 Td (d) Tj 20 0 Td (e) Tj 20 0 Td (f) Tj 20 0 Td (g) Tj -120 0 Td", 600) + " ET",
	} {
		if got := mustRead(t, newTextPDF(text)).Warnings; len(got) != 1 || !strings.Contains(got[0], "page") {
			t.Errorf("%s: got the warnings %q", what, got)
		}
	}
}
