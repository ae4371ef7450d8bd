package roleindex

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

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

// plannedTypos returns the range of typos to try.
func (e *evaluation) plannedTypos(w Word) (least, most int) {
	if e.plan == nil {
		return 0, w.Typos
	}
	n := e.plan.Typos[w]
	return max(n, 0), n
}

// FewestTypos returns the fewest typos with which a role of the view has a word, −1 if none has.
func (v *View) FewestTypos(w Word) int {
	e := v.newEvaluation(&Query{})
	defer e.close()
	s, typos := e.matchWord(w)
	e.releaseSets(s)
	return typos
}

// SearchBy returns the first n rows after the query's cursor that match by a plan, and
// reports whether any role matches, before the cursor or after it.
func (v *View) SearchBy(q Query, p Plan, n int) (rows []Row, any bool) {
	e := v.newEvaluation(&q)
	defer e.close()
	e.plan = &p
	s := e.findMatches()
	defer e.releaseSets(s)
	for _, h := range e.hits(s, n) {
		rows = append(rows, h.row())
	}
	return rows, e.hasAny(s)
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
	// Facets are the values of fields ([Field.Facet]), flags included, sorted.
	Facets []string `json:"facets"`
	// Investors are the names, folded.
	Investors []string `json:"investors"`
	Figures
}

// Entry returns the document as another engine keeps it.
func (d *Doc) Entry() Entry {
	key := d.orderKey()
	out := Entry{
		Row:  Row{ID: d.ID, Key: key, UpdatedAt: unixMillis(d.UpdatedAt)},
		Hour: int(hourOfKey(key)), Figures: newFigures(d),
	}
	d.forEachSearchedText(func(s string) { out.Terms = append(out.Terms, splitTerms(s)...) })
	out.Terms = distinct(out.Terms)
	out.Prose = distinct(splitTerms(d.searchedProse()))
	out.Title = splitTerms(d.Name)
	out.Company = splitTerms(d.Company)
	out.Pairs = distinct(append(pairTerms(out.Title), pairTerms(out.Company)...))
	out.Title = distinct(out.Title)
	out.Company = distinct(out.Company)
	d.forEachFacet(func(f Field, v string) { out.Facets = append(out.Facets, f.Facet(v)) })
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

// RoundFee returns a percentage in the unit of [Figures].
func RoundFee(percent float64) int { return roundToUnit(percent, 0.01) }
