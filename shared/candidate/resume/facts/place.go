package facts

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// MaxHeaderLines is how many lines of a header may hold a name or an address.
const MaxHeaderLines = 15

const stateLetters = `A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]`

// Forms of places.
var (
	usPlace         = words.Expression(`^\p{Lu}[\p{L}.' -]*, ?(?:` + stateLetters + `)\b(?:,? \d{5})?(?:, (?:USA|United States))?$`) // "City, ST"
	usState         = words.Expression(`^[A-Z]{2}(?: \d{5})?$`)
	usStates        = words.Expression(`^(?:` + stateLetters + `)$`)
	stateBehindCity = words.Expression(`^(.+) (?:ACT|NSW|QLD|TAS|VIC|` + stateLetters + `)(?: \d{4,5})?$`) // "Melbourne VIC 3000"
	// eastAsianPlace matches administrative units: 広島県福山市, 广东省深圳市, 서울특별시 강남구.
	eastAsianPlace = words.Expression(`^(?:\p{Han}{2,9}[市区區县縣省県府都道町]|\p{Hangul}{1,6}(?:시|도)(?: \p{Hangul}{1,5}[시구군])?)$`)
	// county matches a county as Ireland writes it, and one of England: "Co. Cork", "South Gloucestershire".
	county = words.Expression(`^(?:(?:Co\.?|County) \p{Lu}\p{Ll}+|(?:(?:North|South|East|West) )?\p{Lu}\p{Ll}{2,}shire)$`)
	// townShape matches one to three words that could name a town.
	townShape  = words.Expression(`^\p{Lu}[\p{L}'’.-]*(?: (?:(?:of|on|upon|under|the|de|la|le|du|am|an der|sur|in) )?\p{Lu}[\p{L}'’.-]*){0,2}$`)
	cityStates = words.Set("singapore monaco djibouti gibraltar luxembourg") // countries that no city precedes
)

// isCity reports whether s is a large city, with or without the letters of its state.
func isCity(s string) bool {
	if m := stateBehindCity().FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	return words.Vocabulary().Cities[words.PlaceKey(s)] != "" || eastAsianPlace().MatchString(s)
}

// IsPlace reports whether a piece of a line is a place and nothing else.
func IsPlace(piece string) bool {
	key := words.PlaceKey(piece)
	if words.Vocabulary().Countries[key] != "" || isCity(piece) || isRemote(piece) {
		return true
	}
	return usPlace().MatchString(piece) || CountPlace(CommaGap().Split(piece, 5), true) > 0
}

// IsCountry reports whether a piece is a country, a state or a county.
func IsCountry(piece string) bool {
	isState := usState().MatchString(strings.TrimSpace(piece)) && !IsTitle(piece) // "QA"
	return isState || words.Vocabulary().Countries[words.PlaceKey(piece)] != "" || county().MatchString(piece)
}

// CountPlace returns how many pieces at the end of a list are a place: "Leeds, United
// Kingdom", a large city alone, or any two pieces of which the second is a
// country. The first piece of exactly two counts only if alone is set or it is a
// known city: "Acme, Germany" may be a company.
func CountPlace(pieces []string, alone bool) int {
	n := len(pieces)
	last := pieces[n-1]
	switch {
	case isBeforeCountry(pieces, alone):
		if n >= 3 && isCity(pieces[n-3]) && !isCity(pieces[n-2]) {
			return 3 // city, region, country
		}
		return 2
	case IsCountry(last), isCity(last):
		if n >= 2 && isCity(pieces[n-2]) {
			return 2
		}
		return 1
	case isRemote(last):
		return 1
	}
	return 0
}

// isBeforeCountry reports whether the piece before the last is a town or a region, and that a country with towns.
func isBeforeCountry(pieces []string, alone bool) bool {
	n := len(pieces)
	if n < 2 || !IsCountry(pieces[n-1]) || cityStates[words.PlaceKey(pieces[n-1])] {
		return false
	}
	return isCityShaped(pieces[n-2]) && (alone || n > 2 || isCity(pieces[n-2]))
}

// countBehindEmployer returns how many pieces, one or two, are behind an organisation's name at the end of a line. They
// may be a place of any name: "Norsea Maritime AS, Great Dunmow, Essex".
func countBehindEmployer(pieces []string) int {
	for n := len(pieces) - 1; n >= 1 && n >= len(pieces)-2; n-- {
		if !IsTownShaped(pieces[n]) || findLean(pieces[n]) > 0 {
			return 0
		}
		f := New(pieces[n-1])
		isOnlyCompany := f.Company && !(f.Title || f.IsUnit)
		if f.Legal || len(pieces)-n == 1 && isOnlyCompany {
			return len(pieces) - n
		}
	}
	return 0
}

// IsTownShaped reports whether a piece could name a town, and neither a title nor a part of an organisation.
func IsTownShaped(piece string) bool {
	if !townShape().MatchString(piece) || !isCityShaped(piece) {
		return false
	}
	return !words.IsAny(piece, salesArea().MatchString, words.Vocabulary().Units.Has, IsLegalForm)
}

// isCityShaped reports whether s is neither a title, a street nor a company.
func isCityShaped(s string) bool {
	if !isCity(s) && words.Vocabulary().Organisations.Has(s) {
		return false
	}
	isOther := IsTitle(s) || HasLegalForm(s) || strings.ContainsAny(s, "0123456789@/&")
	return !isOther && len(strings.Fields(s)) <= 4
}

func isRemote(s string) bool { return words.PlaceKey(s) == "remote" || words.PlaceKey(s) == "hybrid" }

// cutPlace returns a part of a line without the place at its end. It is alone if it is beside other parts.
func cutPlace(part string, beside bool) (rest, place string) {
	m := InBrackets().FindStringSubmatch(part)
	if m != nil && IsPlace(m[1]) && (len(m[1]) > 2 || usStates().MatchString(m[1])) { // "Nurse (RN)" has none
		return strings.TrimSuffix(part, m[0]), m[1]
	}
	if town, _, _ := strings.Cut(part, ","); beside && usPlace().MatchString(part) && IsTownShaped(town) {
		return "", part // "Fort Ellis, CO" is not a company
	}
	pieces := JoinLegalForms(CommaGap().Split(part, 12))
	mayBeAlone := beside || len(pieces) != 2 || !words.IsAny(pieces[0], IsTitle, HasLegalForm)
	n := CountPlace(pieces, mayBeAlone)
	if n == 0 {
		n = countBehindEmployer(pieces)
	}
	if n == 0 {
		return part, ""
	}
	n = len(CommaGap().Split(strings.Join(pieces[len(pieces)-n:], ", "), 12)) // "CO", a legal form too, is joined to its town
	gaps := CommaGap().FindAllStringIndex(part, 12)
	if n > len(gaps) {
		return "", part
	}
	at := gaps[len(gaps)-n]
	return part[:at[0]], part[at[1]:]
}

// FindLast returns how many pieces or parts are before the last of a line, which may be its place, and whether it is set apart from them.
func (l Line) FindLast() (before int, apart, ok bool) {
	pieces := 0
	most := 2 // before the place
	if n := len(l.Whole); n > 0 {
		pieces = len(JoinLegalForms(CommaGap().Split(l.Whole[n-1].Text, 6)))
	}
	if len(l.Whole) > 1 {
		most = 1 // an employer, perhaps with commas of its own
	}
	switch n := len(l.Whole); {
	case l.Place != "" && l.apart:
		return l.Parts, true, true
	case l.Place != "":
		return min(pieces, most), false, true
	case n == 0:
		return 0, false, false
	case CommaGap().MatchString(l.Whole[n-1].Text):
		return min(pieces-1, most), false, true
	}
	return l.Parts - 1, true, true
}

// HasEmployerBefore reports whether a line names an employer before the last part, or before the last
// piece of that, and a title if it has other parts.
func (l Line) HasEmployerBefore(apart bool) bool {
	n := len(l.Whole) - 1
	if apart {
		return IsTitleAndEmployer(l.Whole[:n])
	}
	if slices.ContainsFunc(l.Whole[:n], func(f Fact) bool { return f.Title }) {
		return true // "Cooper", "Acme, Wickling"
	}
	pieces := JoinLegalForms(CommaGap().Split(l.Whole[n].Text, 6))
	for from := len(pieces) - 2; from >= 0; from-- { // "Mendoza, Black and Robinson" is one employer
		if f := New(strings.Join(pieces[from:len(pieces)-1], ", ")); f.Company && !f.Title || f.lean < 0 {
			return true
		}
	}
	return false
}

// HasPairBefore reports whether the halves of the only part before the last are a title and what may be
// an employer: "Cooper, Tern Rail – Wickling".
func (l Line) HasPairBefore() bool {
	if len(l.Whole) != 2 {
		return false
	}
	pair := bestPair(l.Whole[0].Text, false)
	return len(pair) == 2 && pair[0].Title != pair[1].Title && IsTitleAndEmployer(pair)
}
