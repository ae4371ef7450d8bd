package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

var (
	titleEnding  = words.Expression(`(?i)\p{L}{2}(?:ologist|ician|grapher|wright|keeper|officer|worker|maker)\b`)
	nameParticle = words.Expression(`^(?:d[aeiu]|del|de la|van(?: de[nr])?|von(?: der)?|l[ae]|ten?) \p{Lu}`) // "de Vries Logistics"
	saysWhat     = words.Expression(`^(?:An?|One of the|Une?|Eine?|Een|Uma?) \p{Ll}`)                        // "A charity that rehouses animals"
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

// IsSentenceEnd reports whether a text is the last line of a sentence that wraps.
func IsSentenceEnd(text string) bool {
	return unicode.IsLower(words.FirstRune(text)) && IsSentence(text)
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
