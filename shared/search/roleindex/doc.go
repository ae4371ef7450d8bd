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
	"strconv"
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

// Field is a property of roles that a query filters by ([Query].AnyOf).
type Field byte

// The fields. Their numbers are part of the file.
const (
	Location Field = iota + 1
	RoleType
	Industry
	Workplace
	FundingRound
	CompanyTier
	Density
	Status
	FlagField // its values are the flags
	// TechStack is compared folded; the others exactly. It is the last field, since its
	// values are free text and their number is unbounded.
	TechStack
)

// Flag is a fact that holds for a role or does not.
type Flag string

// The flags.
const (
	// SelfServeClosed: recruiters cannot join the role without an invitation.
	SelfServeClosed Flag = "self_serve_closed"
	// StoppedReviewing: the hiring manager no longer reviews submissions.
	StoppedReviewing Flag = "stopped_reviewing"
	// VisaSponsorship: the company sponsors visas.
	VisaSponsorship Flag = "visa_sponsorship"
)

// spokenNames holds what people call a key where its own words do not say it.
var spokenNames = map[string]string{
	"new_york":                  "NYC",
	"san_francisco":             "SF Bay Area",
	"south_bay_area":            "Silicon Valley",
	"los_angeles":               "LA",
	"uk":                        "United Kingdom",
	"latam":                     "Latin America",
	"korea":                     "South Korea",
	"ai":                        "Artificial Intelligence",
	"ai_engineer":               "Artificial Intelligence",
	"ai_ml_researcher":          "Artificial Intelligence Machine Learning",
	"machine_learning_engineer": "ML",
	"infrastructure_devops_sre": "Site Reliability",
	"qa_test_engineering":       "Quality Assurance Tester",
	"product_design_ux_ui":      "Product Designer",
	"product_management":        "Product Manager",
	"sales_development_rep":     "SDR Representative",
	"people_talent":             "HR Recruiter",
}

// term returns a value of the field as the file has it: the field's number and the folded value.
func (f Field) term(value string) []byte { return append([]byte{byte(f)}, f.fold(value)...) }

// RoleDocs are the documents of a role at one revision.
type RoleDocs struct {
	ID string
	// Revision grows with every change of the role.
	Revision int64
	// Shared is the role as a stranger may see it, nil if the role no longer exists.
	Shared *Doc
	// Approved is a stealth role as callers see it who are approved on it; nil for any other role.
	Approved *Doc
}

// maxProse bounds the searched part of a description: enough to find a role by, and a small file.
const maxProse = 1000

// forEachOwnText calls each with the texts that a query is matched against first, but values of fields. Texts may be empty.
func (d *Doc) forEachOwnText(each func(string)) {
	each(d.Name)
	each(d.Company)
	each(d.OneLiner)
	for _, place := range d.Places {
		each(place)
	}
}

// forEachSearchedText calls each with the texts by which a query finds the roles with a value of the field.
func (f Field) forEachSearchedText(value string, each func(string)) {
	switch f {
	case TechStack:
		each(value)
	case Location, RoleType, Industry:
		each(value)
		each(spokenNames[value])
	}
}

// TruncateProse returns the searched part of a description as a copy, so that a document
// does not keep the whole text in memory.
func TruncateProse(description string) string { return strings.Clone(truncate(description, maxProse)) }

// forEachFacet calls each with every field and value of the document, flags included, but empty values.
func (d *Doc) forEachFacet(each func(Field, string)) {
	for field, values := range [TechStack + 1][]string{
		Location: d.Locations, RoleType: d.RoleTypes, Industry: d.Industries, Workplace: {d.Workplace}, FundingRound: {d.FundingRound},
		CompanyTier: {d.CompanyTier}, Density: {d.Density}, Status: {d.Status}, TechStack: d.TechStack,
	} {
		for _, v := range values {
			if v != "" {
				each(Field(field), v)
			}
		}
	}
	for _, f := range d.Flags {
		each(FlagField, string(f))
	}
}

// Facet returns a value of the field as an [Entry] has it: "<field's number>:<folded value>".
func (f Field) Facet(value string) string { return strconv.Itoa(int(f)) + ":" + f.fold(value) }

// fold returns a value's comparable form; enumerations are compared as they are.
func (f Field) fold(value string) string {
	if f == TechStack {
		return text.Fold(value)
	}
	return value
}

// Entry is a document as another engine keeps it, to find it as an index does.
type Entry struct {
	Row
	// Hour is when it was posted, in hours since 1970.
	Hour int `json:"hour"`
	// Terms are the words of the searched texts, Prose those of the description.
	Terms []string `json:"terms"`
	Prose []string `json:"prose"`
	// Title and Company are the words of these texts, Pairs the pairs of their neighbouring words.
	Title   []string `json:"title"`
	Company []string `json:"company"`
	Pairs   []string `json:"pairs"`
	// Facets are the values of fields ([Field.Facet]), flags included, sorted, each once.
	Facets []string `json:"facets"`
	// Investors are the names, folded.
	Investors []string `json:"investors"`
	Figures
}

// Entry returns the document as another engine keeps it.
func (d *Doc) Entry() Entry {
	key := d.OrderKey()
	out := Entry{
		Row:  Row{ID: d.ID, Key: key, UpdatedAt: max(0, d.UpdatedAt.UnixMilli())},
		Hour: int(hourOfKey(key)), Figures: newFigures(d),
	}
	addTerms := func(s string) { out.Terms = append(out.Terms, splitTerms(s)...) }
	d.forEachOwnText(addTerms)
	d.forEachFacet(func(f Field, v string) {
		f.forEachSearchedText(v, addTerms)
		out.Facets = append(out.Facets, f.Facet(v))
	})
	out.Terms = distinct(out.Terms)
	out.Prose = distinct(splitTerms(truncate(d.Description, maxProse)))
	out.Title = splitTerms(d.Name)
	out.Company = splitTerms(d.Company)
	out.Pairs = distinct(append(pairTerms(out.Title), pairTerms(out.Company)...))
	out.Title = distinct(out.Title)
	out.Company = distinct(out.Company)
	out.Facets = distinct(out.Facets)
	for _, name := range d.Investors {
		out.Investors = append(out.Investors, text.Fold(name))
	}
	return out
}

func distinct(terms []string) []string {
	slices.Sort(terms)
	return slices.Compact(terms)
}

// Doc returns the entry's document without the texts: enough to rank it.
func (e Entry) Doc() Doc {
	facets := map[Field][]string{}
	for _, facet := range e.Facets {
		number, value, _ := strings.Cut(facet, ":")
		f, _ := strconv.Atoi(number)
		facets[Field(f)] = append(facets[Field(f)], value)
	}
	one := func(f Field) string { return strings.Join(facets[f], "") }
	d := Doc{
		ID: e.ID, BrowseRank: int(maxRank - e.Key>>(hourBits+hashBits)),
		Locations: facets[Location], RoleTypes: facets[RoleType], Industries: facets[Industry], TechStack: facets[TechStack],
		Workplace: one(Workplace), FundingRound: one(FundingRound), CompanyTier: one(CompanyTier), Density: one(Density), Status: one(Status),
		SalaryLower: float64(e.SalaryLower) * 1000, SalaryUpper: float64(e.SalaryUpper) * 1000,
		YearsMin: float64(e.YearsMin) / 10, YearsMax: float64(e.YearsMax) / 10, FeePercent: float64(e.FeePercent) / 100,
		CompanySize: e.CompanySize,
	}
	if e.UpdatedAt > 0 {
		d.UpdatedAt = time.UnixMilli(e.UpdatedAt)
	}
	if e.Hour > 0 {
		d.PostedAt = time.Unix(int64(e.Hour)*3600, 0)
	}
	for _, f := range facets[FlagField] {
		d.Flags = append(d.Flags, Flag(f))
	}
	return d
}
