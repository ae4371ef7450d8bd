package facts

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// cutPlace returns a part of a line without the place at its end. It is alone if it is
// beside other parts.
func cutPlace(part string, beside bool) (rest, place string) {
	if m := InBrackets().FindStringSubmatchIndex(part); m != nil && isPlaceInBrackets(part[m[2]:m[3]]) {
		return part[:m[0]], part[m[2]:m[3]]
	}
	if town, _, _ := strings.Cut(part, ","); beside && isUSPlace(part) && IsTownShaped(town) {
		return "", part // "Fort Ellis, CO" is not a company
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

// isPlaceInBrackets reports whether a text in brackets is a place: two letters that are not a state
// are an abbreviation, as in "Nurse (RN)".
func isPlaceInBrackets(text string) bool {
	return IsPlace(text) && (len(text) > 2 || usStates().MatchString(text))
}

// JoinsNext matches a word or mark that joins what follows: "Bank of".
var JoinsNext = words.Expression(`(?i)(?:[&/]|\b(?:and|of|for|the))$`)
