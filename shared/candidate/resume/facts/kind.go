package facts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

var (
	titleEnding  = words.Pattern(`(?i)\p{L}{2}<title-ending>\b`)
	nameParticle = words.Pattern(`^<employer-particle> \p{Lu}`) // "de Vries Logistics"
	saysWhat     = words.Pattern(`^<says-what> \p{Ll}`)         // "A charity that rehouses animals"
)

// HasLegalForm reports whether a legal form ends a text. In scripts other than Latin it
// may be anywhere: "ООО Ветер", "青云有限公司上海". "Denver, CO" is in Colorado.
func HasLegalForm(text string) bool {
	if strings.HasSuffix(text, ", CO") {
		return false
	}
	tokens := words.Scan(text)
	for at, t := range tokens {
		_, next := words.Vocabulary().LegalForms.Find(tokens, at)
		if next == at {
			continue
		}
		for next < len(tokens) && tokens[next].Kind >= words.Space {
			next++
		}
		isLast := next == len(tokens) && at > 0
		isBeforeName := at+1 < len(tokens) && t.Text[0] >= utf8.RuneSelf && !words.HasLatin(t.Text)
		if isLast || isBeforeName {
			return true
		}
	}
	return false
}

// IsLegalForm reports whether a text is a legal form, or several as in "Pvt. Ltd.", and nothing else.
func IsLegalForm(text string) bool {
	tokens := words.Scan(text)
	for at := 0; at < len(tokens); {
		_, next := words.Vocabulary().LegalForms.Find(tokens, at)
		isBetween := at > 0 && (dates.IsMark(tokens, at, ".") || tokens[at].Kind == words.Space)
		switch {
		case next > at:
			at = next
		case isBetween:
			at++
		default:
			return false
		}
	}
	return len(tokens) > 0
}

// IsTitle reports whether piece has a title's noun among few words, the first of them not in lower case.
func IsTitle(piece string) bool {
	if !words.IsShort(piece) || beginsInLowerCase(piece) {
		return false
	}
	return words.Vocabulary().TitleWords.Has(piece) || titleEnding().MatchString(piece)
}

// beginsInLowerCase reports whether the first word of a text has small letters only: "iOS" has not.
func beginsInLowerCase(text string) bool {
	return unicode.IsLower(words.FirstRune(text)) && !strings.ContainsFunc(words.First(text), unicode.IsUpper)
}

// IsNameLike reports whether piece could name an employer: it has few words, the first
// not in lower case but for "example.com", "studio nord" and "salt & tern", and is not a sentence.
func IsNameLike(piece string) bool {
	piece = strings.TrimLeft(piece, "\"'“(«")
	hasLetters := utf8.RuneCountInString(piece) > 1 && strings.ContainsFunc(piece, unicode.IsLetter)
	if !words.IsShort(piece) || !hasLetters {
		return false
	}
	if beginsInLowerCase(piece) && !isSmallName(piece) {
		return false
	}
	return !strings.HasSuffix(piece, ".") || HasLegalForm(piece) || len(strings.Fields(piece)) < 4
}

// isSmallName reports whether a text that begins with a small letter could name an employer: with a particle, as one longer
// word, or as two or three with a sign between them or an organisation's word.
func isSmallName(piece string) bool {
	if nameParticle().MatchString(piece) {
		return true
	}
	if utf8.RuneCountInString(piece) < 4 || len(strings.Fields(piece)) > 3 {
		return false
	}
	return !strings.Contains(piece, " ") || strings.ContainsAny(piece, "&+") || words.Vocabulary().Organisations.Has(piece)
}

// IsPhrase reports whether a piece says something instead of naming it: three or more of its
// words of four letters are in lower case, and few in capitals, or it is a label and what it labels.
func IsPhrase(piece string) bool {
	lower, upper := CountCases(piece, 4)
	return lower >= 3 && lower > upper || strings.Contains(piece, ": ") || saysWhat().MatchString(piece)
}

// IsSentence reports whether a text ends with a point and has more words in lower case than in capitals.
func IsSentence(text string) bool {
	lower, upper := CountCases(text, 1)
	return strings.HasSuffix(text, ".") && lower > upper && !HasLegalForm(text)
}

// CountCases returns how many words of a text begin in lower case and have so many letters, and how many begin with a capital.
func CountCases(text string, letters int) (lower, upper int) {
	for _, word := range strings.Fields(text) {
		switch first := words.FirstRune(word); {
		case unicode.IsUpper(first):
			upper++
		case unicode.IsLower(first) && utf8.RuneCountInString(word) >= letters:
			lower++
		}
	}
	return lower, upper
}

// IsBullet reports whether a line begins with the mark of a list item.
func IsBullet(line string) bool { return BulletMark().MatchString(line) }

// IsProse reports whether line is a sentence or a list item, and not the name of something.
func IsProse(line string) bool {
	words := len(strings.Fields(line))
	if IsBullet(line) || words > 18 || strings.HasSuffix(line, "。") {
		return true
	}
	if utf8.RuneCountInString(line) > 40 && strings.ContainsAny(line, "。؛") {
		return true
	}
	endsWithPoint := strings.HasSuffix(line, ".") || strings.HasSuffix(line, "।")
	return endsWithPoint && words > 5 && !HasLegalForm(line)
}

// IsSchool reports whether a piece has a school's word.
func IsSchool(piece string) bool { return words.Vocabulary().SchoolWords.Has(piece) }

// IsDegree reports whether a piece has a degree's word.
func IsDegree(piece string) bool { return words.Vocabulary().DegreeWords.Has(piece) }

// stateLetters are codes, as post offices write them in any language.
const stateLetters = `A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]`

// Forms of places.
var (
	usPlace         = words.Pattern(`^\p{Lu}[\p{L}.' -]*, ?(?:` + stateLetters + `)\b(?:,? \d{5})?(?:, <state-country>)?$`) // "City, ST"
	usState         = words.Expression(`^[A-Z]{2}(?: \d{5})?$`)
	usStates        = words.Expression(`^(?:` + stateLetters + `)$`)
	stateBehindCity = words.Expression(`^(.+) (?:ACT|NSW|QLD|TAS|VIC|` + stateLetters + `)(?: \d{4,5})?$`) // "Melbourne VIC 3000"
	// eastAsianPlace matches administrative units: 広島県福山市, 广东省深圳市, 서울특별시 강남구.
	eastAsianPlace = words.Pattern(`^(?:\p{Han}{2,9}<han-unit>|\p{Hangul}{1,6}<hangul-province>(?: \p{Hangul}{1,5}<hangul-district>)?)$`)
	// county matches a county as Ireland writes it, and one of England: "Co. Cork", "South Gloucestershire".
	county = words.Pattern(`^(?:<county> \p{Lu}\p{Ll}+|(?:<county-direction> )?\p{Lu}\p{Ll}{2,}<county-ending>)$`)
	// townShape matches one to three words that could name a town.
	townShape  = words.Pattern(`^\p{Lu}[\p{L}'’.-]*(?: (?:<in-town> )?\p{Lu}[\p{L}'’.-]*){0,2}$`)
	cityStates = words.Listed("city-state") // countries that no city precedes
	noPlaces   = words.Listed("no-place")
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

func isBeforeCountry(pieces []string, alone bool) bool {
	n := len(pieces)
	if n < 2 || !IsCountry(pieces[n-1]) || cityStates()[words.PlaceKey(pieces[n-1])] {
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

func isRemote(s string) bool { return noPlaces()[words.PlaceKey(s)] }

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
