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

const inNames = `[\pL\pM'’.\x{200c}\x{200d}-]*`

var (
	notInName = words.Set(`resume résumé curriculum vitae cv lebenslauf page phone email e-mail mobile tel address linkedin github website
		portfolio university college school institute street road avenue january february march april june july august september
		october november december and or with for to in on the of at from i'm i’m`)
	nameParticles = words.Set(`de da do dos das del della di du la le las los van von der den ter ten zu zum al el bin binti bint ibn y e
		af av ap ben 't ’t 's ’s op aan`)
	letterPrefix = words.Expression(`^(?:al|el|ad|as|abd|d|l|o|mc|mac|de|van|von)[-'’]\p{Lu}`)
	caselessName = words.Expression(`^[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]{2,5}$`) // Chinese, Japanese or Korean
	nameLetters  = words.Expression(`^` + inNames + `\pL` + inNames + `$`)
	nickname     = words.Expression(`\s[(\["“”„'‘][^\s()"]+[)\]"”“'’]\s`) // "Maya (Mimi) Okafor"
)

// isNameShaped reports whether piece is two to six words like those of names, and not of titles, headings, skills or places.
func isNameShaped(piece string) bool {
	words := strings.Fields(piece)
	if isNoName(piece) {
		return false
	}
	if len(words) == 1 {
		return caselessName().MatchString(piece)
	}
	return len(words) >= 2 && len(words) <= 6 && hasNameWords(words)
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
	if notInName[low] || notInName[strings.ToLower(word)] {
		return false
	}
	if low != "" && !nameLetters().MatchString(low) {
		return false
	}
	first := words.FirstRune(strings.TrimLeft(word, "(['’“„«\"‘"))
	isCapital := unicode.IsLetter(first) && !unicode.IsLower(first)
	return isCapital || nameParticles[strings.ToLower(word)] || letterPrefix().MatchString(word)
}

// writtenName returns a name in capitals or small letters in its usual form: "O'BRIEN-LEE" as
// O'Brien-Lee, "MARIA DE LA ROSA" as Maria de la Rosa.
func writtenName(name string) string {
	if isCapitals, isSmall := name == strings.ToUpper(name), name == strings.ToLower(name); isCapitals == isSmall {
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
		isWhole := len(words) > 1 && !nameParticles[words[0]] && isNameShaped(next)
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

func isProvenBy(name, proof string) bool {
	return slices.ContainsFunc(strings.Fields(personname.Fold(name)), func(word string) bool {
		return len(word) >= 3 && strings.Contains(proof, word)
	})
}

// joinTornWords joins the pieces of words with letters set apart, "Vigg o Bergfalk", if proof holds the words.
func joinTornWords(name, proof string) string {
	joint := words.Merge(strings.Fields(name), func(last, next string) (string, bool) {
		isWord := nameParticles[next] || letterPrefix().MatchString(next) || !unicode.IsLower(words.FirstRune(next))
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
	words := strings.Fields(piece)
	if len(words) > 5 || slices.ContainsFunc(words, func(w string) bool { return !nameLetters().MatchString(w) }) || heading.Is(piece) {
		return false
	}
	words = strings.Fields(personname.Fold(piece))
	if len(words) == 0 || len(words) == 1 && !mayBeOneName(piece, words[0]) {
		return false
	}
	spellings := spellName(words)
	return slices.ContainsFunc(slices.Concat(s.contacts.Emails, s.contacts.LinkedIn, s.contacts.GitHub), func(address string) bool {
		return slices.Contains(spellings, lettersOfAddress(address))
	})
}

// mayBeOneName reports whether a piece of one word, which folded is word, could be a name: it is longer, and has a capital.
func mayBeOneName(piece, word string) bool {
	if len(word) < 4 || notInName[word] {
		return false
	}
	return unicode.IsUpper(words.FirstRune(piece)) && !isNoName(piece)
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
