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

// stage is what companies are like after a funding round: each range from the least
// to the most.
type stage struct {
	called, round       string // round as people write it
	raised, size, years [2]int // millions; people; since the founding
}

var stages = map[string]stage{
	"PRE_SEED":      {"Pre-seed", "Pre-seed", [2]int{1, 2}, [2]int{2, 8}, [2]int{0, 2}},
	"SEED":          {"Seed-stage", "Seed", [2]int{2, 8}, [2]int{5, 30}, [2]int{1, 4}},
	"SERIES_A":      {"Venture-backed", "Series A", [2]int{8, 25}, [2]int{20, 80}, [2]int{2, 6}},
	"SERIES_B":      {"Venture-backed", "Series B", [2]int{25, 60}, [2]int{60, 250}, [2]int{3, 9}},
	"SERIES_C":      {"Late-stage", "Series C", [2]int{50, 150}, [2]int{200, 800}, [2]int{5, 12}},
	"SERIES_D_PLUS": {"Late-stage", "Series D", [2]int{120, 400}, [2]int{600, 3000}, [2]int{7, 16}},
	"UNKNOWN":       {"Bootstrapped", "", [2]int{}, [2]int{4, 120}, [2]int{2, 15}},
}

// latestFounding is the year from which a company's age counts back.
const latestFounding = 2025

var (
	tiers  = list("S_PLUS|S|S|A|A|A|A|B|B|B|B|B|C|C")
	rounds = list("PRE_SEED|SEED|SEED|SEED|SERIES_A|SERIES_A|SERIES_A|SERIES_B|SERIES_B|SERIES_C|SERIES_D_PLUS|UNKNOWN")
)

// CompanyAt makes company number i, always the same one.
func CompanyAt(i int) Company {
	r := newSource(i, 1)
	s := sectors[r.IntN(len(sectors))]
	name := companyName(r, i)
	slug := strings.ToLower(strings.ReplaceAll(name, " ", "-"))
	makes, whom := drawOne(r, s.makes), drawOne(r, s.whom)
	round := drawOne(r, rounds)
	at := stages[round]
	c := Company{
		ID: fmt.Sprintf("com_%06d", i), Name: name, Aliases: []string{name + " Inc", strings.ReplaceAll(name, " ", "")},
		AnonymizedName: fmt.Sprintf("%s company in %s", at.called, strings.ReplaceAll(s.industries[0], "_", " ")),
		OneLiner:       fmt.Sprintf("%s %s %s for %s", name, drawOne(r, verbs), makes, whom),
		WebsiteURL:     "https://" + slug + ".example.com", LinkedInURL: "https://www.linkedin.com/company/" + slug,
		Industries: s.industries[:1+r.IntN(len(s.industries))],
		Benefits:   drawSome(r, benefits, 3, 6), CultureValues: drawSome(r, values, 2, 4),
		Size: drawBetween(r, at.size), FoundingYear: latestFounding - drawBetween(r, at.years), Tier: drawOne(r, tiers), FundingRound: round, LastRound: at.round,
		Confidential: r.IntN(15) == 0,
	}
	if at.round != "" {
		raised := drawBetween(r, at.raised)
		c.Investors = drawSome(r, investors, 1, 4)
		c.FundingAmount, c.TotalFundingAmount = fmt.Sprintf("$%dM", raised), fmt.Sprintf("$%dM", raised+r.IntN(raised+1))
	}
	for _, key := range drawSome(r, places, 1, 3) {
		c.Locations, c.Offices = append(c.Locations, key), append(c.Offices, offices[key])
	}
	c.Description = fmt.Sprintf("%s %s. Founded in %d, the company now has %d people and offices in %s.",
		c.OneLiner, drawOne(r, promises), c.FoundingYear, c.Size, strings.Join(c.Offices, ", "))
	c.TeamAbout = fmt.Sprintf("The team came together around %s and still answers support tickets itself.", makes)
	return c
}

// companyName is different for every i: each way of naming counts through its parts.
func companyName(r *rand.Rand, i int) string {
	n := i / 3
	switch i % 3 {
	case 0: // a compound, then with another word once the compounds are used up
		n = n * 1787 % (len(heads) * len(tails) * len(suffixes))
		at := n % (len(heads) * len(tails))
		name := heads[at%len(heads)] + tails[at/len(heads)]
		return joinWords(name, suffixes[n/(len(heads)*len(tails))%len(suffixes)])
	case 1:
		var name strings.Builder
		for range 2 + r.IntN(2) {
			name.WriteString(drawOne(r, onset) + drawOne(r, vowel))
		}
		return joinWords(capitalize(name.String()+drawOne(r, coda)), suffixes[max(0, r.IntN(2*len(suffixes))-len(suffixes))])
	default:
		return joinWords(heads[n%len(heads)]+" "+pairs[n/len(heads)%len(pairs)], suffixes[(n/len(heads)/len(pairs))%len(suffixes)])
	}
}
