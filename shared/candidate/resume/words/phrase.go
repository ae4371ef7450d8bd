package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Token is a word, a number, or one other character of a line. In scripts without spaces each character is a word.
type Token struct {
	Text        string // of a word, folded (Fold)
	Kind        TokenKind
	First, Last int // the bytes [first, last) of the line
}

// TokenKind is what a token consists of.
type TokenKind byte

// The kinds of tokens.
const (
	Word TokenKind = iota
	Number
	Space // a run of spaces
	Mark  // any other character
)

// Scan splits a line into tokens, without a gap between them.
func Scan(line string) []Token {
	var tokens []Token
	for at := 0; at < len(line); {
		r, size := utf8.DecodeRuneInString(line[at:])
		end := at + size
		kind := runeKind(r)
		for kind != Mark && !IsUnspaced(r) && end < len(line) {
			next, size := utf8.DecodeRuneInString(line[end:])
			if runeKind(next) != kind || IsUnspaced(next) {
				break
			}
			end += size
		}
		text := line[at:end]
		switch {
		case kind == Word:
			text = Fold(text)
		case r == '’' || r == '‘':
			text = "'"
		}
		tokens = append(tokens, Token{text, kind, at, end})
		at = end
	}
	return tokens
}

func runeKind(r rune) TokenKind {
	switch {
	case r >= '0' && r <= '9':
		return Number
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return Word
	case r == ' ' || r == '\u00a0':
		return Space
	}
	return Mark
}

// IsUnspaced reports whether r is of a script without spaces between words.
func IsUnspaced(r rune) bool {
	return r > 0xe00 && unicode.In(r, unspacedScripts...)
}

var unspacedScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

var letterForms = strings.NewReplacer("ı", "i", "ß", "ss", "ς", "σ", "ł", "l", "ø", "o", "đ", "d", "æ", "ae", "œ", "oe",
	"أ", "ا", "إ", "ا", "آ", "ا", "ى", "ي", "ة", "ه", "ی", "ي", "ک", "ك", "ـ", "")

// Fold makes the spellings of a word equal: case, accents of Latin, Greek and Cyrillic
// letters, and the vowel signs of Arabic and Hebrew do not matter.
func Fold(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return s
	}
	decomposed := norm.NFD.String(strings.ToLower(norm.NFKC.String(s)))
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 0x300 && r <= 0x36f, // accents
			r >= 0x591 && r <= 0x5c7, // of Hebrew
			r >= 0x64b && r <= 0x655: // of Arabic
			return -1
		}
		return r
	}, decomposed)
	return norm.NFC.String(letterForms.Replace(kept))
}

// Phrases finds words and phrases at a place in a line. The zero value has none.
type Phrases struct {
	whole        map[string][]phrase // by the first token's text, the longest first
	starts, ends map[string]bool     // of words with a star
}

type phrase struct {
	tokens  []Token
	meaning int
}

const minStem = 2 // characters beside a star

// add adds words and phrases with a meaning: "nurse", "ingénieur*", "*leiter". Of equal phrases the first one counts.
func (p *Phrases) add(meaning int, list ...string) {
	if p.whole == nil {
		*p = Phrases{make(map[string][]phrase), make(map[string]bool), make(map[string]bool)}
	}
	for _, text := range list {
		start, isStart := strings.CutSuffix(text, "*")
		end, isEnd := strings.CutPrefix(start, "*")
		if isStart {
			p.starts[Fold(end)] = true
		}
		if isEnd {
			p.ends[Fold(end)] = true
		}
		tokens := slices.DeleteFunc(Scan(text), func(t Token) bool { return t.Kind == Space })
		if isStart || isEnd || len(tokens) == 0 {
			continue
		}
		key := tokens[0].Text
		p.whole[key] = append(p.whole[key], phrase{tokens, meaning})
		slices.SortStableFunc(p.whole[key], func(a, b phrase) int { return len(b.tokens) - len(a.tokens) })
	}
}

// Find returns the meaning of the longest phrase that begins at a token, and the index
// of the token after it, which is at if there is none. A word with a star means 0.
func (p *Phrases) Find(tokens []Token, at int) (meaning, next int) {
	if at >= len(tokens) {
		return 0, at
	}
	for _, ph := range p.whole[tokens[at].Text] {
		if next := ph.match(tokens, at); next > at {
			return ph.meaning, next
		}
	}
	if tokens[at].Kind != Word || len(p.starts)+len(p.ends) == 0 {
		return 0, at
	}
	word := tokens[at].Text
	for i := range word {
		if i >= minStem && (p.starts[word[:i]] || p.ends[word[i:]]) {
			return 0, at + 1
		}
	}
	if p.starts[word] || p.ends[word] {
		return 0, at + 1
	}
	return 0, at
}

// IsIn reports whether any of the words is in a piece of a line.
func (p *Phrases) IsIn(tokens []Token) bool {
	for at := range tokens {
		if _, next := p.Find(tokens, at); next > at {
			return true
		}
	}
	return false
}

// Has reports whether any of the words is in a text.
func (p *Phrases) Has(text string) bool { return p.IsIn(Scan(text)) }

// IsWord reports whether the tokens are one word of the list and nothing else.
func (p *Phrases) IsWord(tokens []Token) bool {
	return len(tokens) == 1 && slices.ContainsFunc(p.whole[tokens[0].Text], func(ph phrase) bool { return len(ph.tokens) == 1 })
}

func (ph phrase) match(tokens []Token, at int) (next int) {
	i := at
	for _, want := range ph.tokens {
		i = SkipSpaces(tokens, i)
		if i >= len(tokens) || tokens[i].Text != want.Text {
			return at
		}
		i++
	}
	return i
}

// SkipSpaces returns the index of the first token from at on that is not a space.
func SkipSpaces(tokens []Token, at int) int {
	for at < len(tokens) && tokens[at].Kind == Space {
		at++
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
