package charset

import (
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// isSymbol reports whether a character is one that text has beside letters.
func isSymbol(r rune) bool {
	return r >= 0x2000 && unicode.IsPunct(r) || unicode.IsSpace(r) || strings.ContainsRune("©®™°€£¥§«»·¡¿№●○■□◆◇★☆▪▲►→～￥、。،؛؟", r)
}

// Natural logarithms of probabilities, and what they decide.
const (
	unseenPair   = -12.0 // a pair of letters that no list has
	unseenLetter = -12.0 // a Chinese character that no list has
	strangeSign  = -9.0  // a sign that text hardly has
	usualSign    = -3.0  // a dash, a bullet or another usual one
	caseError    = -6.0  // a capital letter within a word
	fewestPairs  = 0.05  // smoothing
	mostUnseen   = 0.25  // per byte outside ASCII: above, the text is none
	clearMargin  = 5.0   // by which the best encoding must exceed the next
	clearPerByte = 1.0   // the same for short texts
	worstScore   = -1e18
)

// letterCounts are how often letters outside ASCII follow others in the lists of words and
// places, which have 50 languages.
type letterCounts struct {
	pairs   map[[2]rune]float64
	letters map[rune]float64
	total   float64 // of unspaced letters
}

var letterStatistics = sync.OnceValue(func() *letterCounts {
	n := &letterCounts{make(map[[2]rune]float64), make(map[rune]float64), 0}
	for _, list := range words.Lists() {
		last := ' '
		for _, r := range strings.ToLower(list) {
			r = pairLetter(r)
			if last >= utf8.RuneSelf || r >= utf8.RuneSelf {
				n.pairs[[2]rune{last, r}]++
			}
			if words.IsUnspaced(r) {
				n.total++
			}
			n.letters[r]++
			last = r
		}
	}
	return n
})

// pairLetter returns a letter as pairs have it: a space for anything but a letter.
func pairLetter(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsMark(r) {
		return r
	}
	return ' '
}

// likelihood is how likely a text's letters outside ASCII are, the higher the likelier, and how many
// pairs, letters and signs are in no list.
type likelihood struct {
	score  float64
	unseen int
}

func (l *likelihood) add(score, unseen float64) {
	l.score += score
	if score == unseen {
		l.unseen++
	}
}

func (n *letterCounts) rate(text string) likelihood {
	var sum likelihood
	last := ' '
	wasLower := false
	for _, r := range text {
		low := pairLetter(unicode.ToLower(r))
		switch {
		case r >= utf8.RuneSelf && low == ' ' && !isSymbol(r):
			sum.add(strangeSign, strangeSign)
		case r >= utf8.RuneSelf && low == ' ':
			sum.add(usualSign, strangeSign)
		case words.IsUnspaced(low):
			sum.add(n.scoreLetter(low), unseenLetter)
		case low >= utf8.RuneSelf || last >= utf8.RuneSelf && !words.IsUnspaced(last):
			sum.add(n.scorePair(last, low), unseenPair)
		}
		isBeyondASCII := r >= utf8.RuneSelf || last >= utf8.RuneSelf
		if isBeyondASCII && wasLower && unicode.IsUpper(r) {
			sum.add(caseError, caseError)
		}
		last = low
		wasLower = unicode.IsLower(r)
	}
	return sum
}

// scorePair returns the logarithm of the probability of a letter after another.
func (n *letterCounts) scorePair(a, b rune) float64 {
	count := n.pairs[[2]rune{a, b}]
	if count == 0 {
		return unseenPair
	}
	return math.Log((count + fewestPairs) / (n.letters[a] + 1))
}

func (n *letterCounts) scoreLetter(r rune) float64 {
	count := n.letters[r]
	if count == 0 {
		return unseenLetter
	}
	return math.Log(count / n.total)
}
