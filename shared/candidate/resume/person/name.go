package person

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

const maxLabelWords = 5 // "First name / last name"

// findLabelledName returns the name behind a label, "Name: Maya Okafor", or "". It may have words of titles and places.
func findLabelledName(line string) string {
	rest, ok := cutNameLabel(line)
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\t")
	piece := tidyName(lastBrackets().ReplaceAllString(rest, "$1$2"))
	if words := strings.Fields(piece); len(words) < 2 || len(words) > 6 || !hasNameWords(words) {
		return ""
	}
	return writtenName(piece)
}

// cutNameLabel returns what is behind a label for names. Without a colon or a gap behind them only
// several words are a label, or "Name" itself.
func cutNameLabel(line string) (rest string, ok bool) {
	terms := 0
	at := 0
	for _, m := range labelWord().FindAllStringIndex(line, maxLabelWords) {
		word := words.Fold(strings.Trim(line[m[0]:m[1]], "()"))
		if strings.Trim(line[at:m[0]], " /") != "" || !words.Vocabulary().NameLabels[word] {
			break
		}
		at = m[1]
		terms++
	}
	rest = strings.TrimLeft(line[at:], " ")
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case terms == 0 || rest == "":
		return line, false
	case first == ':' || first == '：' || first == '\t':
		return strings.TrimSpace(rest[size:]), true
	case terms == 1 && !nameLabelAlone()[strings.ToLower(line[:at])]:
		return line, false
	}
	return rest, true
}

// nameCandidates returns the pieces of a line, and "Family, Given" in reverse order.
func nameCandidates(lines []string, n int) []string {
	line, _ := cutNameLabel(lines[n])
	line = lastBrackets().ReplaceAllString(line, "$1$2")
	var out []string
	for _, part := range facts.Separator().Split(line, 12) {
		pieces := facts.CommaGap().Split(strings.Trim(cutVitaeTitle(part), " ,;:()"), 12)
		for len(pieces) > 1 && afterName().MatchString(pieces[len(pieces)-1]) {
			pieces = pieces[:len(pieces)-1]
		}
		isFamilyFirst := len(pieces) == 2 && len(strings.Fields(pieces[0])) == 1 && len(strings.Fields(pieces[1])) <= 2
		if isFamilyFirst && facts.CountPlace(pieces, true) == 0 {
			out = append(out, pieces[1]+" "+pieces[0])
		}
		for _, piece := range pieces {
			out = append(out, tidyName(piece))
		}
	}
	words := strings.Fields(line)
	if strings.Contains(line, "\t") && len(words) <= 4 && len(words) <= 1+strings.Count(line, "\t") {
		out = append(out, strings.Join(words, " ")) // set apart
	}
	if spacedWords().MatchString(line) {
		out = slices.Insert(out, 0, strings.ReplaceAll(strings.ReplaceAll(line, " ", ""), "\t", " ")) // "M A Y A<tab>O K A F O R"
	}
	if n := slices.IndexFunc(words, func(w string) bool { return strings.ContainsAny(w, "0123456789@:/") }); n > 1 {
		out = append(out, strings.Join(words[:n], " ")) // an address follows
	}
	return out
}

// spacedWord matches a cell that is one word of capitals and signs of names that are set apart, and spacedWords a line of them.
const spacedWord = ` *(?:[\p{Lu}'’-] +)+[\p{Lu}'’-] *`

var spacedWords = words.Expression(`^` + spacedWord + `(?:\t` + spacedWord + `)+$`)

// tidyName returns a piece without ornaments around it, and without degrees behind two names.
func tidyName(piece string) string {
	terms := strings.Fields(piece)
	for len(terms) > 2 && afterName().MatchString(terms[len(terms)-1]) && !generation().MatchString(terms[len(terms)-1]) {
		terms = terms[:len(terms)-1]
	}
	for len(terms) > 1 && isOrnament(terms[0]) {
		terms = terms[1:]
	}
	for len(terms) > 1 && isOrnament(terms[len(terms)-1]) {
		terms = terms[:len(terms)-1]
	}
	if len(terms) < 2 {
		return strings.Join(terms, " ")
	}
	last := &terms[len(terms)-1]
	initials := string([]rune{words.FirstRune(terms[1]), words.FirstRune(*last)})
	if len(terms) > 2 && strings.Trim(terms[0], ".") == initials {
		terms = terms[1:] // of "MO Maya Okafor"
	}
	terms[0] = strings.TrimLeftFunc(terms[0], func(r rune) bool { return isSign(r) && !strings.ContainsRune("'’", r) })
	bare := strings.TrimRightFunc(*last, func(r rune) bool { return isSign(r) && !strings.ContainsRune("'’”\")-", r) })
	if utf8.RuneCountInString(bare) > 1 && !generation().MatchString(*last) {
		*last = bare
	}
	return strings.Join(terms, " ")
}

func isOrnament(word string) bool { return strings.TrimLeftFunc(word, isSign) == "" }

func isSign(r rune) bool {
	return unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.Is(unicode.Co, r)
}

// sentenceNames returns the words with capitals at the beginning and at the end of a line's first
// sentence: "Maya Okafor is a clerk", "Hello, my name is Maya Okafor".
func sentenceNames(line string) (names []string) {
	if len(line) > words.MaxLine {
		return nil
	}
	sentence, _, _ := strings.Cut(line+" ", ". ")
	terms := strings.Fields(tidyName(sentence))
	isOther := func(w string) bool { return !isNameWord(w) || strings.HasSuffix(w, ",") }
	to := slices.IndexFunc(terms, isOther)
	if to < 0 {
		return nil
	}
	from := len(terms)
	for from > to && !isOther(terms[from-1]) {
		from--
	}
	for from < len(terms) && nameParticles()[strings.ToLower(terms[from])] {
		from++
	}
	for _, run := range [][]string{terms[:to], terms[from:]} {
		if len(run) > 1 && unicode.IsUpper(words.FirstRune(run[0])) {
			names = append(names, strings.Join(run, " "))
		}
	}
	return names
}

// cutVitaeTitle returns a line without the resume's own name: "Resume of Maya Okafor", "Maya Okafor's CV".
func cutVitaeTitle(line string) string {
	terms := strings.Fields(line)
	for n := min(3, len(terms)-1); n > 0; n-- {
		first := strings.Join(terms[:n], " ")
		last := strings.Join(terms[len(terms)-n:], " ")
		if words.Vocabulary().VitaeTitles[words.HeadingKey(first)] {
			return ofName().ReplaceAllString(strings.Join(terms[n:], " "), "")
		}
		if words.Vocabulary().VitaeTitles[words.HeadingKey(last)] {
			return sOfName().ReplaceAllString(strings.Join(terms[:len(terms)-n], " "), "")
		}
	}
	return line
}

// cellsBelow returns the first cell of the next line; of a line with several cells, those of the
// next three lines that have several too, or one word of a name: other lines belong to the text beside it.
func cellsBelow(lines []string, n int) (cells []string) {
	last := n + 1
	isRow := strings.Contains(lines[n], "\t")
	if isRow {
		last = n + 3
	}
	for _, line := range lines[n+1 : min(last+1, len(lines))] {
		cell, _, isRowBelow := strings.Cut(line, "\t")
		if !isRow || isRowBelow || isNameWord(line) {
			cells = append(cells, cell)
		}
	}
	return cells
}

const inNames = `[\pL\pM'’.\x{200c}\x{200d}-]*`

var (
	notInName      = words.Listed("not-in-name")
	nameParticles  = words.Listed("name-particle")
	nameLabelAlone = words.Listed("name-label-alone")
	letterPrefix   = words.Pattern(`^<name-prefix>[-'’]\p{Lu}`)
	caselessName   = words.Expression(`^[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]{2,5}$`) // Chinese, Japanese or Korean
	nameLetters    = words.Expression(`^` + inNames + `\pL` + inNames + `$`)
	labelWord      = words.Expression(`[^ \t/:：]+`)
	nickname       = words.Expression(`\s[(\["“”„'‘][^\s()"]+[)\]"”“'’]\s`) // "Maya (Mimi) Okafor"
)

// isNameShaped reports whether piece is two to six words like those of names, and not of titles, headings, skills or places.
func isNameShaped(piece string) bool {
	words := strings.Fields(piece)
	isOne := len(words) == 1 && caselessName().MatchString(piece)
	areSeveral := len(words) >= 2 && len(words) <= 6 && hasNameWords(words)
	return (isOne || areSeveral) && !isNoName(piece)
}

func hasNameWords(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return utf8.RuneCountInString(w) > 30 || !isNameWord(w) })
}

func isNoName(piece string) bool {
	_, isSkill := words.SkillsByName()[words.SkillKey(piece)]
	isVitae := words.Vocabulary().VitaeTitles[words.HeadingKey(piece)]
	return isSkill || isVitae || words.IsAny(piece, heading.Is, facts.IsPlace, facts.IsTitle, facts.HasLegalForm)
}

func isNameWord(word string) bool {
	low := strings.ToLower(strings.Trim(word, ".()[]“”„«»\"‘’'"))
	hasOther := low != "" && !nameLetters().MatchString(low)
	if hasOther || notInName()[low] || notInName()[strings.ToLower(word)] {
		return false
	}
	first := words.FirstRune(strings.TrimLeft(word, "(['’“„«\"‘"))
	isCapital := unicode.IsLetter(first) && !unicode.IsLower(first)
	return isCapital || nameParticles()[strings.ToLower(word)] || letterPrefix().MatchString(word)
}

// writtenName returns a name in capitals or small letters in its usual form: "O'BRIEN-LEE" as
// O'Brien-Lee, "MARIA DE LA ROSA" as Maria de la Rosa.
func writtenName(name string) string {
	if (name == strings.ToUpper(name)) == (name == strings.ToLower(name)) {
		return name
	}
	words := strings.Fields(name)
	for i, w := range words {
		if low := strings.ToLower(w); i > 0 && i+1 < len(words) && nameParticles()[low] {
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
			return unicode.ToTitle(r)
		}
		return unicode.ToLower(r)
	}, word)
}

// longerName adds the following lines to a name that was too long for its line, if they look like names and an address proves them.
func longerName(name string, lines []string, proof string) string {
	for _, next := range lines[:min(len(lines), 2)] {
		next = joinTornWords(next, proof)
		words := strings.Fields(next)
		suffix := afterName().MatchString(next)
		if strings.Contains(personname.Fold(name), personname.Fold(next)) {
			break // the name again
		}
		isWhole := len(words) > 1 && !nameParticles()[words[0]] && isNameShaped(next)
		if isWhole && !isProvenBy(name, proof) {
			break // a whole name, under a heading
		}
		isPart := suffix || isProvenBy(next, proof) && isNameShaped(name+" "+next)
		if !isPart || len(words) > 3 || len(words)+len(strings.Fields(name)) > 6 {
			break
		}
		name += " " + next
		if strings.HasSuffix(name, "- "+next) {
			name = strings.TrimSuffix(name, " "+next) + next
		}
	}
	return name
}

// joinTornWords joins the pieces of words with letters set apart, "Vigg o Bergfalk", if proof holds the words.
func joinTornWords(name, proof string) string {
	joint := words.Merge(strings.Fields(name), func(last, next string) (string, bool) {
		isWord := nameParticles()[next] || letterPrefix().MatchString(next) || !unicode.IsLower(words.FirstRune(next))
		return last + next, !isWord
	})
	proof = lettersOf(proof)
	isUnproven := func(w string) bool { return !strings.Contains(proof, lettersOf(w)) }
	if joined := strings.Join(joint, " "); joined != name && !slices.ContainsFunc(joint, isUnproven) {
		return joined
	}
	return name
}

func lettersOf(s string) string { return strings.ReplaceAll(words.HeadingKey(s), " ", "") }

// isSpelled reports whether an address consists of the words of a piece, or of one and an initial:
// such a piece is a name even if its words are those of titles or places, "Faith Baker".
func (s *nameSearch) isSpelled(piece string) bool {
	piece = strings.Join(strings.Fields(nickname().ReplaceAllString(piece, " ")), " ")
	terms := strings.Fields(piece)
	if len(terms) > 5 || slices.ContainsFunc(terms, func(w string) bool { return !nameLetters().MatchString(w) }) || heading.Is(piece) {
		return false
	}
	folded := strings.Fields(personname.Fold(piece))
	if len(folded) == 1 && (len(folded[0]) < 4 || notInName()[folded[0]]) {
		return false
	}
	isSmall := !unicode.IsUpper(words.FirstRune(piece))
	if len(folded) == 0 || len(folded) == 1 && (isSmall || isNoName(piece)) {
		return false
	}
	spellings := spellName(folded)
	return slices.ContainsFunc(slices.Concat(s.contacts.Emails, s.contacts.LinkedIn, s.contacts.GitHub), func(address string) bool {
		return slices.Contains(spellings, lettersOfAddress(address))
	})
}

func spellName(words []string) []string {
	first := words[0]
	last := words[len(words)-1]
	out := []string{strings.Join(words, "")}
	if len(words) > 1 && len(first) > 1 && len(last) > 1 {
		out = append(out, first+last, last+first, first[:1]+last, first+last[:1], last+first[:1])
		if len(words) == 2 && len(first) > 2 && !facts.IsTitle(capitalised(first)) {
			out = append(out, first) // of "Faith Baker"
		}
	}
	return out
}

// lettersOfAddress returns the letters of an e-mail address or profile before its numbers: "mayaokafor" of "maya-okafor-12a3".
func lettersOfAddress(address string) string {
	local, _, isMail := strings.Cut(address, "@")
	if !isMail {
		local = address[strings.LastIndexByte(address, '/')+1:]
	}
	if i := strings.IndexAny(local, "0123456789+"); i >= 0 {
		local = local[:i]
	}
	return lettersOf(personname.Fold(local))
}
