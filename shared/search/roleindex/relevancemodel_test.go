package roleindex

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// relevanceModel scores the documents that match the words of a query in one stage: the definition of
// RelevanceOrder, for the engines to be compared with.
type relevanceModel struct {
	model
	words []Word
	stage Stage
}

// score adds up the points of a document. The words of all matching documents have the same numbers of
// typos, so that points for fewer typos would change no order.
func (m relevanceModel) score(d *Doc) (score int) {
	if m.hasNeighbours(d) {
		score += 64
	}
	last := len(m.words) - 1
	whole := m.has(last, true, m.terms(d))
	if whole {
		score += 32
	}
	for i := range m.words {
		onlyWhole := whole && i == last // a word counts where it is whole, if it is whole anywhere
		switch {
		case m.has(i, onlyWhole, cutWords(text.Words(d.Name))):
			score += 3
		case m.has(i, onlyWhole, cutWords(text.Words(d.Company))):
			score += 2
		case m.stage != InProse || m.has(i, onlyWhole, d.fieldWords()):
			score++
		}
	}
	return score
}

// terms are the words that the stage looks at.
func (m relevanceModel) terms(d *Doc) []string {
	if m.stage == InProse {
		return append(d.fieldWords(), cutWords(text.Words(truncate(d.Description, 1000)))...)
	}
	return d.fieldWords()
}

// typosOf is the fewest typos with which any document has a word, the number with which it counts.
func (m relevanceModel) typosOf(w Word) int {
	for allowed := 0; allowed <= allowedTypos(w.Text); allowed++ {
		for _, d := range m.model {
			if hasWord(m.terms(&d), w.Text, w.Last, allowed) {
				return allowed
			}
		}
	}
	return -1
}

func hasWord(terms []string, w string, prefix bool, allowed int) bool {
	return slices.ContainsFunc(terms, func(t string) bool { return countTypos(w, t, prefix) <= allowed })
}

// has reports whether the terms have a word in the way of the stage, or, if whole is set, not only as the
// beginning of a term.
func (m relevanceModel) has(i int, whole bool, terms []string) bool {
	ways := []Word{m.words[i]}
	if m.stage == JoinedAndSplit {
		if i > 0 {
			ways = append(ways, Word{Text: truncate(m.words[i-1].Text+m.words[i].Text, 40), Last: m.words[i].Last})
		}
		if i+1 < len(m.words) {
			ways = append(ways, Word{Text: truncate(m.words[i].Text+m.words[i+1].Text, 40), Last: m.words[i+1].Last})
		}
		letters := []rune(m.words[i].Text)
		for n := 2; n <= len(letters)-2; n++ {
			if hasWord(terms, string(letters[:n]), false, 0) && hasWord(terms, string(letters[n:]), m.words[i].Last && !whole, 0) {
				return true
			}
		}
	}
	return slices.ContainsFunc(ways, func(w Word) bool { return hasWord(terms, w.Text, w.Last && !whole, m.typosOf(w)) })
}

// hasNeighbours reports whether every two neighbours of the query are neighbours in the title or in the
// company's name. They are compared as one word, whose typos are those of both.
func (m relevanceModel) hasNeighbours(d *Doc) bool {
	if m.stage != AsWritten || len(m.words) < 2 {
		return false
	}
	var pairs []string
	for _, s := range []string{d.Name, d.Company} {
		for words := cutWords(text.Words(s)); len(words) > 1; words = words[1:] {
			pairs = append(pairs, truncate(strings.Join(words[:2], " "), 40))
		}
	}
	for i, w := range m.words[1:] {
		typos := m.typosOf(m.words[i]) + m.typosOf(w)
		if typos > 2 || !hasWord(pairs, truncate(m.words[i].Text+" "+w.Text, 40), w.Last, typos) {
			return false
		}
	}
	return true
}
