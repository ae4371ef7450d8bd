package roles

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Company is an invented employer. Amounts are texts, as the contract has them.
type Company struct {
	ID, Name, AnonymizedName          string
	Aliases                           []string // other names that a stealth view removes
	OneLiner, Description, TeamAbout  string
	WebsiteURL, LinkedInURL           string
	Industries, Investors             []string
	Locations, Offices                []string // keys, and cities
	Benefits, CultureValues           []string
	Size, FoundingYear                int
	Tier, FundingRound                string // S_PLUS … C; a fundingRound value
	LastRound                         string // as people write it
	FundingAmount, TotalFundingAmount string // empty for a company that raised nothing
	Confidential                      bool
}

// latestFounding is the year from which a company's age counts back.
const latestFounding = 2025

// CompanyAt returns company number i, the same one every time.
func CompanyAt(i int) Company {
	r := newSource(i, 1)
	s := sectors[r.IntN(len(sectors))]
	name := companyName(r, i)
	slug := strings.ToLower(strings.ReplaceAll(name, " ", "-"))
	makes := drawOne(r, s.Makes)
	whom := drawOne(r, s.Whom)
	round := drawOne(r, words.Rounds)
	at := stages[round]
	c := Company{
		ID: fmt.Sprintf("com_%06d", i), Name: name, Aliases: []string{name + " Inc", strings.ReplaceAll(name, " ", "")},
		AnonymizedName: fmt.Sprintf("%s company in %s", at.Name, strings.ReplaceAll(s.Industries[0], "_", " ")),
		OneLiner:       fmt.Sprintf("%s %s %s for %s", name, drawOne(r, words.Verbs), makes, whom),
		WebsiteURL:     "https://" + slug + ".example.com", LinkedInURL: "https://www.linkedin.com/company/" + slug,
		Industries: s.Industries[:1+r.IntN(len(s.Industries))],
		Benefits:   drawSome(r, words.Benefits, 3, 6), CultureValues: drawSome(r, words.Values, 2, 4),
		Size: drawBetween(r, at.Size), FoundingYear: latestFounding - drawBetween(r, at.Years), Tier: drawOne(r, words.Tiers), FundingRound: round, LastRound: at.Round,
		Confidential: r.IntN(15) == 0,
	}
	if at.Round != "" {
		raised := drawBetween(r, at.Raised)
		c.Investors = drawSome(r, words.Investors, 1, 4)
		c.FundingAmount = fmt.Sprintf("$%dM", raised)
		c.TotalFundingAmount = fmt.Sprintf("$%dM", raised+r.IntN(raised+1))
	}
	for _, key := range drawSome(r, words.Places, 1, 3) {
		c.Locations = append(c.Locations, key)
		c.Offices = append(c.Offices, words.Offices[key])
	}
	c.Description = fmt.Sprintf("%s %s. Founded in %d, the company now has %d people and offices in %s.",
		c.OneLiner, drawOne(r, words.Promises), c.FoundingYear, c.Size, strings.Join(c.Offices, ", "))
	c.TeamAbout = fmt.Sprintf("The team came together around %s and still answers support tickets itself.", makes)
	return c
}

// companyName returns a name that differs for nearly every i: two of the three ways of
// naming count through their parts.
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
