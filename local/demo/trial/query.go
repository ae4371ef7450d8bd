package trial

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// drawPhrase returns a query for this role as a person would type it: some words of its
// title, with or without company, place or tool; or the company; or its trade.
func drawPhrase(r *rand.Rand, d *roleindex.Doc) []string {
	title := text.Words(d.Name)
	company := text.Words(d.Company)
	place := text.Words(pickOne(r, d.Locations))
	tool := text.Words(pickOne(r, d.TechStack))
	var words []string
	switch r.IntN(6) {
	case 0:
		words = title
	case 1:
		words = company
	case 2:
		words = slices.Concat(place, title)
	case 3:
		words = slices.Concat(title[len(title)-1:], tool)
	case 4:
		words = slices.Concat(company, title[:1])
	case 5:
		trade := text.Words(d.OneLiner)
		words = trade[max(0, len(trade)-1-r.IntN(2)):]
	}
	return words[:min(len(words), 4)]
}

func pickOne(r *rand.Rand, from []string) string {
	if len(from) == 0 {
		return ""
	}
	return from[r.IntN(len(from))]
}

// misspellWords puts the typos in words that are long enough for a search to forgive
// them: one from four letters on, two from eight. First letters stay, because people
// hardly ever get them wrong.
func misspellWords(r *rand.Rand, words []string, way Typo) (Pair, bool) {
	clean := slices.Clone(words)
	allowed := make([]int, len(words))
	edits := 1
	if way == Prefix {
		last := len(words) - 1
		if len(words) == 0 || len(words[last]) < 6 {
			return Pair{}, false
		}
		clean[last] = words[last][:5+r.IntN(len(words[last])-5)]
	}
	for i, w := range clean {
		allowed[i] = allowedTypos(w)
		if way == Prefix && i < len(clean)-1 {
			allowed[i] = 0
		}
	}
	if way == TwoEdits {
		edits = 2
	}
	misspelt := slices.Clone(clean)
	for range edits {
		i, ok := drawAllowed(r, allowed)
		if !ok {
			return Pair{}, false
		}
		allowed[i]--
		misspelt[i] = applyEdit(r, misspelt[i], way)
	}
	p := Pair{strings.Join(clean, " "), strings.Join(misspelt, " ")}
	return p, p.Clean != p.Misspelt
}

// drawAllowed returns the index of a word that may have a further typo; ok is false if
// there is none.
func drawAllowed(r *rand.Rand, allowed []int) (i int, ok bool) {
	var left []int
	for i, n := range allowed {
		if n > 0 {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return 0, false
	}
	return left[r.IntN(len(left))], true
}

func allowedTypos(w string) int {
	switch {
	case len(w) < 4 || strings.ContainsAny(w, "0123456789"):
		return 0
	case len(w) < 8:
		return 1
	}
	return 2
}

func applyEdit(r *rand.Rand, w string, way Typo) string {
	letter := string(rune('a' + r.IntN(26)))
	if way == Swap {
		at := 1 + r.IntN(len(w)-2)
		return w[:at] + w[at+1:at+2] + w[at:at+1] + w[at+2:]
	}
	at := 1 + r.IntN(len(w)-1)
	switch r.IntN(3) {
	case 0:
		return w[:at] + letter + w[at+1:]
	case 1:
		return w[:at] + w[at+1:]
	}
	return w[:at] + letter + w[at:]
}
