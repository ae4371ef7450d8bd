package roleindex

import (
	"iter"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
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

// join returns the word that two neighbours are if they are written as one.
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
