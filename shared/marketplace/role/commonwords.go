package role

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

//go:embed commonwords.txt
var commonWordsFile string

//go:embed ordinarywords.txt
var ordinaryWordsFile string

// commonWords holds the words of commonwords.txt by whether they are legal forms.
var commonWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(commonWordsFile) {
		kind, list, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "//") {
			continue
		}
		for _, word := range strings.Fields(list) {
			words[text.Fold(word)] = words[text.Fold(word)] || kind == "legal"
		}
	}
	return words
})

// ordinaryWords returns the words of ordinarywords.txt, in sorted order.
var ordinaryWords = sync.OnceValue(func() []string {
	lines := strings.Split(strings.TrimSpace(ordinaryWordsFile), "\n")
	return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "//") })
})

// isCommon reports whether a folded word does not distinguish a company.
func isCommon(folded string) bool {
	_, common := commonWords()[folded]
	return common
}

// isLegalForm reports whether a folded word is the legal form of companies.
func isLegalForm(folded string) bool { return commonWords()[folded] }

// maxOrdinary is longer than every ordinary word, in bytes.
const maxOrdinary = 40

// isOrdinary reports whether a folded word is one of ordinary prose, so that a name in it is chance.
func isOrdinary(folded string) bool {
	if len(folded) > maxOrdinary {
		return false
	}
	_, found := slices.BinarySearch(ordinaryWords(), folded)
	return found || isCommon(folded)
}
