package resume

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a word, a number, or one other character of a line. In scripts without
// spaces each character is a word.
type token struct {
	text        string // of a word, folded (foldWord)
	kind        tokenKind
	first, last int // the bytes [first, last) of the line
}

type tokenKind byte

const (
	wordToken tokenKind = iota
	numberToken
	spaceToken // a run of spaces
	markToken  // any other character
)

// scanTokens splits a line into tokens, without a gap between them.
func scanTokens(line string) []token {
	var tokens []token
	for at := 0; at < len(line); {
		r, size := utf8.DecodeRuneInString(line[at:])
		end := at + size
		kind := runeKind(r)
		for kind != markToken && !isUnspaced(r) && end < len(line) {
			next, size := utf8.DecodeRuneInString(line[end:])
			if runeKind(next) != kind || isUnspaced(next) {
				break
			}
			end += size
		}
		text := line[at:end]
		switch {
		case kind == wordToken:
			text = foldWord(text)
		case r == '’' || r == '‘':
			text = "'"
		}
		tokens = append(tokens, token{text, kind, at, end})
		at = end
	}
	return tokens
}

func runeKind(r rune) tokenKind {
	switch {
	case r >= '0' && r <= '9':
		return numberToken
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return wordToken
	case r == ' ' || r == '\u00a0':
		return spaceToken
	}
	return markToken
}

// isUnspaced reports whether r is of a script whose words are not parted by spaces.
func isUnspaced(r rune) bool {
	return r > 0xe00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

var letterForms = strings.NewReplacer("ı", "i", "ß", "ss", "ς", "σ", "ł", "l", "ø", "o", "đ", "d", "æ", "ae", "œ", "oe",
	"أ", "ا", "إ", "ا", "آ", "ا", "ى", "ي", "ة", "ه", "ی", "ي", "ک", "ك", "ـ", "")

// foldWord makes the spellings of a word equal: case, accents of Latin, Greek and Cyrillic
// letters, and the vowel signs of Arabic and Hebrew do not matter.
func foldWord(s string) string {
	if isPlainLower(s) {
		return s
	}
	decomposed := norm.NFD.String(strings.ToLower(norm.NFKC.String(s)))
	kept := strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f || r >= 0x591 && r <= 0x5c7 || r >= 0x64b && r <= 0x655 {
			return -1
		}
		return r
	}, decomposed)
	return norm.NFC.String(letterForms.Replace(kept))
}

func isPlainLower(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// phrases finds phrases of one or more words at a place in a line.
type phrases map[string][]phrase // by the first token's text, the longest first

type phrase struct {
	tokens  []token
	meaning int
}

// add adds phrases with a meaning. Of equal phrases the first one counts.
func (p phrases) add(meaning int, list ...string) {
	for _, text := range list {
		tokens := slices.DeleteFunc(scanTokens(text), func(t token) bool { return t.kind == spaceToken })
		if len(tokens) == 0 {
			continue
		}
		key := tokens[0].text
		p[key] = append(p[key], phrase{tokens, meaning})
		slices.SortStableFunc(p[key], func(a, b phrase) int { return len(b.tokens) - len(a.tokens) })
	}
}

// find returns the meaning of the longest phrase that begins at a token, and the index
// of the token after it, which is at if there is none.
func (p phrases) find(tokens []token, at int) (meaning, next int) {
	if at >= len(tokens) {
		return 0, at
	}
	for _, ph := range p[tokens[at].text] {
		if next := ph.match(tokens, at); next > at {
			return ph.meaning, next
		}
	}
	return 0, at
}

func (ph phrase) match(tokens []token, at int) (next int) {
	i := at
	for _, want := range ph.tokens {
		if i = skipSpaces(tokens, i); i >= len(tokens) || tokens[i].text != want.text {
			return at
		}
		i++
	}
	return i
}

func skipSpaces(tokens []token, at int) int {
	for at < len(tokens) && tokens[at].kind == spaceToken {
		at++
	}
	return at
}
