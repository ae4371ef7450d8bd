package resume

import (
	"regexp"
	"strings"
)

// maxHeaderLines is how far down a name and an address can stand.
const maxHeaderLines = 15

// usPlace is "City, ST" with a state's letters, and a postal code perhaps.
var usPlace = regexp.MustCompile(`\p{Lu}[\p{L}.' -]*, ?(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])\b(?: \d{5})?`)

// countries maps the names that resumes use to ISO codes, so that national phone numbers can be read.
var countries = map[string]string{
	"united states": "US", "usa": "US", "canada": "CA", "mexico": "MX", "brazil": "BR", "brasil": "BR", "argentina": "AR", "chile": "CL", "colombia": "CO",
	"united kingdom": "GB", "uk": "GB", "england": "GB", "scotland": "GB", "wales": "GB", "ireland": "IE", "germany": "DE", "deutschland": "DE",
	"austria": "AT", "österreich": "AT", "switzerland": "CH", "schweiz": "CH", "france": "FR", "spain": "ES", "españa": "ES", "portugal": "PT",
	"italy": "IT", "italia": "IT", "netherlands": "NL", "belgium": "BE", "sweden": "SE", "sverige": "SE", "norway": "NO", "norge": "NO",
	"denmark": "DK", "danmark": "DK", "finland": "FI", "poland": "PL", "polska": "PL", "czech republic": "CZ", "czechia": "CZ", "hungary": "HU",
	"romania": "RO", "greece": "GR", "turkey": "TR", "türkiye": "TR", "ukraine": "UA", "israel": "IL", "egypt": "EG", "nigeria": "NG", "kenya": "KE",
	"south africa": "ZA", "united arab emirates": "AE", "uae": "AE", "india": "IN", "pakistan": "PK", "bangladesh": "BD", "china": "CN", "中国": "CN",
	"hong kong": "HK", "taiwan": "TW", "japan": "JP", "日本": "JP", "south korea": "KR", "singapore": "SG", "malaysia": "MY", "philippines": "PH",
	"indonesia": "ID", "vietnam": "VN", "thailand": "TH", "australia": "AU", "new zealand": "NZ",
}

// region returns the country that the header names, or "".
func region(lines []string) string {
	for _, line := range lines[:min(len(lines), maxHeaderLines)] {
		for _, piece := range pieces(line) {
			if iso := countries[strings.ToLower(strings.Trim(piece, " ."))]; iso != "" {
				return iso
			}
		}
		if usPlace.MatchString(line) {
			return "US"
		}
	}
	return ""
}

// isPlace tells whether a piece of a line names a place: a country, a US place, or remote work.
func isPlace(piece string) bool {
	low := strings.ToLower(strings.Trim(piece, " .()"))
	return countries[low] != "" || low == "remote" || low == "hybrid" || usPlace.FindString(piece) == piece || usState.MatchString(piece)
}

var usState = regexp.MustCompile(`^[A-Z]{2}(?: \d{5})?$`)
