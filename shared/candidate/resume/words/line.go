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

// Limits of what is read.
const (
	MaxLine   = 500 // characters; longer lines are split
	MaxValues = 20  // addresses of each kind; a resume has a handful
	maxWords  = 10  // of a title or a company
	minStem   = 2   // characters beside a star
)

// AppendNew appends a value that the list lacks, up to MaxValues of them.
func AppendNew(list []string, value string) []string {
	if len(list) >= MaxValues || slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

// IsShort reports whether a piece has at least one word, at most as many as a title or a company, and no address.
func IsShort(piece string) bool {
	words := len(strings.Fields(piece))
	isAddress := strings.LastIndexAny(piece, "@\\") > 0 || strings.Contains(piece, "://") // not "@Work Staffing"
	return words > 0 && words <= maxWords && !isAddress
}

// Last returns the last word of a line.
func Last(s string) string {
	s = s[max(0, len(s)-MaxLine):]
	return s[strings.LastIndexAny(s, " \t")+1:]
}

// First returns the first word of a line.
func First(s string) string {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i]
	}
	return s
}

// IsVirama reports whether r joins the consonants beside it to one syllable in a script of India.
func IsVirama(r rune) bool { return IsIndic(r) && r&0x7f == 0x4d }

// IsIndic reports whether r is of a script of India or Sri Lanka.
func IsIndic(r rune) bool { return r >= 0x900 && r < 0xd80 }

// IsLoneMark reports whether a span is only the mark of a timeline or list.
func IsLoneMark(text string) bool {
	return text != "" && strings.Contains("●○◆■◦▪•", text)
}

// IsAny reports whether one of some predicates holds for a text.
func IsAny(text string, predicates ...func(string) bool) bool {
	return slices.ContainsFunc(predicates, func(holds func(string) bool) bool { return holds(text) })
}

// Merge returns a list in which each value that join accepts is joined to the one before it, which may be the result of a join itself.
func Merge[T any](list []T, join func(last, next T) (both T, ok bool)) []T {
	var out []T
	for _, next := range list {
		if n := len(out) - 1; n >= 0 {
			if both, ok := join(out[n], next); ok {
				out[n] = both
				continue
			}
		}
		out = append(out, next)
	}
	return out
}

// Count returns for how many values of a list a predicate holds.
func Count[T any](list []T, holds func(T) bool) (n int) {
	for _, value := range list {
		if holds(value) {
			n++
		}
	}
	return n
}

// FirstRune returns the first character of a text.
func FirstRune(s string) rune {
	first, _ := utf8.DecodeRuneInString(s)
	return first
}

// IsRightToLeft reports whether text is Arabic or Hebrew, where the next word is on the left.
func IsRightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) })
}

// HasLatin reports whether a text has a Latin letter.
func HasLatin(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// IsCapital reports whether the first letter is a capital.
func IsCapital(text string) bool {
	first := FirstRune(text)
	return unicode.IsUpper(first) || unicode.IsTitle(first)
}
