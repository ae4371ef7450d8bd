package role

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// A name of fewer letters than these is sought in fewer places of a word, because it is more often in
// it by chance: one of minAnywhere at every place, one of minBeginning where a part of the word
// begins, a shorter one as a whole part. In a domain or a handle minJoined bytes are enough.
const (
	minJoined    = 3
	minBeginning = 3
	minAnywhere  = 5
)

// handlePrefixes are put before names in handles.
var handlePrefixes = []string{
	"at", "ask", "by", "from", "get", "go", "hello", "hey", "in", "join", "life", "meet", "my", "on", "run", "team",
	"the", "try", "use", "we", "with",
}

// contains reports whether the word is made with a name: its parts, which begin where the case changes, contain the name
// and are not ordinary words.
func (w word) contains(name string) bool {
	if !strings.Contains(w.folded, name) {
		return false
	}
	if w.inAddress && len(name) >= minJoined && !isOrdinary(w.folded) {
		return true
	}
	var parts strings.Builder
	var bounds []int // where the word's parts begin, and its end
	for _, part := range strings.Fields(splitCase(w.original)) {
		bounds = append(bounds, parts.Len())
		parts.WriteString(text.Fold(part))
	}
	bounds = append(bounds, parts.Len())
	folded := parts.String()
	for from := 0; ; {
		i := strings.Index(folded[from:], name)
		if i < 0 {
			return false
		}
		if isNamePlace(folded, bounds, from+i, from+i+len(name)) {
			return true
		}
		from += i + 1
	}
}

// isNamePlace reports whether the letters from start to end of a word are a name and not a piece of an
// ordinary word. bounds are the places where the word's parts begin and end.
func isNamePlace(folded string, bounds []int, start, end int) bool {
	begun, _ := slices.BinarySearch(bounds, start+1)
	ended, _ := slices.BinarySearch(bounds, end)
	first := bounds[begun-1] // of the parts that the letters touch
	last := bounds[ended]
	if first == start && last == end {
		return true
	}
	part := folded[first:last]
	letters := utf8.RuneCountInString(folded[start:end])
	if isOrdinary(part) {
		return false
	}
	prefixed := slices.Contains(handlePrefixes, folded[first:start])
	switch {
	case letters >= minAnywhere:
		return true
	case letters >= minBeginning:
		return first == start || prefixed
	}
	return prefixed && last == end
}

// splitCase puts a blank wherever the case changes: between a lower and an upper letter, between
// letters and digits, and before the last of several upper letters that a lower one follows.
func splitCase(s string) string {
	var out strings.Builder
	letters := []rune(s)
	for i, r := range letters {
		if i > 0 && beginsPart(letters, i) {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
	}
	return out.String()
}

func beginsPart(letters []rune, i int) bool {
	before := letters[i-1]
	r := letters[i]
	switch {
	case unicode.IsNumber(r) != unicode.IsNumber(before):
		return isWordLetter(r) && isWordLetter(before)
	case !unicode.IsUpper(r):
		return false
	case unicode.IsUpper(before):
		return i+1 < len(letters) && unicode.IsLower(letters[i+1])
	}
	return unicode.IsLower(before)
}

func isWordLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

//go:embed commonwords.txt
var commonWordsFile string

//go:embed ordinarywords.txt
var ordinaryWordsFile string

// commonWords holds the words of commonwords.txt by whether they are legal forms.
var commonWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(commonWordsFile) {
		kind, list, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "//") {
			continue
		}
		for _, word := range strings.Fields(list) {
			words[text.Fold(word)] = words[text.Fold(word)] || kind == "legal"
		}
	}
	return words
})

// ordinaryWords returns the words of ordinarywords.txt, in sorted order.
var ordinaryWords = sync.OnceValue(func() []string {
	lines := strings.Split(strings.TrimSpace(ordinaryWordsFile), "\n")
	return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "//") })
})

// isCommon reports whether a folded word does not distinguish a company.
func isCommon(folded string) bool {
	_, common := commonWords()[folded]
	return common
}

// isLegalForm reports whether a folded word is the legal form of companies.
func isLegalForm(folded string) bool { return commonWords()[folded] }

// isOrdinary reports whether a folded word is one of ordinary prose, so that a name in it is chance.
func isOrdinary(folded string) bool {
	_, found := slices.BinarySearch(ordinaryWords(), folded)
	return found || isCommon(folded)
}
