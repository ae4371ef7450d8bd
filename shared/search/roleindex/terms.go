package roleindex

import (
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// maxWordBytes bounds a term: what exceeds it is cut off, of words of queries too.
const maxWordBytes = 40

// splitTerms returns the words of a text as terms have them.
func splitTerms(s string) []string {
	words := text.Words(s)
	for i, word := range words {
		words[i] = truncate(word, maxWordBytes)
	}
	return words
}

// pairTerms returns the terms of each two neighbouring words.
func pairTerms(words []string) (pairs []string) {
	for i := 1; i < len(words); i++ {
		pairs = append(pairs, joinPair(words[i-1], words[i]))
	}
	return pairs
}

// truncate shortens s to at most n bytes, between characters.
func truncate[T string | []byte](s T, n int) T {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// joinPair returns the term of two neighbouring words.
func joinPair(first, second string) string { return truncate(first+" "+second, maxWordBytes) }
