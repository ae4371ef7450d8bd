package resume

import "strings"

// cutPlace returns a part of a line without the place at its end. It is alone if it is
// beside other parts.
func cutPlace(part string, beside bool) (rest, place string) {
	if m := inBrackets().FindStringSubmatchIndex(part); m != nil && isPlace(part[m[2]:m[3]]) {
		return part[:m[0]], part[m[2]:m[3]]
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
		return part[:at[0]], part[at[1]:]
	}
	return cutCityAfterLegalForm(part)
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
