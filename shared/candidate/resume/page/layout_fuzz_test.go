package page

import (
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
)

func FuzzLayout(f *testing.F) {
	f.Add("Maya Okafor", "Engineer\t2019 – now", 10.0, 300.0, 12.0)
	f.Fuzz(func(t *testing.T, a, b string, x, y, height float64) {
		var words []Span
		for i := range 40 {
			at := Box{x * float64(i%3), y - float64(i), x*float64(i%3) + 20, y - float64(i) + height}
			if at.IsValid() {
				words = append(words, Span{Box: at, Text: a, Size: height}, Span{Box: at, Text: b, Size: 1})
			}
		}
		for _, block := range ReadingOrder(JoinWords(words), MaxColumns) {
			rejoin.Lines(block.Lines)
		}
	})
}
