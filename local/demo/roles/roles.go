// Package roles invents a catalogue of hiring roles of any size: plausible, different
// from one another, and always the same for the same number, so that role 17 is the
// same among 200 and among 100,000. The texts in data/ were written for it; no listing
// was copied.
//
// It knows what a role and its company say. It does not know who works on them, nor
// how they reach the API (the feed).
package roles

import (
	"embed"
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/demo/datafile"
)

// Role is an invented role at an invented company, unredacted.
type Role struct {
	ID      string // a uuid
	Company Company

	Title                             string
	Family                            string   // what roles of several types have in common, such as engineering
	Level                             string   // the level in the title, such as Senior
	RoleTypes, Locations              []string // keys
	Workplace                         string   // REMOTE, HYBRID, ON_SITE
	Status                            string   // ACTIVE, PAUSED, CLOSED
	Stealth                           bool
	SalaryLower, SalaryUpper          int // whole units of Currency; both 0 where not recorded
	Currency, Equity                  string
	YearsMin, YearsMax                int // YearsMax 0: no upper end
	FeePercent                        float64
	VisaSponsorship                   bool
	VisaText                          string
	TechStack                         []string
	Description                       string
	Responsibilities, Requirements    []string
	Density                           string // low, medium, high
	SelfServeClosed, StoppedReviewing bool
	BrowseRank                        int
	PostedAt, UpdatedAt               time.Time
}

// rolesPerCompany is how many roles an invented company hires for.
const rolesPerCompany = 6

// All yields the first n roles; now is when the newest could have been posted.
func All(n int, now time.Time) iter.Seq[Role] {
	return func(yield func(Role) bool) {
		for i := range n {
			if !yield(At(i, now)) {
				return
			}
		}
	}
}

// At returns role number i, the same one for the same i and now.
func At(i int, now time.Time) Role {
	r := newSource(i, 2)
	k := roleKinds[r.IntN(len(roleKinds))]
	if r.IntN(2) == 0 { // half of all roles are in engineering, as on such marketplaces
		for k.Family != "engineering" && k.Family != "ai" {
			k = roleKinds[r.IntN(len(roleKinds))]
		}
	}
	f := families[k.Family]
	title, level, years := drawTitle(r, k)
	posted := now.Add(-time.Duration(r.IntN(120*24*60)) * time.Minute)
	role := Role{
		ID: drawID(r), Company: CompanyAt(i / rolesPerCompany),
		Title: title, Family: k.Family, Level: level, YearsMin: years, RoleTypes: drawRoleTypes(r, k), Locations: drawSome(r, words.Places, 1, 2),
		Workplace: drawOne(r, words.Workplaces), Status: drawOne(r, words.Statuses),
		Stealth: r.IntN(12) == 0, Equity: fmt.Sprintf("%.2f%% – %.2f%%", r.Float64()/4, 0.3+r.Float64()),
		FeePercent: 10 + float64(r.IntN(31))/2, VisaSponsorship: r.IntN(3) == 0,
		TechStack: drawSome(r, f.Stack, 3, 8), Responsibilities: drawSome(r, f.Tasks, 3, 6), Requirements: drawSome(r, f.Asks, 2, 5),
		Density: drawOne(r, words.Densities), SelfServeClosed: r.IntN(10) == 0, StoppedReviewing: r.IntN(25) == 0,
		BrowseRank: r.IntN(1000), PostedAt: posted, UpdatedAt: posted.Add(time.Duration(r.Int64N(int64(now.Sub(posted)) + 1))).Truncate(time.Millisecond),
	}
	role.setPay(r, f)
	role.VisaText = visaText(role.VisaSponsorship)
	role.Description = writeDescription(r, &role)
	return role
}

func (role *Role) setPay(r *rand.Rand, f family) {
	if r.IntN(2) == 0 {
		role.YearsMax = role.YearsMin + 2 + r.IntN(6)
	}
	if r.IntN(20) == 0 {
		return
	}
	low := f.Salary[0] + r.IntN(f.Salary[1]-f.Salary[0])/2 + 5*role.YearsMin
	role.SalaryLower = low * 1000
	role.SalaryUpper = (low + 10 + r.IntN(90)) * 1000
	role.Currency = currencyOf(role.Locations)
}

func currencyOf(locations []string) string {
	for _, key := range locations {
		switch key {
		case "uk":
			return "GBP"
		case "europe":
			return "EUR"
		case "canada":
			return "CAD"
		}
	}
	return "USD"
}

func drawRoleTypes(r *rand.Rand, k roleKind) []string {
	keys := []string{k.Key}
	for range r.IntN(2) {
		if other := roleKinds[r.IntN(len(roleKinds))]; other.Family == k.Family && other.Key != k.Key {
			keys = append(keys, other.Key)
		}
	}
	return keys
}

func visaText(sponsored bool) string {
	if sponsored {
		return "Transfers and new sponsorship are possible."
	}
	return "Applicants need an existing work permit."
}

// writeDescription returns the description of a role, about 900 bytes.
func writeDescription(r *rand.Rand, role *Role) string {
	var b strings.Builder
	c := &role.Company
	if role.Stealth { // what the company makes would identify it
		fmt.Fprintf(&b, "We are hiring: %s.\n\n", role.Title)
	} else {
		fmt.Fprintf(&b, "%s is hiring: %s. %s\n\n", c.Name, role.Title, c.Description)
	}
	for _, t := range role.Responsibilities {
		fmt.Fprintf(&b, "You will %s%s. ", strings.ToLower(t[:1]), t[1:])
	}
	fmt.Fprintf(&b, "You will do it %s.", drawOne(r, words.Circumstances))
	fmt.Fprintf(&b, "\n\nWhat helps: %s. ", strings.Join(role.Requirements, "; "))
	if len(role.TechStack) > 0 {
		fmt.Fprintf(&b, "Our tools are %s. ", strings.Join(role.TechStack, ", "))
	}
	fmt.Fprintf(&b, "We believe in this: %s.", strings.ToLower(strings.Join(c.CultureValues, ", ")))
	return b.String()
}

// PlaceName returns the name of the place with this location key.
func PlaceName(key string) string {
	if name, ok := words.PlaceNames[key]; ok {
		return name
	}
	parts := strings.Split(key, "_")
	for i, part := range parts {
		parts[i] = capitalize(part)
	}
	return strings.Join(parts, " ")
}

// drawTitle returns a title of a kind, its level, and the years of experience it asks for.
func drawTitle(r *rand.Rand, k roleKind) (title, level string, years int) {
	level = drawOne(r, words.Levels[families[k.Family].Levels])
	title = drawOne(r, k.Titles)
	years = words.LevelYears[level]
	for _, own := range ranks {
		if strings.Contains(title, own.Rank) {
			level = ""
			years = own.Years
			break
		}
	}
	return joinWords(level, title), level, years + r.IntN(3)
}

//go:embed data/*.json
var dataFiles embed.FS

// The tables of package roles. A value that occurs in a list several times is drawn
// that much more often. The order of every list decides what is invented: a change of
// it makes another catalogue.
var (
	words     = datafile.MustRead[vocabulary](dataFiles, "data/words.json")
	families  = datafile.MustRead[map[string]family](dataFiles, "data/families.json")
	roleKinds = datafile.MustRead[[]roleKind](dataFiles, "data/titles.json")
	sectors   = datafile.MustRead[[]sector](dataFiles, "data/sectors.json")
	stages    = datafile.MustRead[map[string]stage](dataFiles, "data/stages.json")
	ranks     = datafile.MustRead[[]rank](dataFiles, "data/ranks.json")
)

type vocabulary struct {
	// Parts of company names: compounds ("Lumenfold"), syllables ("Taveriq") and pairs
	// ("Copper Meridian").
	Heads, Tails, Onsets, Vowels, Codas, Pairs, Suffixes []string

	Verbs, Promises, Circumstances, Investors, Benefits, Values []string
	Tiers, Rounds, Workplaces, Statuses, Densities              []string
	Places                                                      []string            // location keys
	Offices                                                     map[string]string   // cities by location key
	PlaceNames                                                  map[string]string   // those that cannot be derived from their keys
	Levels                                                      map[string][]string // put before titles, by ladder
	LevelYears                                                  map[string]int      // the least years of experience that a level asks for
}

// rank is a part of titles that asks for years of experience itself, such as "Head of". A title with one takes no level.
type rank struct {
	Rank  string
	Years int
}

// family is what roles of several types have in common.
type family struct {
	Levels             string // a key of vocabulary.Levels
	Salary             [2]int // thousands of dollars a year, from the lowest to the highest
	Stack, Tasks, Asks []string
}

// roleKind is a role type of the contract with the titles of its roles.
type roleKind struct {
	Key, Family string
	Titles      []string
}

// sector is what companies of an industry make, and for whom.
type sector struct{ Industries, Makes, Whom []string }

// stage is what companies are like after a funding round: each range from the least
// to the most.
type stage struct {
	Name, Round         string // Round as people write it
	Raised, Size, Years [2]int // millions; people; since the founding
}

// newSource returns the random source of number i of a kind of thing.
func newSource(i int, of uint64) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), of)) }

func drawOne(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// drawSome returns different values: of least to most draws, without repeats.
func drawSome(r *rand.Rand, from []string, least, most int) []string {
	var out []string
	for range least + r.IntN(most-least+1) {
		if v := drawOne(r, from); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// drawID returns a version 4 UUID drawn from r.
func drawID(r *rand.Rand) string {
	var u uuid.UUID
	binary.LittleEndian.PutUint64(u[:8], r.Uint64())
	binary.LittleEndian.PutUint64(u[8:], r.Uint64())
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return u.String()
}

func joinWords(words ...string) string { return strings.TrimSpace(strings.Join(words, " ")) }

func capitalize(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// drawBetween returns a number between the bounds, both included.
func drawBetween(r *rand.Rand, bounds [2]int) int { return bounds[0] + r.IntN(bounds[1]-bounds[0]+1) }
