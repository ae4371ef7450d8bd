package resume

import "strings"

const minStem = 2 // characters beside a star

// lexicon is a set of words and phrases, and of the beginnings and ends of words.
type lexicon struct {
	phrases          phrases
	prefix, suffixes map[string]bool
}

func newLexicon() *lexicon {
	return &lexicon{make(phrases), make(map[string]bool), make(map[string]bool)}
}

// add adds words: "nurse", "ingénieur*", "*leiter".
func (l *lexicon) add(words []string) {
	for _, word := range words {
		start, isStart := strings.CutSuffix(word, "*")
		end, isEnd := strings.CutPrefix(start, "*")
		if isStart {
			l.prefix[foldWord(end)] = true
		}
		if isEnd {
			l.suffixes[foldWord(end)] = true
		}
		if !isStart && !isEnd {
			l.phrases.add(1, word)
		}
	}
}

// isIn reports whether any of the words is in a piece of a line.
func (l *lexicon) isIn(tokens []token) bool {
	for at := range tokens {
		if l.findAt(tokens, at) > at {
			return true
		}
	}
	return false
}

// isWord reports whether the tokens are one word of the lexicon and nothing else.
func (l *lexicon) isWord(tokens []token) bool {
	if len(tokens) != 1 {
		return false
	}
	_, next := l.phrases.find(tokens, 0)
	return next == 1
}

// findAt returns the index of the token after the word or phrase at a token, or at.
func (l *lexicon) findAt(tokens []token, at int) int {
	if _, next := l.phrases.find(tokens, at); next > at {
		return next
	}
	if tokens[at].kind != wordToken {
		return at
	}
	word := tokens[at].text
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

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}
