package facts

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/expression"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// cutPlace returns a part of a line without the place at its end. It is alone if it is
// beside other parts.
func cutPlace(part string, beside bool) (rest, place string) {
	if m := InBrackets().FindStringSubmatchIndex(part); m != nil && isPlaceInBrackets(part[m[2]:m[3]]) {
		return part[:m[0]], part[m[2]:m[3]]
	}
	if town, _, _ := strings.Cut(part, ","); beside && usPlace().FindString(part) == part && IsTownShaped(town) {
		return "", part // "Fort Ellis, CO" is no company
	}
	pieces := JoinLegalForms(CommaGap().Split(part, 12))
	place = TrailingPlace(pieces, beside || mayBeTownFirst(pieces))
	if place == "" {
		place = placeBehindEmployer(pieces)
	}
	if place != "" {
		gaps := CommaGap().FindAllStringIndex(part, 12)
		n := len(CommaGap().Split(place, 5)) // pieces of the place
		if n > len(gaps) {
			return "", part
		}
		at := gaps[len(gaps)-n]
		if town := findTownAfterLegalForm(part[:at[0]]); town > 0 {
			return part[:town], part[town+1:] // "Acme Inc. Wickling, Canada"
		}
		if city := findCityAtEnd(part[:at[0]]); city > 0 && n == 1 && IsCountry(place) {
			return part[:city], part[city+1:] // "Acme Austin, TX"
		}
		return part[:at[0]], part[at[1]:]
	}
	return part, ""
}

// mayBeTownFirst reports whether the first of some pieces could be a town: if there are two, it names no title or employer.
func mayBeTownFirst(pieces []string) bool {
	if len(pieces) != 2 {
		return len(pieces) > 2
	}
	return !IsTitle(pieces[0]) && !HasLegalForm(pieces[0])
}

// isPlaceInBrackets reports whether a text in brackets is a place: two letters that are no state are
// an abbreviation, as in "Nurse (RN)".
func isPlaceInBrackets(text string) bool {
	return IsPlace(text) && (len(text) > 2 || usStates().MatchString(text))
}

// findTownAfterLegalForm returns the index of the space between a legal form and what could name a
// town, or 0.
func findTownAfterLegalForm(text string) int {
	return findLastSpace(text, func(before, town string) bool {
		return IsLegalForm(words.Last(before)) && IsTownShaped(town) && !HasLegalForm(town)
	})
}

// findLastSpace returns the index of the last space, of two, between texts that areParts accepts, or 0.
func findLastSpace(text string, areParts func(before, behind string) bool) int {
	at := len(text)
	for range 2 {
		at = strings.LastIndexByte(text[:at], ' ')
		if at <= 0 {
			return 0
		}
		if areParts(text[:at], text[at+1:]) {
			return at
		}
	}
	return 0
}

// findCityAtEnd returns the index of the space between a name and a known city, or 0. "Bank of Boston" is
// one name.
func findCityAtEnd(text string) int {
	return findLastSpace(text, func(name, city string) bool {
		if JoinsNext().MatchString(name) || IsTitle(name) {
			return false
		}
		return IsCity(city)
	})
}

// JoinsNext matches a word or mark that joins what follows: "Bank of".
var JoinsNext = expression.New(`(?i)(?:[&/]|\b(?:and|of|for|the))$`)
