package profile

import (
	"crypto/sha256"
	"strings"
	"unicode"
)

var (
	inventedNames  = []string{"Alva Brook", "Bela Marsh", "Caro Lind", "Dario Finch", "Enna Stone", "Femi Vale", "Gita Moor", "Hugo Reed"}
	inventedTitles = []string{
		"Software Engineer", "Product Designer", "Data Analyst", "Account Executive", "Site Reliability Engineer", "Product Manager",
	}
	inventedCompanies = []string{"Example Harbour", "Example Orchard", "Example Lantern", "Example Meadow", "Example Quarry", "Example Beacon"}
	inventedPlaces    = []string{
		"Berlin, Germany", "Lisbon, Portugal", "Austin, Texas, United States", "Toronto, Ontario, Canada", "Leeds, United Kingdom",
	}
)

// Invent returns an invented profile with two jobs. It depends on the slug alone,
// and takes the name from the slug's words, if any ("maya-lind-81" is Maya Lind).
func Invent(slug string) Profile {
	dice := sha256.Sum256([]byte(slug))
	pick := func(n int, from []string) string { return from[int(dice[n])%len(from)] }
	joined := Date{Year: 2018 + int(dice[0])%6, Month: 1 + int(dice[1])%12}
	now := Experience{
		Title: pick(2, inventedTitles), Company: pick(3, inventedCompanies),
		Start: joined, Current: true, Location: pick(4, inventedPlaces),
		Description: "Invented for the sandbox.",
	}
	before := Experience{
		Title: pick(5, inventedTitles), Company: pick(6, inventedCompanies),
		Start: Date{Year: joined.Year - 1 - int(dice[7])%5}, End: joined, Location: pick(8, inventedPlaces),
	}
	name := nameFrom(slug)
	if name == "" {
		name = pick(9, inventedNames)
	}
	return Profile{Name: name, Title: now.Title, Company: now.Company, Location: now.Location, Experiences: []Experience{now, before}}
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// nameFrom joins the slug's words of letters, capitalised.
func nameFrom(slug string) string {
	var words []string
	for _, word := range strings.Split(slug, "-") {
		letters := []rune(word)
		if len(letters) == 0 || strings.ContainsFunc(word, isNoLetter) {
			continue
		}
		letters[0] = unicode.ToUpper(letters[0])
		words = append(words, string(letters))
	}
	return cleanText(strings.Join(words, " "), textLimit)
}
