package resume

import "strings"

// cutPlace returns a part of a line without the place at its end. It is alone if it is
// beside other parts.
func cutPlace(part string, beside bool) (rest, place string) {
	if m := inBrackets().FindStringSubmatchIndex(part); m != nil && isPlaceInBrackets(part[m[2]:m[3]]) {
		return part[:m[0]], part[m[2]:m[3]]
	}
	if town, _, _ := strings.Cut(part, ","); beside && usPlace().FindString(part) == part && isTownShaped(town) {
		return "", part // "Fort Ellis, CO" is no company
	}
	pieces := joinLegalForms(commaGap().Split(part, 12))
	alone := beside || len(pieces) > 2 || len(pieces) == 2 && !isTitle(pieces[0]) && !hasLegalForm(pieces[0])
	place = trailingPlace(pieces, alone)
	if place == "" {
		place = placeBehindEmployer(pieces)
	}
	if place != "" {
		gaps := commaGap().FindAllStringIndex(part, 12)
		n := len(commaGap().Split(place, 5)) // pieces of the place
		if n > len(gaps) {
			return "", part
		}
		at := gaps[len(gaps)-n]
		if town := findTownAfterLegalForm(part[:at[0]]); town > 0 {
			return part[:town], part[town+1:] // "Acme Inc. Wickling, Canada"
		}
		if city := findCityAtEnd(part[:at[0]]); city > 0 && n == 1 && isCountry(place) {
			return part[:city], part[city+1:] // "Acme Austin, TX"
		}
		return part[:at[0]], part[at[1]:]
	}
	return cutCityAfterLegalForm(part)
}

// isPlaceInBrackets reports whether a text in brackets is a place: two letters that are no state are
// an abbreviation, as in "Nurse (RN)".
func isPlaceInBrackets(text string) bool {
	return isPlace(text) && (len(text) > 2 || usStates().MatchString(text))
}

// findTownAfterLegalForm returns the index of the space between a legal form and what could name a
// town, or 0.
func findTownAfterLegalForm(text string) int {
	for at := strings.LastIndexByte(text, ' '); at > 0 && strings.Count(text[at:], " ") < 3; at = strings.LastIndexByte(text[:at], ' ') {
		if isLegalForm(lastWord(text[:at])) && isTownShaped(text[at+1:]) && !hasLegalForm(text[at+1:]) {
			return at
		}
	}
	return 0
}

// findCityAtEnd returns the index of the space between a name and a known city, or 0. "Bank of Boston" is
// one name.
func findCityAtEnd(text string) int {
	for at := strings.LastIndexByte(text, ' '); at > 0 && strings.Count(text[at:], " ") < 3; at = strings.LastIndexByte(text[:at], ' ') {
		if isCity(text[at+1:]) && !joinsNext().MatchString(text[:at]) && !isTitle(text[:at]) {
			return at
		}
	}
	return 0
}

// cutCityAfterLegalForm cuts a place that only a space parts from its company: "Acme GmbH
// Leeds".
func cutCityAfterLegalForm(part string) (rest, place string) {
	for at := strings.LastIndexByte(part, ' '); at > 0; at = strings.LastIndexByte(part[:at], ' ') {
		if isPlace(part[at+1:]) && !isLegalForm(part[at+1:]) && hasLegalForm(part[:at]) {
			return part[:at], part[at+1:]
		}
		if strings.Count(part[at:], " ") > 2 {
			break
		}
	}
	return part, ""
}
