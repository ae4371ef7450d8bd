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
	FundingAmount, TotalFundingAmount string
	Confidential                      bool
}

var (
	tiers  = list("S_PLUS|S|S|A|A|A|A|B|B|B|B|B|C|C")
	rounds = list("PRE_SEED|SEED|SEED|SEED|SERIES_A|SERIES_A|SERIES_A|SERIES_B|SERIES_B|SERIES_C|SERIES_D_PLUS|UNKNOWN")
)

// CompanyAt makes company number i, always the same one.
func CompanyAt(i int) Company {
	r := source(i, 1)
	s := sectors[r.IntN(len(sectors))]
	name := companyName(r, i)
	slug := strings.ToLower(strings.ReplaceAll(name, " ", "-"))
	makes, whom := pick(r, s.makes), pick(r, s.whom)
	round := pick(r, rounds)
	raised := 1 + r.IntN(60)
	c := Company{
		ID: fmt.Sprintf("com_%06d", i), Name: name, Aliases: []string{name + " Inc", strings.ReplaceAll(name, " ", "")},
		AnonymizedName: fmt.Sprintf("%s company in %s", stage(round), display(s.industries[0])),
		OneLiner:       fmt.Sprintf("%s %s %s for %s", name, pick(r, verbs), makes, whom),
		WebsiteURL:     "https://" + slug + ".example.com", LinkedInURL: "https://www.linkedin.com/company/" + slug,
		Industries: s.industries[:1+r.IntN(len(s.industries))], Investors: some(r, investors, 1, 4),
		Benefits: some(r, benefits, 3, 6), CultureValues: some(r, values, 2, 4),
		Size: 3 + r.IntN(40)*(1+r.IntN(40)), FoundingYear: 2004 + r.IntN(21), Tier: pick(r, tiers), FundingRound: round,
		FundingAmount: fmt.Sprintf("$%dM", raised), TotalFundingAmount: fmt.Sprintf("$%dM", raised+r.IntN(80)),
		Confidential: r.IntN(15) == 0,
	}
	for _, key := range some(r, places, 1, 3) {
		c.Locations, c.Offices = append(c.Locations, key), append(c.Offices, offices[key])
	}
	c.Description = fmt.Sprintf("%s %s. Founded in %d, the company now has %d people and offices in %s.",
		c.OneLiner, pick(r, promises), c.FoundingYear, c.Size, strings.Join(c.Offices, ", "))
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
		return joined(name, suffixes[n/(len(heads)*len(tails))%len(suffixes)])
	case 1:
		var name strings.Builder
		for range 2 + r.IntN(2) {
			name.WriteString(pick(r, onset) + pick(r, vowel))
		}
		return joined(capital(name.String()+pick(r, coda)), suffixes[max(0, r.IntN(2*len(suffixes))-len(suffixes))])
	default:
		return joined(heads[n%len(heads)]+" "+pairs[n/len(heads)%len(pairs)], suffixes[(n/len(heads)/len(pairs))%len(suffixes)])
	}
}

func stage(round string) string {
	switch round {
	case "PRE_SEED", "SEED":
		return "Seed-stage"
	case "SERIES_A", "SERIES_B":
		return "Venture-backed"
	case "UNKNOWN":
		return "Bootstrapped"
	}
	return "Late-stage"
}
