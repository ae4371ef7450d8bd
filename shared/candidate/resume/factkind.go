package resume

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hasLegalForm reports whether a legal form ends a text. In scripts other than Latin it
// may stand anywhere: "ООО Ветер", "青云有限公司上海". "Denver, CO" is in Colorado.
func hasLegalForm(text string) bool {
	if strings.HasSuffix(text, ", CO") {
		return false
	}
	tokens := scanTokens(text)
	for at, t := range tokens {
		next := vocabulary().legalForms.findAt(tokens, at)
		if next == at {
			continue
		}
		for next < len(tokens) && tokens[next].kind >= spaceToken {
			next++
		}
		if next == len(tokens) && at > 0 || t.text[0] >= utf8.RuneSelf && at+1 < len(tokens) && !isLatinWord(t.text) {
			return true
		}
	}
	return false
}

func isLatinWord(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// isLegalForm reports whether a text is a legal form, or several as in "Pvt. Ltd.", and nothing else.
func isLegalForm(text string) bool {
	tokens := scanTokens(text)
	for at := 0; at < len(tokens); {
		next := vocabulary().legalForms.findAt(tokens, at)
		isBetween := at > 0 && (isMark(tokens, at, ".") || tokens[at].kind == spaceToken)
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

// isTitle reports whether piece has a title's noun among few words, the first of them
// not in lower case.
func isTitle(piece string) bool {
	if !isShort(piece) || beginsInLowerCase(piece) {
		return false
	}
	return vocabulary().titleWords.isIn(scanTokens(piece)) || titleEnding().MatchString(piece)
}

// beginsInLowerCase reports whether the first word of a text has small letters only: "iOS" has not.
func beginsInLowerCase(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(first) && !strings.ContainsFunc(firstWord(text), unicode.IsUpper)
}

// titleEnding matches the endings of titles' nouns.
var titleEnding = expression(`(?i)\p{L}{2}(?:ologist|ician|grapher|wright|keeper|officer|worker|maker)\b`)

func isShort(piece string) bool {
	words := len(strings.Fields(piece))
	return words > 0 && words <= maxWords && strings.LastIndexAny(piece, "@\\") <= 0 && !strings.Contains(piece, "://") // "@Work Staffing"
}

// isNameLike reports whether piece could name an employer: it has few words, the first
// not in lower case but for "example.com", "studio nord" and "salt & tern", and is no sentence.
func isNameLike(piece string) bool {
	piece = strings.TrimLeft(piece, "\"'“(«")
	if !isShort(piece) || utf8.RuneCountInString(piece) < 2 || !strings.ContainsFunc(piece, unicode.IsLetter) {
		return false
	}
	if beginsInLowerCase(piece) && !nameParticle().MatchString(piece) && (utf8.RuneCountInString(piece) < 4 || len(strings.Fields(piece)) > 3 || strings.Contains(piece, " ") && !strings.ContainsAny(piece, "&+") && !vocabulary().organisations.isIn(scanTokens(piece))) {
		return false
	}
	return !strings.HasSuffix(piece, ".") || hasLegalForm(piece) || len(strings.Fields(piece)) < 4
}

// nameParticle matches the beginning of names such as "de Vries Logistics".
var nameParticle = expression(`^(?:d[aeiu]|del|de la|van(?: de[nr])?|von(?: der)?|l[ae]|ten?) \p{Lu}`)

// isPhrase reports whether a piece says something instead of naming it: three or more of its
// longer words are in lower case, and few in capitals, or it is a label and what it labels.
func isPhrase(piece string) bool {
	lower, upper := 0, 0
	for _, word := range strings.Fields(piece) {
		first, _ := utf8.DecodeRuneInString(word)
		switch {
		case unicode.IsUpper(first):
			upper++
		case unicode.IsLower(first) && utf8.RuneCountInString(word) > 3:
			lower++
		}
	}
	return lower >= 3 && lower > upper || strings.Contains(piece, ": ") || saysWhat().MatchString(piece)
}

// saysWhat matches what a company is: "A charity that rehouses animals", "One of the largest hospitals".
var saysWhat = expression(`^(?:An?|One of the|Une?|Eine?|Een|Uma?) \p{Ll}`)

// isSentence reports whether a text ends with a point and has more words in lower case than in capitals.
func isSentence(text string) bool {
	lower, upper := countCases(text)
	return strings.HasSuffix(text, ".") && lower > upper && !hasLegalForm(text)
}

// isSentenceEnd reports whether a text is the last line of a sentence that wraps.
func isSentenceEnd(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(first) && isSentence(text)
}

// countCases returns how many words of a text begin in lower case, and how many with a capital.
func countCases(text string) (lower, upper int) {
	for _, word := range strings.Fields(text) {
		switch first, _ := utf8.DecodeRuneInString(word); {
		case unicode.IsUpper(first):
			upper++
		case unicode.IsLower(first):
			lower++
		}
	}
	return lower, upper
}

func isBullet(line string) bool { return bulletMark().MatchString(line) }

// isProse reports whether line is a sentence or a list item, and not the name of something.
func isProse(line string) bool {
	words := len(strings.Fields(line))
	if isBullet(line) || words > 18 || utf8.RuneCountInString(line) > 40 && strings.ContainsAny(line, "。؛") || strings.HasSuffix(line, "。") {
		return true
	}
	return (strings.HasSuffix(line, ".") || strings.HasSuffix(line, "।")) && words > 5 && !hasLegalForm(line)
}
