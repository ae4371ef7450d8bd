// Package roles invents a catalogue of hiring roles of any size: plausible, different from one another, and
// always the same for the same number, so that role 17 is the same among 200 and among 100,000. The texts in
// data/ were written for it; no listing was copied.
//
// It knows what a role and its company say. It does not know who works on them, nor
// how they reach the API (the feed).
package roles

import (
	"cmp"
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
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// Role is an invented role at an invented company, unredacted: what the marketplace says of it but for what follows
// from that, and what it was invented from.
type Role struct {
	role.Role
	ID               string // a uuid
	Company          Company
	Family           string   // what roles of several types have in common, such as engineering
	Level            string   // the level in the title, such as Senior
	Asks             []string // what of a candidate
	StoppedReviewing bool
}

// IsStealth reports whether strangers may not know the company.
func (r Role) IsStealth() bool { return r.Visibility == contract.RoleVisibilityStealth }

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
	made := Role{ID: drawID(r), Company: CompanyAt(i / rolesPerCompany), Family: k.Family, Level: level}
	made.Company.UpdatedAt = new(contract.At(now.AddDate(0, -2, 0)))
	made.Listing = role.Listing{
		Title: title, CompanyID: made.Company.ID, YearsMin: new(float64(years)),
		RoleTypes: drawRoleTypes(r, k), LocationKeys: drawSome(r, words.Places, 1, 2),
		WorkplaceType: new(drawOne(r, words.Workplaces)), Status: contract.RoleStatus(drawOne(r, words.Statuses)),
		Visibility: drawVisibility(r), Equity: new(fmt.Sprintf("%.2f%% – %.2f%%", r.Float64()/4, 0.3+r.Float64())),
		Fee: role.Fee{PercentOfSalary: new(10 + float64(r.IntN(31))/2)}, VisaSponsorship: new(r.IntN(3) == 0),
		TechStack: drawSome(r, f.Stack, 3, 8), PostedAt: new(contract.At(posted)),
	}
	made.Responsibilities = drawSome(r, f.Tasks, 3, 6)
	made.Asks = drawSome(r, f.Asks, 2, 5)
	made.Density = new(drawOne(r, words.Densities))
	made.NotAcceptingRecruiters = r.IntN(10) == 0
	made.StoppedReviewing = r.IntN(25) == 0
	made.BrowseRank = int64(r.IntN(1000))
	made.UpdatedAt = contract.At(posted.Add(time.Duration(r.Int64N(int64(now.Sub(posted)) + 1))))
	if r.IntN(2) == 0 {
		made.YearsMax = new(float64(years + 2 + r.IntN(6)))
	}
	if r.IntN(20) > 0 {
		low := f.Salary[0] + r.IntN(f.Salary[1]-f.Salary[0])/2 + 5*years
		high := low + 10 + r.IntN(90)
		made.Salary = role.Salary{Min: new(int64(low * 1000)), Max: new(int64(high * 1000)), Currency: new(currencyOf(made.LocationKeys))}
	}
	made.Locations = placeNames(made.LocationKeys)
	made.VisaText = new("Applicants need an existing work permit.")
	if *made.VisaSponsorship {
		made.VisaText = new("Transfers and new sponsorship are possible.")
	}
	made.Description = new(writeDescription(r, &made))
	made.ConfidentialSearch = made.Company.Confidential || made.IsStealth()
	if made.ConfidentialSearch {
		made.AnonymizedName = &made.Company.AnonymizedName
	}
	return made
}

func drawVisibility(r *rand.Rand) contract.RoleVisibility {
	if r.IntN(12) == 0 {
		return contract.RoleVisibilityStealth
	}
	return contract.RoleVisibilityPublic
}

var currencies = map[string]string{"uk": "GBP", "europe": "EUR", "canada": "CAD"}

func currencyOf(locations []string) string {
	for _, key := range locations {
		if currency, ok := currencies[key]; ok {
			return currency
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

func writeDescription(r *rand.Rand, of *Role) string {
	var b strings.Builder
	c := &of.Company
	if of.IsStealth() { // what the company makes would identify it
		fmt.Fprintf(&b, "We are hiring: %s.\n\n", of.Title)
	} else {
		fmt.Fprintf(&b, "%s is hiring: %s. %s\n\n", c.Name, of.Title, *c.Description)
	}
	for _, t := range of.Responsibilities {
		fmt.Fprintf(&b, "You will %s%s. ", strings.ToLower(t[:1]), t[1:])
	}
	fmt.Fprintf(&b, "You will do it %s.", drawOne(r, words.Circumstances))
	fmt.Fprintf(&b, "\n\nWhat helps: %s. ", strings.Join(of.Asks, "; "))
	if len(of.TechStack) > 0 {
		fmt.Fprintf(&b, "Our tools are %s. ", strings.Join(of.TechStack, ", "))
	}
	fmt.Fprintf(&b, "We believe in this: %s.", strings.ToLower(strings.Join(c.CultureValues, ", ")))
	return b.String()
}

func placeNames(keys []string) (places []string) {
	for _, key := range keys {
		parts := strings.Split(key, "_")
		for i, part := range parts {
			parts[i] = capitalize(part)
		}
		places = append(places, cmp.Or(words.PlaceNames[key], strings.Join(parts, " ")))
	}
	return places
}

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

// The tables of package roles. A value that occurs in a list several times is drawn that much more often. The
// order of every list decides what is invented: a change of it makes another catalogue.
var (
	words     = datafile.MustRead[vocabulary](dataFiles, "data/words.json")
	families  = datafile.MustRead[map[string]family](dataFiles, "data/families.json")
	roleKinds = datafile.MustRead[[]roleKind](dataFiles, "data/titles.json")
	sectors   = datafile.MustRead[[]sector](dataFiles, "data/sectors.json")
	stages    = datafile.MustRead[map[string]stage](dataFiles, "data/stages.json")
	ranks     = datafile.MustRead[[]rank](dataFiles, "data/ranks.json")
)

type vocabulary struct {
	// Parts of company names: compounds ("Lumenfold"), syllables ("Taveriq") and pairs ("Copper Meridian").
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

// stage is what companies are like after a funding round: each range from the least to the most.
type stage struct {
	Name, Round         string // Round as people write it
	Raised, Size, Years [2]int // millions; people; since the founding
}

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

func drawID(r *rand.Rand) string {
	var u uuid.UUID
	binary.LittleEndian.PutUint64(u[:8], r.Uint64())
	binary.LittleEndian.PutUint64(u[8:], r.Uint64())
	u[6] = u[6]&0x0f | 0x40 // version 4
	u[8] = u[8]&0x3f | 0x80
	return u.String()
}

func joinWords(words ...string) string { return strings.TrimSpace(strings.Join(words, " ")) }

func capitalize(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// drawBetween returns a number between the bounds, both included.
func drawBetween(r *rand.Rand, bounds [2]int) int { return bounds[0] + r.IntN(bounds[1]-bounds[0]+1) }

// Company is an invented employer: what the marketplace says of it, and what its roles take from it.
type Company struct {
	role.Company
	ID, AnonymizedName string
	LocationKeys       []string
	Confidential       bool
}

// CompanyAt returns company number i, the same one every time.
func CompanyAt(i int) Company {
	r := newSource(i, 1)
	s := sectors[r.IntN(len(sectors))]
	name := companyName(r, i)
	slug := strings.ToLower(strings.ReplaceAll(name, " ", "-"))
	site := "https://" + slug + ".example.com"
	makes := drawOne(r, s.Makes)
	whom := drawOne(r, s.Whom)
	round := drawOne(r, words.Rounds)
	at := stages[round]
	oneLiner := fmt.Sprintf("%s %s %s for %s", name, drawOne(r, words.Verbs), makes, whom)
	c := Company{
		ID: fmt.Sprintf("com_%06d", i), AnonymizedName: fmt.Sprintf("%s company in %s", at.Name, strings.ReplaceAll(s.Industries[0], "_", " ")),
	}
	c.CompanyFacts = role.CompanyFacts{
		Name: name, Aliases: []string{name + " Inc", strings.ReplaceAll(name, " ", "")}, WebsiteURL: &site, OneLiner: &oneLiner,
		Industries: s.Industries[:1+r.IntN(len(s.Industries))], FundingRound: &round,
	}
	c.CompanyDetails = role.CompanyDetails{
		LinkedInURL: new("https://www.linkedin.com/company/" + slug), PressURLs: []string{site + "/press"},
		TeamImageURLs: []string{site + "/team.jpg"}, ProductImageURLs: []string{site + "/product.jpg"},
		Benefits: drawSome(r, words.Benefits, 3, 6), CultureValues: drawSome(r, words.Values, 2, 4),
		TeamAbout: new(fmt.Sprintf("The team came together around %s and still answers support tickets itself.", makes)),
	}
	size := drawBetween(r, at.Size)
	founded := 2025 - drawBetween(r, at.Years)
	c.Size = new(float64(size))
	c.FoundingYear = new(float64(founded))
	c.Tier = new(drawOne(r, words.Tiers))
	c.Confidential = r.IntN(15) == 0
	if at.Round != "" {
		raised := drawBetween(r, at.Raised)
		c.LastFundingRound = &at.Round
		c.Investors = drawSome(r, words.Investors, 1, 4)
		c.FundingAmount = new(fmt.Sprintf("$%dM", raised))
		c.TotalFundingAmount = new(fmt.Sprintf("$%dM", raised+r.IntN(raised+1)))
	}
	c.LocationKeys = drawSome(r, words.Places, 1, 3)
	c.Locations = placeNames(c.LocationKeys)
	for _, key := range c.LocationKeys {
		c.OfficeLocations = append(c.OfficeLocations, words.Offices[key])
	}
	c.Description = new(fmt.Sprintf("%s %s. Founded in %d, the company now has %d people and offices in %s.",
		oneLiner, drawOne(r, words.Promises), founded, size, strings.Join(c.OfficeLocations, ", ")))
	return c
}

// companyName returns a name that differs for nearly every i: two of three ways of naming count through their parts.
func companyName(r *rand.Rand, i int) string {
	n := i / 3
	switch i % 3 {
	case 0: // a compound, then with another word once the compounds are used up
		n = n * 1787 % (len(words.Heads) * len(words.Tails) * len(words.Suffixes))
		at := n % (len(words.Heads) * len(words.Tails))
		name := words.Heads[at%len(words.Heads)] + words.Tails[at/len(words.Heads)]
		return joinWords(name, words.Suffixes[n/(len(words.Heads)*len(words.Tails))%len(words.Suffixes)])
	case 1:
		var name strings.Builder
		for range 2 + r.IntN(2) {
			name.WriteString(drawOne(r, words.Onsets) + drawOne(r, words.Vowels))
		}
		invented := capitalize(name.String() + drawOne(r, words.Codas))
		return joinWords(invented, words.Suffixes[max(0, r.IntN(2*len(words.Suffixes))-len(words.Suffixes))])
	default:
		head := words.Heads[n%len(words.Heads)]
		n /= len(words.Heads)
		pair := words.Pairs[n%len(words.Pairs)]
		n /= len(words.Pairs)
		return joinWords(head, pair, words.Suffixes[n%len(words.Suffixes)])
	}
}
