package words

import (
	"strings"
)

const minStem = 2 // characters beside a star

// lexicon is a set of words and phrases, and of the beginnings and ends of words.
type lexicon struct {
	phrases          Phrases
	prefix, suffixes map[string]bool
}

func newLexicon() *lexicon {
	return &lexicon{make(Phrases), make(map[string]bool), make(map[string]bool)}
}

// add adds words: "nurse", "ingénieur*", "*leiter".
func (l *lexicon) add(words []string) {
	for _, word := range words {
		start, isStart := strings.CutSuffix(word, "*")
		end, isEnd := strings.CutPrefix(start, "*")
		if isStart {
			l.prefix[Fold(end)] = true
		}
		if isEnd {
			l.suffixes[Fold(end)] = true
		}
		if !isStart && !isEnd {
			l.phrases.add(1, word)
		}
	}
}

// IsIn reports whether any of the words is in a piece of a line.
func (l *lexicon) IsIn(tokens []Token) bool {
	for at := range tokens {
		if l.FindAt(tokens, at) > at {
			return true
		}
	}
	return false
}

// IsWord reports whether the tokens are one word of the lexicon and nothing else.
func (l *lexicon) IsWord(tokens []Token) bool {
	if len(tokens) != 1 {
		return false
	}
	_, next := l.phrases.Find(tokens, 0)
	return next == 1
}

// FindAt returns the index of the token after the word or phrase at a token, or at.
func (l *lexicon) FindAt(tokens []Token, at int) int {
	if _, next := l.phrases.Find(tokens, at); next > at {
		return next
	}
	if tokens[at].Kind != Word {
		return at
	}
	word := tokens[at].Text
	for i := range word {
		if i >= minStem && (l.prefix[word[:i]] || l.suffixes[word[i:]]) {
			return at + 1
		}
	}
	if l.prefix[word] || l.suffixes[word] {
		return at + 1
	}
	return at
}

// Set returns the words of a list that spaces separate.
func Set(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}
