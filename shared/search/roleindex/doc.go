// Package roleindex finds roles: an immutable index that answers free text with typos and
// filters, in Browse order, by relevance or by update.
//
//	[Build]         documents → one file
//	[Open]          file → [Index], read in place, every byte checked first
//	[Join]          several indexes with different roles → one view
//	[View]          an index, the changes since ([View.Overlay]), and what one caller sees otherwise ([View.WithRolesFrom])
//	[View.Rebase]   the changes of a view → over a newer base
//	[View.Search]   a page of a view, by [Query]
//	[View.Compact]  a view → the next file, the same bytes as Build would write
//	[View.Segments] the columns of a view, for a linear scan (package recommend's)
//
// An index holds what it is given: the caller passes the redacted text of a stealth
// role, so that what is withheld can be neither found nor inferred. What some callers
// may see is an index of its own, from which WithRolesFrom takes the roles of one
// caller in place of the shared ones. Which flags do not bind that caller, and which
// fees the caller is offered, comes in with the query.
//
// The package knows no store, no clock and no caller. It does not keep a role's text,
// only where its words occur; results are ids and order keys, by which the
// caller reads the rows.
package roleindex

import (
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Doc is what the index knows of one role. The zero value of a field means unknown.
type Doc struct {
	// ID is kept as given.
	ID string

	// BrowseRank (0 … 8191, higher first) and PostedAt (by the hour; zero: last) are the
	// Browse order (BrowseOrder).
	BrowseRank int
	PostedAt   time.Time
	// UpdatedAt is the other order (UpdateOrder), by the millisecond.
	UpdatedAt time.Time

	// Name, Company and OneLiner are searched, and so are places, locations, role types,
	// industries and tech stack. The first 1,000 bytes of Description are searched when
	// the others have no match.
	Name, Company, OneLiner, Description string
	// Places are locations as they are shown. No filter looks at them.
	Places []string

	// Keys of the contract's enumerations.
	Locations, RoleTypes, Industries                      []string
	Workplace, FundingRound, CompanyTier, Density, Status string
	// TechStack and Investors are free text; entries of one folded form are one.
	TechStack, Investors []string

	// SalaryLower and SalaryUpper bound the band, in whole units of any currency.
	SalaryLower, SalaryUpper float64
	YearsMin                 float64
	YearsMax                 float64 // 0: no upper end
	FeePercent               float64
	CompanySize              int

	// Flags that hold, e.g. SelfServeClosed.
	Flags []Flag
}

// maxProse bounds the part of a description that is searched: enough for the
// words that make a role findable, little enough to keep the file small.
const maxProse = 1000

// forEachSearchedText calls each with the texts that a query is matched against first.
func (d *Doc) forEachSearchedText(each func(string)) {
	d.forEachOwnText(each)
	d.forEachFacet(func(f Field, v string) {
		for _, s := range f.searchedTexts(v) {
			each(s)
		}
	})
}

// forEachOwnText calls each with the searched texts that are not values of fields.
func (d *Doc) forEachOwnText(each func(string)) {
	each(d.Name)
	each(d.Company)
	each(d.OneLiner)
	for _, place := range d.Places {
		each(place)
	}
}

// TruncateProse returns the searched part of a description as a copy, so that a document
// does not keep the whole text in memory.
func TruncateProse(description string) string { return strings.Clone(truncate(description, maxProse)) }

// searchedProse returns the searched part of the description.
func (d *Doc) searchedProse() string { return truncate(d.Description, maxProse) }

// forEachFacet calls each with every field and value of the document, flags included.
// Values may be empty.
func (d *Doc) forEachFacet(each func(Field, string)) {
	for field, values := range [TechStack + 1][]string{
		Location: d.Locations, RoleType: d.RoleTypes, Industry: d.Industries, Workplace: {d.Workplace}, FundingRound: {d.FundingRound},
		CompanyTier: {d.CompanyTier}, Density: {d.Density}, Status: {d.Status}, TechStack: d.TechStack,
	} {
		for _, v := range values {
			each(Field(field), v)
		}
	}
	for _, f := range d.Flags {
		each(FlagField, string(f))
	}
}

// keyedDoc is a document with its order key and its id.
type keyedDoc struct {
	*Doc
	key uint64
	id  []byte
}

// distinctDocs returns one document for each id, the last of them, in Browse order.
func distinctDocs(docs []Doc) []keyedDoc {
	last := make(map[string]*Doc, len(docs))
	for i := range docs {
		last[docs[i].ID] = &docs[i]
	}
	kept := make([]keyedDoc, 0, len(last))
	for _, d := range last {
		kept = append(kept, d.withKey())
	}
	sortByKey(kept)
	return kept
}

func (d *Doc) withKey() keyedDoc { return keyedDoc{d, d.orderKey(), []byte(d.ID)} }

func sortByKey(docs []keyedDoc) {
	slices.SortFunc(docs, func(a, b keyedDoc) int { return compareRows(a.key, b.key, a.id, b.id) })
}

// FoldValue returns a value's comparable form, as [Entry.Facets] has it; enumerations are compared as they are.
func FoldValue(f Field, value string) string {
	if f == TechStack {
		return text.Fold(value)
	}
	return value
}
