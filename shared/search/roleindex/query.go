package roleindex

import (
	"bytes"
	"iter"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Query describes the wanted roles. The zero value matches all; every filter that is set
// must hold. A filter on a number rejects a role without that number.
type Query struct {
	// Text is free text. Empty, it matches all; without a letter or digit it matches none.
	Text string
	// AnyOf maps a field to accepted values, of which a role has at least one. An
	// entry with no values accepts nothing.
	AnyOf map[Field][]string
	// Flags are the flags that must hold (true) or must not (false).
	Flags map[Flag]bool
	// Waived are roles that count as if they did not have a flag.
	Waived map[Flag][]string
	// Investors are parts of investor names; one of them must be found in one name.
	Investors []string

	// MinSalary and MaxSalary are in whole units; the role's band must overlap them.
	MinSalary, MaxSalary *int64
	// MinYears and MaxYears are in years; the role's range must overlap them.
	MinYears, MaxYears *float64
	// MinFeePercent is a lower bound, such as 17.5.
	MinFeePercent *float64
	// OfferedFees are percents that count in place of the roles' own; 0 is unknown.
	OfferedFees map[string]float64
	// MinCompanySize and MaxCompanySize are head counts.
	MinCompanySize, MaxCompanySize *int64
	// PostedSince rejects roles posted in an earlier hour; zero rejects none.
	PostedSince time.Time

	// Only, unless nil, lists the ids that can match; Exclude those that cannot.
	Only, Exclude []string

	// Sort is the order of the rows.
	Sort Order
	// After is the position after which the page begins ([Order.Position]; not in UpdateOrder); 0 is
	// the beginning.
	After uint64
	// AfterUpdated is the row after which the page begins (UpdateOrder); nil is the beginning.
	AfterUpdated *Position
	// Limit is the number of rows wanted; below 1 it is 20.
	Limit int
}

// Order is an order of rows.
type Order int

// The orders.
const (
	BrowseOrder    Order = iota // rank, posted hour, hash of the id
	UpdateOrder                 // newest update first, then id
	RelevanceOrder              // best score first, then as in BrowseOrder
)

// Position is a position in UpdateOrder.
type Position struct {
	UpdatedAt int64 // milliseconds since 1970
	ID        string
}

// Row is a matching role.
type Row struct {
	ID string `json:"id"`
	// Key is its order key.
	Key uint64 `json:"key"`
	// Score is how well it matches, in RelevanceOrder.
	Score int `json:"-"`
	// UpdatedAt is in milliseconds since 1970, 0 unknown; with ID it is the cursor in UpdateOrder.
	UpdatedAt int64 `json:"updated"`
}

// Page is a part of the matching roles.
type Page struct {
	Rows []Row
	// More is true exactly when a matching role comes after the last row.
	More bool
}

// defaultLimit is the contract's page of GET /recruiter/roles.
const defaultLimit = 20

// maxWords bounds the words of a query: further ones are cut off.
const maxWords = 10

// Word is a word of a query's text as it is compared with terms.
type Word struct {
	Text string
	// Typos is how many are allowed.
	Typos int
	// Last reports whether the word also matches as a prefix.
	Last bool
	// Prose compares it with the words of descriptions too.
	Prose bool
}

func newWord(s string, last bool) Word { return Word{Text: s, Typos: allowedTypos(s), Last: last} }

// allowedTypos follows Algolia: none below four letters or with a digit, one below eight, else two.
func allowedTypos(s string) int {
	switch n := utf8.RuneCountInString(s); {
	case n < 4 || strings.ContainsFunc(s, unicode.IsNumber):
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// ParseWords splits a query's text into its words.
func ParseWords(query string) []Word {
	words := splitTerms(query)
	words = words[:min(len(words), maxWords)]
	out := make([]Word, len(words))
	for i, w := range words {
		out[i] = newWord(w, i == len(words)-1)
	}
	return out
}

// JoinNeighbours returns word i as it is if it is written as one with the word before it, and with the
// word after it.
func JoinNeighbours(words []Word, i int) (joined []Word) {
	if i > 0 {
		joined = append(joined, words[i-1].join(words[i]))
	}
	if i+1 < len(words) {
		joined = append(joined, words[i].join(words[i+1]))
	}
	return joined
}

func (w Word) join(next Word) Word {
	return newWord(truncate(w.Text+next.Text, maxWordBytes), next.Last)
}

// minSplit is the least number of letters of either half of a split word.
const minSplit = 2

// Splits yields the two halves of the word for every place where it can be split.
func (w Word) Splits() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		letters := []rune(w.Text)
		for n := minSplit; n <= len(letters)-minSplit && yield(string(letters[:n]), string(letters[n:])); n++ {
		}
	}
}

// A catalogue may be kept by two engines: most roles by another one, those that changed
// recently by a view. Each word counts with the fewest typos with which a role of either
// has it, and a stage of the text only if neither had a match in an earlier one. So what
// both have decides how both match, which is a [Plan].

// Stage is how much is tried to match a text.
type Stage int

// The stages. A later one counts only if no role matches in an earlier one.
const (
	AsWritten Stage = iota
	JoinedAndSplit
	InProse
	Stages // their number
)

// Plan says how a text is matched.
type Plan struct {
	Stage Stage
	// Typos maps a word to the typos with which it counts, −1 for a word that nothing has; a
	// word that is not in it counts as it is written.
	Typos map[Word]int
}

// Ways returns what a document may have for a word of a query's text, as a whole word if whole is set, besides
// its halves ([Word.Splits]): the word, and in JoinedAndSplit what it is joined with a neighbour. Typos of each
// is the number with which it counts.
func (p Plan) Ways(words []Word, i int, whole bool) (ways []Word) {
	w := words[i]
	w.Prose = p.Stage == InProse
	all := []Word{w}
	if p.Stage == JoinedAndSplit {
		all = append(all, JoinNeighbours(words, i)...)
	}
	for _, way := range all {
		if typos := p.Typos[way]; typos >= 0 {
			way.Typos = typos
			way.Last = way.Last && !whole
			ways = append(ways, way)
		}
	}
	return ways
}

// maxPairTypos is the most typos with which two neighbours of a query are found as neighbours.
const maxPairTypos = 2

// Pairs returns, for each two neighbouring words of a query's text, the word that they are together, as
// documents have them ([Entry].Pairs), with the typos that it may have. It returns none if no document
// has them all.
func (p Plan) Pairs(words []Word) (pairs []Word) {
	if p.Stage != AsWritten {
		return nil
	}
	for i := 1; i < len(words); i++ {
		pair := newWord(joinPair(words[i-1].Text, words[i].Text), words[i].Last)
		pair.Typos = p.Typos[words[i-1]] + p.Typos[words[i]]
		if pair.Typos > maxPairTypos {
			return nil
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

// The number of typos between a word and a term is their edit distance
// ([text.Distance]). A difference in the first letter counts as one more, unless the
// first two letters are swapped.

// maxLetters bounds the rows of the table: the letters of a word and the typos beyond them.
const maxLetters = maxWordBytes + 3

// termWalk finds the terms within a number of typos of a word. It walks the sorted terms
// as if they were a trie: the terms of a range share a prefix and its row of the distance
// table, which is computed once, and a range with too many typos in its prefix is skipped.
type termWalk struct {
	terms  termList
	word   []rune
	typos  int
	prefix bool                // a prefix of a term counts as the term
	found  func(low, high int) // is called with ranges of terms

	path [maxLetters]rune
	rows [maxLetters][maxLetters]uint8
}

func (w *termWalk) visitAll() {
	for j := range len(w.word) + 1 {
		w.rows[0][j] = uint8(j)
	}
	w.visitRange(0, w.terms.len(), 0, 0, 0)
}

// visitRange visits the terms in [low, high), which share a prefix of size bytes and
// depth letters. Each has at least the fewest typos.
func (w *termWalk) visitRange(low, high, size, depth, fewest int) {
	if w.prefix && w.distanceAt(depth) <= w.typos {
		w.found(low, high)
		return
	}
	if len(w.terms.at(low)) == size { // the shortest comes first: the prefix itself
		if w.distanceAt(depth) <= w.typos {
			w.found(low, low+1)
		}
		low++
	}
	switch {
	case depth+1 == maxLetters:
	case fewest == w.typos, depth == 0 && w.typos == 1: // a wrong first letter is two
		w.visitFree(low, high, size, depth)
	default: // letter after letter
		for low < high {
			letter, width := utf8.DecodeRune(w.terms.at(low)[size:])
			end := w.sharedPrefixEnd(low, high, size, w.terms.at(low)[size:size+width])
			w.visitLetter(low, end, size+width, depth, letter)
			low = end
		}
	}
}

// visitFree visits the terms in [low, high) with a next letter that can be without a further typo.
func (w *termWalk) visitFree(low, high, size, depth int) {
	var room [maxFree]rune
	letters := room[:0] // those that complete a swap are among them, because they also follow an added letter
	for j := max(0, depth-w.typos); j < min(len(w.word), depth+w.typos+1); j++ {
		if int(w.rows[depth][j]) <= w.typos {
			letters = append(letters, w.word[j])
		}
	}
	slices.Sort(letters)
	var encoded [utf8.UTFMax]byte
	for _, letter := range slices.Compact(letters) {
		next := encoded[:utf8.EncodeRune(encoded[:], letter)]
		low += sort.Search(high-low, func(i int) bool { return bytes.Compare(w.terms.at(low + i)[size:], next) >= 0 })
		if end := w.sharedPrefixEnd(low, high, size, next); low < end {
			w.visitLetter(low, end, size+len(next), depth, letter)
			low = end
		}
	}
}

// visitLetter visits the terms in [low, high); their prefix of size bytes is depth letters and the given one.
func (w *termWalk) visitLetter(low, high, size, depth int, letter rune) {
	w.path[depth] = letter
	if !w.terms.hasTermOf(len(w.word)-w.typos, low, high) {
		return // all are too short
	}
	depth++
	row := w.rows[depth][:]
	above := w.rows[depth-1][:]
	before := w.rows[max(0, depth-2)][:]
	fewest := text.NextDistances(row, above, before, w.word, w.path[:depth], w.typos) + w.firstLetterPenalty(depth)
	if fewest <= w.typos {
		w.visitRange(low, high, size, depth, fewest)
	}
}

// maxFree is the number of letters that can be free: each place of the word within two typos.
const maxFree = 5

// sharedPrefixEnd returns the end of the range of terms, from low on, that have the same bytes at size.
func (w *termWalk) sharedPrefixEnd(low, high, size int, shared []byte) int {
	return low + sort.Search(high-low, func(i int) bool { return !bytes.HasPrefix(w.terms.at(low + i)[size:], shared) })
}

// distanceAt returns the typos between the word and a prefix of depth letters, or more than the walk's.
func (w *termWalk) distanceAt(depth int) int {
	if max(depth-len(w.word), len(w.word)-depth) > w.typos {
		return w.typos + 1 // the cell is not filled
	}
	return int(w.rows[depth][len(w.word)]) + w.firstLetterPenalty(depth)
}

// firstLetterPenalty returns 1 if the first letters differ. After only one letter it may
// still turn out to be a swap.
func (w *termWalk) firstLetterPenalty(depth int) int {
	switch {
	case depth == 0 || w.path[0] == w.word[0]:
		return 0
	case len(w.word) > 1 && w.path[0] == w.word[1] && (depth == 1 || w.path[1] == w.word[0]):
		return 0
	}
	return 1
}
