package profile

import "crypto/sha256"

var (
	inventedTitles = []string{
		"Software Engineer", "Product Designer", "Data Analyst", "Account Executive", "Site Reliability Engineer", "Product Manager",
	}
	inventedCompanies = []string{"Example Harbour", "Example Orchard", "Example Lantern", "Example Meadow", "Example Quarry", "Example Beacon"}
	inventedPlaces    = []string{
		"Berlin, Germany", "Lisbon, Portugal", "Austin, Texas, United States", "Toronto, Ontario, Canada", "Leeds, United Kingdom",
	}
)

// Invent returns an invented profile, which depends on the slug alone.
func Invent(slug string) Profile {
	dice := sha256.Sum256([]byte(slug))
	pick := func(n int, from []string) string { return from[int(dice[n])%len(from)] }
	return Profile{Title: pick(2, inventedTitles), Company: pick(3, inventedCompanies), Location: pick(4, inventedPlaces)}
}
