package role

import (
	"cmp"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// nameHider replaces names in texts: whole words, regardless of case, accents, width and what separates the words
// of a name; and words that are made with a name, as handles, domains and compounds are.
type nameHider struct {
	label string
	// phrases by their first word, longest first.
	phrases map[string][]namePhrase
	// compounds are the words that are sought within others.
	compounds []string
}

func newNameHider(label string, names []string, hosts ...string) nameHider {
	h := nameHider{label: label, phrases: map[string][]namePhrase{}}
	for _, name := range names {
		h.addName(name)
	}
	for _, host := range hosts {
		host = strings.TrimPrefix(strings.ToLower(host), "www.")
		h.addPhrase(wordsOf(host), 1)
		if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil { // which the company registered
			h.addPhrase(wordsOf(domain), 1)
		}
	}
	for _, all := range h.phrases {
		slices.SortFunc(all, func(a, b namePhrase) int { return cmp.Compare(len(b.words), len(a.words)) })
	}
	return h
}

// word is one word of a text with its offsets.
type word struct {
	original   string
	folded     string
	start, end int
	inAddress  bool
}

var (
	// markup matches what may separate words without being one: tags, entities and escaped bytes.
	markup = text.Expression(`<[^<>]{0,200}>|&#?[0-9A-Za-z]{1,10};|%[0-9A-Fa-f]{2}`)
	// innerTags match those that may be within a word.
	innerTags = text.Expression(`(?i)</?(?:a|abbr|b|big|code|em|font|i|mark|s|small|span|strong|sub|sup|u|wbr)(?:[\s/][^<>]{0,200})?>`)
	// escapes match entities, and characters in UTF-8 as escaped bytes.
	escapes = text.Expression(`&#?[0-9A-Za-z]{1,10};|%[0-7][0-9A-Fa-f]|%[C-Dc-d][0-9A-Fa-f]%[89ABab][0-9A-Fa-f]|` +
		`%[Ee][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){2}|%[Ff][0-7](?:%[89ABab][0-9A-Fa-f]){3}`)
)

// hideNames replaces every name in s: in the words that are left without markup, in those that are left if inner tags
// separate none, and in the words as they are. Letters that are escaped are replaced by themselves.
func (h nameHider) hideNames(s string) string {
	if len(h.phrases) == 0 || s == "" {
		return s
	}
	s = norm.NFC.String(s)
	if strings.ContainsAny(s, "<&%") {
		s = norm.NFC.String(escapes().ReplaceAllStringFunc(s, decodeLetter))
		blankOut := func(s string) string { return strings.Repeat(" ", len(s)) }
		s = h.replaceNames(s, splitWords(markup().ReplaceAllStringFunc(s, blankOut)))
		s = h.replaceNames(s, splitWords(innerTags().ReplaceAllStringFunc(s, leaveOut)))
	}
	return h.replaceNames(s, splitWords(s))
}

// decodeLetter returns what an entity or escaped bytes stand for if that is part of a word, and else the same.
func decodeLetter(escaped string) string {
	shown := html.UnescapeString(escaped)
	if escaped[0] == '%' {
		shown, _ = url.PathUnescape(escaped) // valid escapes alone match
	}
	if strings.ContainsFunc(shown, func(r rune) bool { return !isInWord(r) }) {
		return escaped
	}
	return shown
}

// leaveOut returns as many bytes, at least two, that do not separate words: soft hyphens and at most one zero width space.
func leaveOut(s string) string {
	odd := len(s) % 2
	return strings.Repeat("\u200b", odd) + strings.Repeat("\u00ad", (len(s)-3*odd)/2)
}

// replaceNames puts the label in the place of names among the words of s.
func (h nameHider) replaceNames(s string, words []word) string {
	var out strings.Builder
	from := 0
	for i := 0; i < len(words); i++ {
		n := h.matchNames(words[i:])
		if n == 0 {
			continue
		}
		out.WriteString(s[from:words[i].start])
		out.WriteString(h.label)
		i += n - 1
		from = words[i].end
	}
	if from == 0 {
		return s
	}
	return out.String() + s[from:]
}

// matchNames returns how many words at the beginning are a name; 0 if they are none.
func (h nameHider) matchNames(words []word) int {
	for _, phrase := range h.phrases[words[0].folded] {
		if n := phrase.match(words); n > 0 {
			return n
		}
	}
	if slices.ContainsFunc(h.compounds, words[0].contains) {
		return 1
	}
	return 0
}

// match returns how many words at the beginning are this phrase; 0 if they are not.
func (p namePhrase) match(words []word) int {
	n := 1
	for _, next := range p.words[1:] {
		if n < len(words)-1 && words[n].folded == andWord {
			n++
		}
		if n == len(words) || words[n].folded != next || words[n].start-words[n-1].end > p.maxGap {
			return 0
		}
		n++
	}
	return n
}

// splitWords finds the words of a text. In scripts that are written without spaces every character is one.
func splitWords(s string) []word {
	var words []word
	start := -1
	finish := func(end int) {
		if start >= 0 {
			if folded := text.Fold(s[start:end]); folded != "" {
				words = append(words, word{original: s[start:end], folded: folded, start: start, end: end})
			}
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case r >= utf8.RuneSelf && unicode.In(r, unspacedScripts...):
			finish(i)
			start = i
			finish(i + len(string(r)))
		case isInWord(r):
			if start < 0 {
				start = i
			}
		default:
			finish(i)
		}
	}
	finish(len(s))
	markAddresses(s, words)
	return words
}

func isInWord(r rune) bool {
	return unicode.In(r, unicode.Letter, unicode.Number, unicode.Mark, unicode.Cf)
}

// markAddresses marks the words of domains, handles and e-mail addresses.
func markAddresses(s string, words []word) {
	before := func(w word) byte { // the character before a word
		if w.start == 0 {
			return ' '
		}
		return s[w.start-1]
	}
	for len(words) > 0 {
		n := 1
		address := before(words[0]) == '@'
		for ; n < len(words) && words[n].start == words[n-1].end+1 && strings.IndexByte(".-_@", before(words[n])) >= 0; n++ {
			address = address || before(words[n]) == '@' || before(words[n]) == '.' && publicSuffix(words[n].folded) != ""
		}
		for i := range words[:n] {
			words[i].inAddress = address
		}
		words = words[n:]
	}
}

// unspacedScripts are scripts without spaces between words.
var unspacedScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// namePhrase is a sequence of words that is withheld, and how many bytes may separate two of them.
type namePhrase struct {
	words  []string
	maxGap int
}

// maxGap is that of the words of a name, in bytes.
const maxGap = 40

// addName adds a name of a company: as it is and without what people leave out, as the legal forms at its ends, then what
// is left in one word, and its distinctive words.
func (h *nameHider) addName(name string) {
	words := nameWords(name)
	if len(words) > 2 && words[0] == "the" {
		h.addPhrase(words[1:], maxGap)
	}
	h.addPhrase(words, maxGap)
	h.addPhrase(nameWords(splitCase(name)), maxGap)
	for {
		less := withoutLegalForm(words)
		if len(less) == len(words) || len(less) == 1 && isCommon(less[0]) { // a common word does not stay alone
			break
		}
		words = less
		h.addPhrase(words, maxGap)
	}
	for _, some := range [][]string{words, dropAnds(words)} {
		joined := strings.Join(some, "")
		if len(joined) >= minJoined && !isCommon(joined) {
			h.addWord(joined)
		} else if joined != "" {
			h.addPhrase([]string{joined}, maxGap)
		}
	}
	for _, w := range words {
		isAnyName := isCommon(w) || strings.Trim(w, "0123456789") == ""
		if utf8.RuneCountInString(w) > 1 && !isAnyName {
			h.addWord(w)
		}
	}
}

// withoutLegalForm returns the words of a name without one legal form, which may be several, as "S.A." and 株式会社 are.
func withoutLegalForm(words []string) []string {
	if len(words) > 1 && words[len(words)-1] == andWord {
		return words[:len(words)-1]
	}
	for n := 1; n < len(words) && n <= 4; n++ {
		if isLegalForm(strings.Join(words[len(words)-n:], "")) {
			return words[:len(words)-n]
		}
		if n > 1 && isLegalForm(strings.Join(words[:n], "")) {
			return words[n:]
		}
	}
	return words
}

// addWord adds a word that is sought within others too.
func (h *nameHider) addWord(w string) {
	h.addPhrase([]string{w}, maxGap)
	if !slices.Contains(h.compounds, w) {
		h.compounds = append(h.compounds, w)
	}
}

// addPhrase adds words without the inner "and"s.
func (h *nameHider) addPhrase(words []string, gap int) {
	words = dropAnds(words)
	if len(words) > 0 {
		h.phrases[words[0]] = append(h.phrases[words[0]], namePhrase{words, gap})
	}
}

// andWord may be written for an ampersand, and both may be left out.
const andWord = "and"

// nameWords returns the words of a name, its ampersands spelled out.
func nameWords(name string) (words []string) {
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '&' || r == '＆' }) {
		more := wordsOf(part)
		if len(words) > 0 && len(more) > 0 {
			words = append(words, andWord)
		}
		words = append(words, more...)
	}
	return words
}

func dropAnds(words []string) (some []string) {
	for i, w := range words {
		if w != andWord || i == 0 || i == len(words)-1 {
			some = append(some, w)
		}
	}
	return some
}

func wordsOf(s string) []string {
	var all []string
	for _, w := range splitWords(norm.NFC.String(s)) {
		all = append(all, w.folded)
	}
	return all
}
