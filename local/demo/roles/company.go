package roles

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// Company is an invented employer: what the marketplace says of it, and what its roles take from it.
type Company struct {
	role.Company
	ID, AnonymizedName string
	LocationKeys       []string
	Confidential       bool
}

// latestFounding is the year from which a company's age counts back.
const latestFounding = 2025

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
	founded := latestFounding - drawBetween(r, at.Years)
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
