// Package catalog finds roles: an immutable index that answers free text with
// typos, filters and Browse order.
//
//	Build    documents → one file
//	Open     file → Index, read in place, every byte checked first
//	View     an Index and what changed since (Overlay), and what one caller sees otherwise (Showing)
//	Search   a page of a View, by Query
//	Compact  a View → the next file, the same bytes as Build would write
//	Segments the columns of a View, for a linear scan (the matcher's)
//
// An index holds what it is given: the caller hands in a stealth role's redacted
// text, so that the withheld one can be neither found nor inferred. What some may
// see is an index of its own, from which Showing takes the roles of one caller in
// the place of the shared ones; which flags do not bind that caller, and which fees
// are offered, comes in with the query.
//
// The package knows no store, no clock and no caller. A role's text is not kept,
// only where its words are; answers are ids, versions and order keys, for the
// caller to read the rows by.
package roleindex

import (
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Doc is what the index knows of one role. Empty values mean unknown.
type Doc struct {
	// ID is kept as given; Version (below 2³²) decides between two states of one role (the higher wins).
	ID      string
	Version int64

	// BrowseRank (0 … 8191, higher first) and PostedAt (by the hour; zero: last) make the Browse order.
	BrowseRank int
	PostedAt   time.Time
	// UpdatedAt makes the other order (Updated), by the millisecond.
	UpdatedAt time.Time

	// Name, Company and OneLiner are searched, and so are places, locations, role types,
	// industries and tech stack. Description is searched when nothing else is
	// found; its first 1,000 bytes count.
	Name, Company, OneLiner, Description string
	// Places are locations as they are shown. Nothing is picked by them.
	Places []string

	// Keys of the contract's enumerations.
	Locations, RoleTypes, Industries                      []string
	Workplace, FundingRound, CompanyTier, Density, Status string
	// TechStack and Investors are free text; stack entries are told apart by their folded form.
	TechStack, Investors []string

	// SalaryLower and SalaryUpper bound the band, in whole units of whatever currency.
	SalaryLower, SalaryUpper float64
	YearsMin                 float64
	YearsMax                 float64 // 0: no upper end
	FeePercent               float64
	CompanySize              int

	// Flags that hold, e.g. SelfServeClosed.
	Flags []Flag
}

// Delta is a change to one role since a base was built.
type Delta struct {
	// Doc is the new state; of a deleted role only ID and Version count.
	Doc Doc
	// Deleted says that the role is no longer there.
	Deleted bool
}

// maxProse bounds the part of a description that is searched: enough for the
// words that make a role findable, little enough to keep the file small.
const maxProse = 1000

// forEachSearchedText lists the texts that a query is matched with first.
func (d *Doc) forEachSearchedText(each func(string)) {
	each(d.Name)
	each(d.Company)
	each(d.OneLiner)
	for _, place := range d.Places {
		each(place)
	}
	for _, keys := range [][]string{d.Locations, d.RoleTypes, d.Industries} {
		for _, key := range keys {
			each(key)
			if other, ok := spokenNames[key]; ok {
				each(other)
			}
		}
	}
	for _, t := range d.TechStack {
		each(t)
	}
}

// TruncateProse is the part of a description that is searched, in memory of its own: many
// documents need not hold their roles' texts.
func TruncateProse(description string) string { return strings.Clone(truncate(description, maxProse)) }

// searchedProse is the searched part of the description.
func (d *Doc) searchedProse() string { return truncate(d.Description, maxProse) }

// forEachFacet lists every (field, value) of the document, the flags included.
func (d *Doc) forEachFacet(each func(Field, string)) {
	for _, v := range d.Locations {
		each(Location, v)
	}
	for _, v := range d.RoleTypes {
		each(RoleType, v)
	}
	for _, v := range d.Industries {
		each(Industry, v)
	}
	each(Workplace, d.Workplace)
	each(FundingRound, d.FundingRound)
	each(CompanyTier, d.CompanyTier)
	each(Density, d.Density)
	each(Status, d.Status)
	for _, f := range d.Flags {
		each(FlagField, string(f))
	}
	for _, v := range d.TechStack {
		each(TechStack, v)
	}
}

// keyedDoc is a document and its order key.
type keyedDoc struct {
	*Doc
	key uint64
	id  []byte
}

// latestVersions keeps one document an id, the one of the highest version, in Browse order.
func latestVersions(docs []Doc) []keyedDoc {
	kept := make([]keyedDoc, 0, len(docs))
	at := make(map[string]int, len(docs))
	for i := range docs {
		d := &docs[i]
		if j, ok := at[d.ID]; !ok {
			at[d.ID], kept = len(kept), append(kept, keyedDoc{d, d.orderKey(), packID(nil, d.ID)})
		} else if d.Version > kept[j].Version {
			kept[j].Doc, kept[j].key = d, d.orderKey()
		}
	}
	slices.SortFunc(kept, func(a, b keyedDoc) int { return compareRows(a.key, b.key, a.id, b.id) })
	return kept
}

// foldValue is a value's comparable form; enumerations are compared as they are.
func foldValue(f Field, value string) string {
	if f == TechStack {
		return text.Fold(value)
	}
	return value
}
