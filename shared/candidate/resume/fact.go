package resume

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxWords = 10 // of a title or a company

var (
	separator  = regexp.MustCompile(`\t|\s*[|·•—]\s*|\s+[–-]\s+|\s+(?:at|@|bei|chez|hos|w)\s+|\s+[–-]$|:$`)
	commaGap   = regexp.MustCompile(`\s*,\s+`)
	legalForm  = regexp.MustCompile(`(?i)(?:^|[\s,])(?:inc|llc|llp|ltd|limited|plc|corp|corporation|gmbh|ag|se|kg|ab|oy|as|a/s|asa|aps|bv|b\.v|nv|n\.v|sa|s\.a|sas|sarl|srl|s\.r\.l|spa|s\.p\.a|pty|pty ltd|pvt|pvt ltd|pvt\. ltd|private limited|co|company|group|kft|lda|ltda|jsc|ooo|ооо|тов|pte|pte ltd|k\.k|kk|sdn bhd|bhd|sp\. z o\.o)\.?$`)
	bulletMark = regexp.MustCompile(`^(?:[-*–—•·▪▫◦○●■□‣⁃➢➤✓►]|o\s)\s*`)

	// organisations are words in names of employers that titles hardly have.
	organisations = wordSet(`hospital clinic university college school institute bank group labs laboratories laboratory studio studios systems technologies technology
		solutions software partners holdings industries foods stores logistics analytics robotics energy airlines pharma pharmaceuticals insurance capital
		ventures foundation agency academy ministry council municipality authority consulting services contracting works enterprises international media digital retail
		motors electronics networks hotel hotels restaurant center centre association society corporation airways telecom trust press publishing church army navy`)
)

// fact is a piece of a line, and what it looks like.
type fact struct {
	text                  string
	title, legal, company bool // has a title's noun, a legal form, an organisation's word
}

// splitFacts splits a line at gaps, bars, dots, dashes and " at ", and at commas if it
// has none of these. A place at the end is returned separately.
func splitFacts(line string) (facts []fact, place string) {
	var parts []string
	for _, part := range separator.Split(line, 12) {
		if part = strings.Trim(part, " \t,;:|·•–—-()"); part != "" {
			parts = append(parts, part)
		}
	}
	for _, part := range parts {
		pieces := joinLegalForms(commaGap.Split(part, 12))
		if found := trailingPlace(pieces, len(parts) > 1 || len(pieces) > 2 || len(pieces) == 2 && !isTitle(pieces[0]) && !legalForm.MatchString(pieces[0])); found != "" {
			if place == "" {
				place = found
			}
			pieces = pieces[:len(pieces)-len(commaGap.Split(found, 5))]
		}
		if len(pieces) > 1 && (areTitles(pieces) || len(parts) > 1 && !mixesTitleAndCompany(pieces)) {
			pieces = []string{strings.Join(pieces, ", ")}
		}
		for _, piece := range pieces {
			if piece = strings.Trim(piece, " ,;:()"); piece != "" && piece != "|" && !dateLabel.MatchString(piece) {
				facts = append(facts, newFact(piece))
			}
		}
	}
	return facts, place
}

// mixesTitleAndCompany reports whether the pieces are a title and a company, as in
// "Engineer, Acme Ltd"; "Director, Sales" is one title.
func mixesTitleAndCompany(pieces []string) bool {
	first, last := newFact(pieces[0]), newFact(pieces[len(pieces)-1])
	return first.title != last.title && (first.company || last.company || first.legal || last.legal)
}

// areTitles reports whether every piece is a title: "Founding Partner, Architect" is one.
func areTitles(pieces []string) bool {
	return !slices.ContainsFunc(pieces, func(p string) bool { return !newFact(p).title })
}

// joinLegalForms joins "Acme" and "Inc." to one name.
func joinLegalForms(pieces []string) []string {
	var out []string
	for _, piece := range pieces {
		if len(out) > 0 && len(piece) <= 16 && legalForm.FindString(piece) == piece && piece != "" {
			out[len(out)-1] += ", " + piece
		} else {
			out = append(out, piece)
		}
	}
	return out
}

func newFact(text string) fact {
	if m := titleLabel.FindString(text); m != "" {
		return fact{text: text[len(m):], title: true}
	}
	if m := companyLabel.FindString(text); m != "" {
		return fact{text: text[len(m):], company: true, legal: true}
	}
	f := fact{text: text, legal: legalForm.MatchString(text)}
	f.title = isTitle(text) && !f.legal
	f.company = f.legal || hasWord(text, organisations)
	return f
}

var (
	titleLabel   = regexp.MustCompile(`(?i)^(?:job )?(?:title|position|designation|role|rolle|funktion|poste)\s*[:：]\s*`)
	companyLabel = regexp.MustCompile(`(?i)^(?:company|employer|organi[sz]ation|company name|client|firma|arbeitgeber|entreprise|empresa)(?: \d)?\s*[:：]\s*`)
	dateLabel    = regexp.MustCompile(`(?i)^(?:duration|period|dates?|from|time|zeitraum|period of work)\s*[:：]?$`)
)

// isTitle reports whether piece has a title's noun among few words, the first of them
// not in lower case.
func isTitle(piece string) bool {
	first, _ := utf8.DecodeRuneInString(piece)
	return isShort(piece) && !unicode.IsLower(first) && (hasWord(piece, titleWords) || titleEnding.MatchString(piece))
}

// titleEnding matches the endings of titles' nouns.
var titleEnding = regexp.MustCompile(`(?i)\p{L}{2}(?:ologist|ician|grapher|wright|keeper|analyst|engineer|manager|officer|worker|maker|developer|designer|leiter|ingenieur|entwickler)(?:in)?\b`)

func hasWord(piece string, set map[string]bool) bool {
	words := strings.FieldsFunc(strings.ToLower(piece), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '+' && r != '#'
	})
	return slices.ContainsFunc(words, func(w string) bool { return set[w] })
}

func isShort(piece string) bool {
	words := len(strings.Fields(piece))
	return words > 0 && words <= maxWords && !strings.ContainsAny(piece, "@\\") && !strings.Contains(piece, "://")
}

// isNameLike reports whether piece could name an employer: it has few words, the first
// not in lower case, and is no sentence.
func isNameLike(piece string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(piece, "\"'“(«"))
	return isShort(piece) && utf8.RuneCountInString(piece) > 1 && !unicode.IsLower(first) && strings.ContainsFunc(piece, unicode.IsLetter) &&
		(!strings.HasSuffix(piece, ".") || legalForm.MatchString(piece) || len(strings.Fields(piece)) < 4)
}

func isBullet(line string) bool { return bulletMark.MatchString(line) }

// isProse reports whether line is a sentence or a list item, and not the name of something.
func isProse(line string) bool {
	words := len(strings.Fields(line))
	return isBullet(line) || words > 18 || strings.HasSuffix(line, ".") && words > 5 && !legalForm.MatchString(line)
}
