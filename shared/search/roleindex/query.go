package roleindex

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Query says which roles are wanted. The zero value wants all; everything that
// is set must hold. A number that a role does not have passes no filter on it.
type Query struct {
	// Text is free text; without a word in it, it restricts nothing.
	Text string
	// AnyOf maps a field to accepted values, of which a role has at least one. An
	// entry with no values accepts nothing.
	AnyOf map[Field][]string
	// Flags says which flags must hold (true) or must not (false).
	Flags map[Flag]bool
	// Waived are roles that count as if they did not have a flag.
	Waived map[Flag][]string
	// Investors are parts of investor names; one of them must be found in one name.
	Investors []string

	// MinSalary and MaxSalary are in whole units; the role's band must overlap them.
	MinSalary, MaxSalary *int
	// MinYears and MaxYears are in years; the role's range must overlap them.
	MinYears, MaxYears *float64
	// MinFeePercent is a lower bound, such as 17.5.
	MinFeePercent *float64
	// OfferedFees are percents that count in the place of the roles' own; 0 is unknown.
	OfferedFees map[string]float64
	// MinCompanySize and MaxCompanySize are head counts.
	MinCompanySize, MaxCompanySize *int
	// PostedSince leaves out what was posted in an earlier hour; zero leaves out nothing.
	PostedSince time.Time

	// Only, unless nil, are the ids that come into question; Exclude are ids that do not.
	Only, Exclude []string

	// Sort is the order of the answer.
	Sort Order
	// After is the order key after which the page begins (Browse); 0 is the beginning.
	After uint64
	// AfterUpdated is the row after which the page begins (Updated); nil is the beginning.
	AfterUpdated *Position
	// Limit is the number of rows wanted; below 1 it is 20.
	Limit int
}

// Order is an order of rows.
type Order int

// The orders.
const (
	BrowseOrder Order = iota // rank, posted hour, hash of the id
	UpdateOrder              // newest update first, then id
)

// Position is a place in the order Updated.
type Position struct {
	UpdatedAt int64 // milliseconds since 1970
	ID        string
}

// Row is a role that was found.
type Row struct {
	ID      string
	Version int64
	// Key is its order key: the cursor for what comes after it in Browse order.
	Key uint64
	// UpdatedAt is in milliseconds since 1970, 0 unknown; with ID the cursor in the order Updated.
	UpdatedAt int64
}

// Page is a part of the answer.
type Page struct {
	Rows []Row
	// More is true exactly when a matching role comes after the last row.
	More bool
}

// defaultLimit is the contract's page of GET /recruiter/roles.
const defaultLimit = 20

// Limits of a query: what is more is cut.
const (
	maxWords     = 10
	maxWordBytes = 40
)

// queryWord is one word of a query.
type queryWord struct {
	text    string
	letters []rune
	typos   int
	last    bool // also matches as a prefix
}

func newQueryWord(s string, last bool) queryWord {
	return queryWord{text: s, letters: []rune(s), typos: allowedTypos(s), last: last}
}

// allowedTypos is Algolia's rule: none below four letters or with a digit, one below eight, else two.
func allowedTypos(s string) int {
	switch n := utf8.RuneCountInString(s); {
	case n < 4 || strings.ContainsFunc(s, unicode.IsNumber):
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// parseWords takes a query's text apart.
func parseWords(query string) []queryWord {
	words := text.Words(query)
	words = words[:min(len(words), maxWords)]
	out := make([]queryWord, len(words))
	for i, w := range words {
		out[i] = newQueryWord(truncate(w, maxWordBytes), i == len(words)-1)
	}
	return out
}
