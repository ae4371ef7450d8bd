package resume

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

const (
	topLines = 3    // a name without other evidence must be in these
	maxAtTop = 4    // names without other evidence that are kept
	maxNames = 1000 // pieces of lines tried as names; the header of a real resume has a few dozen
)

var (
	nameLabel = expression(`(?i)^(?:full )?name\s*[:：]\s*`)
	ofName    = expression(`(?i)^(?:(?:of|for|von|de|di|da|do|van|av|af|för)\s+)?[-–—:：|,.\s]*`) // between the resume's own name and the person's
	sOfName   = expression(`['’]s?$|[-–—:：|,\s]+$`)                                              // behind the person's
	notInName = wordSet(`resume résumé curriculum vitae cv lebenslauf page phone email e-mail mobile tel address linkedin github website portfolio
		university college school institute street road avenue january february march april june july august september october november december
		and or with for to in on the of at from`)
	nameParticles = wordSet(`de da do dos das del della di du la le las los van von der den ter ten zu zum al el bin binti bint ibn y e af av ap ben 't ’t 's ’s op aan`)
	letterPrefix  = expression(`^(?:al|el|ad|as|abd|d|l|o|mc|mac|de|van|von)[-'’]\p{Lu}`)
	afterName     = expression(`(?i)^(?:ph\.?d|m\.?d|mba|msc|bsc|rn|bsn|cpa|cfa|pmp|pe|esq|jr|sr|ii|iii|iv|dds|jd|llm|phr|shrm(?:-s?cp)?|cissp|pharmd|dpt|np|fnp)\.?$`)
)

// findName returns the first line in the shape of a name that shares a word with an
// e-mail address or profile of the resume, which proves it. Without one it returns a
// name at the very top of a header, and the other pieces there that have a name's shape: one
// may be a heading. A name is never made from an address.
func findName(blocks []block, f Fields) (name string, proven bool, others []string) {
	proof := strings.Join(slices.Concat(f.Emails, f.LinkedIn, f.GitHub), " ")
	var atTop []string
	tried := 0
	for i, b := range blocks {
		beginsFile := beginsFile(blocks, i)
		if b.section != header && !beginsFile && b.section != summary {
			continue
		}
		for n, line := range b.lines[:min(len(b.lines), maxHeaderLines)] {
			if tried > maxNames {
				break
			}
			for _, candidate := range nameCandidates(b.lines, n) {
				tried++
				cell, _, _ := strings.Cut(line, "\t")
				isCell := candidate == cell
				candidate = joinTornWords(candidate, proof)
				if words := len(strings.Fields(candidate)); isCell && (words == 1 && !isNoName(candidate) || (words == 1 || cell != line) && isProvenBy(candidate, proof)) {
					candidate = longerName(candidate, cellsBelow(b.lines, n), proof) // "MAYA", "OKAFOR"
				}
				if !isNameShaped(candidate) {
					continue
				}
				if isProvenBy(candidate, proof) {
					if n+1 < len(b.lines) && strings.HasSuffix(line, candidate) {
						candidate = longerName(candidate, b.lines[n+1:], proof)
					}
					return writtenName(candidate), true, nil
				}
				if len(atTop) < maxAtTop && n < topLines && (b.section == header || beginsFile && b.section == summary) && len(line) < 2*maxHeading {
					atTop = append(atTop, writtenName(candidate))
				}
			}
		}
	}
	if len(atTop) == 0 {
		return "", false, nil
	}
	return atTop[0], false, atTop[1:]
}

// beginsFile reports whether nothing but headings is above a block: "RESUME" is also French for
// a summary, and "CAREER HISTORY" may be the title of a page.
func beginsFile(blocks []block, i int) bool {
	return !slices.ContainsFunc(blocks[:i], func(b block) bool { return len(b.lines) > 0 })
}

// nameCandidates returns the pieces of a line, and "Family, Given" in reverse order.
func nameCandidates(lines []string, n int) []string {
	line := cutVitaeTitle(nameLabel().ReplaceAllString(lines[n], ""))
	var out []string
	for _, part := range separator().Split(line, 12) {
		pieces := commaGap().Split(strings.Trim(part, " ,;:()"), 12)
		for len(pieces) > 1 && afterName().MatchString(pieces[len(pieces)-1]) {
			pieces = pieces[:len(pieces)-1]
		}
		if len(pieces) == 2 && len(strings.Fields(pieces[0])) == 1 && len(strings.Fields(pieces[1])) <= 2 && trailingPlace(pieces, true) == "" {
			out = append(out, pieces[1]+" "+pieces[0])
		}
		out = append(out, pieces...)
	}
	words := strings.Fields(line)
	if strings.Contains(line, "\t") && len(words) <= 4 && len(words) <= 1+strings.Count(line, "\t") {
		out = append(out, strings.Join(words, " ")) // set apart
	}
	if n := slices.IndexFunc(words, func(w string) bool { return strings.ContainsAny(w, "0123456789@:/") }); n > 1 {
		out = append(out, strings.Join(words[:n], " ")) // an address follows
	}
	return out
}

// joinTornWords joins the pieces of words whose letters are set apart, "Vigg o Bergfalk", if proof
// holds the words.
func joinTornWords(name, proof string) string {
	var words []string
	for _, word := range strings.Fields(name) {
		first, _ := utf8.DecodeRuneInString(word)
		if len(words) == 0 || !unicode.IsLower(first) || nameParticles[word] || letterPrefix().MatchString(word) {
			words = append(words, word)
			continue
		}
		words[len(words)-1] += word
	}
	proof = lettersOf(proof)
	if joined := strings.Join(words, " "); joined != name && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(proof, lettersOf(w)) }) {
		return joined
	}
	return name
}

func lettersOf(s string) string { return strings.ReplaceAll(headingKey(s), " ", "") }

// cutVitaeTitle returns a line without the resume's own name at its beginning or end: "Resume of
// Maya Okafor", "Lebenslauf – Maya Okafor", "Maya Okafor's CV".
func cutVitaeTitle(line string) string {
	words := strings.Fields(line)
	for n := min(3, len(words)-1); n > 0; n-- {
		first, last := strings.Join(words[:n], " "), strings.Join(words[len(words)-n:], " ")
		if vocabulary().vitaeTitles[headingKey(first)] {
			return ofName().ReplaceAllString(strings.Join(words[n:], " "), "")
		}
		if vocabulary().vitaeTitles[headingKey(last)] {
			return sOfName().ReplaceAllString(strings.Join(words[:len(words)-n], " "), "")
		}
	}
	return line
}

// cellsBelow returns the first cell of the next line; of a line with several cells, those of the
// next three lines that have several too, or one word of a name: other lines belong to what is beside it.
func cellsBelow(lines []string, n int) []string {
	if !strings.Contains(lines[n], "\t") {
		return firstCells(lines[n+1 : min(n+2, len(lines))])
	}
	below := slices.DeleteFunc(slices.Clone(lines[n+1:min(n+4, len(lines))]), func(line string) bool {
		return !strings.Contains(line, "\t") && !isNameWord(line)
	})
	return firstCells(below)
}

func firstCells(lines []string) []string {
	cells := make([]string, len(lines))
	for i, line := range lines {
		cells[i], _, _ = strings.Cut(line, "\t")
	}
	return cells
}

// longerName adds the following lines to a name that was too long for its line, if
// they look like names and an address proves them.
func longerName(name string, lines []string, proof string) string {
	for _, next := range lines[:min(len(lines), 2)] {
		next = joinTornWords(next, proof)
		words := strings.Fields(next)
		suffix := afterName().MatchString(next)
		if len(words) > 1 && !nameParticles[words[0]] && isNameShaped(next) && !isProvenBy(name, proof) {
			break // a whole name, under a heading
		}
		if len(words) > 3 || len(words)+len(strings.Fields(name)) > 6 || !suffix && (!isProvenBy(next, proof) || !isNameShaped(name+" "+next)) {
			break
		}
		name += " " + next
	}
	return name
}

// isProvenBy reports whether proof holds a word of the name with three letters or more.
func isProvenBy(name, proof string) bool {
	return slices.ContainsFunc(strings.Fields(personname.Fold(name)), func(word string) bool {
		return len(word) >= 3 && strings.Contains(proof, word)
	})
}

// isNameShaped reports whether piece is two to six words that begin like names, none of
// which belongs to titles, headings, skills or places.
func isNameShaped(piece string) bool {
	words := strings.Fields(piece)
	if isNoName(piece) {
		return false
	}
	if len(words) == 1 {
		return isCaselessName(piece)
	}
	return len(words) >= 2 && len(words) <= 6 && !slices.ContainsFunc(words, func(w string) bool {
		return utf8.RuneCountInString(w) > 30 || !isNameWord(w)
	})
}

// isNoName reports whether piece belongs to titles, headings, skills or places.
func isNoName(piece string) bool {
	_, isSkill := skillsByName()[skillKey(piece)]
	return isSkill || isHeading(piece) || vocabulary().vitaeTitles[headingKey(piece)] || isPlace(piece) || isTitle(piece) || hasLegalForm(piece)
}

// isCaselessName reports whether word is a Chinese, Japanese or Korean name: two to five
// characters.
func isCaselessName(word string) bool {
	letters := []rune(word)
	return len(letters) >= 2 && len(letters) <= 5 && !slices.ContainsFunc(letters, func(r rune) bool {
		return !unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
	})
}

func isNameWord(word string) bool {
	low := strings.ToLower(strings.Trim(word, ".()"))
	if notInName[low] || strings.ContainsFunc(low, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune("'’-.\u200c\u200d", r)
	}) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, "('’"))
	return nameParticles[low] || letterPrefix().MatchString(word) || unicode.IsLetter(first) && !unicode.IsLower(first)
}

// writtenName returns a name in capitals in its usual form: "O'BRIEN-LEE" as
// O'Brien-Lee, "MARIA DE LA ROSA" as Maria de la Rosa.
func writtenName(name string) string {
	if name != strings.ToUpper(name) || name == strings.ToLower(name) {
		return name
	}
	words := strings.Fields(name)
	for i, w := range words {
		if low := strings.ToLower(w); i > 0 && i+1 < len(words) && nameParticles[low] {
			words[i] = low
		} else {
			words[i] = capitalised(w)
		}
	}
	return strings.Join(words, " ")
}

func capitalised(word string) string {
	start := true
	return strings.Map(func(r rune) rune {
		defer func() { start = !unicode.IsLetter(r) && !unicode.IsMark(r) }()
		if start {
			return r
		}
		return unicode.ToLower(r)
	}, word)
}
