package person

import (
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

// longerName adds the following lines to a name that was too long for its line, if
// they look like names and an address proves them.
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

// isProvenBy reports whether proof holds a word of the name with three letters or more.
func isProvenBy(name, proof string) bool {
	return slices.ContainsFunc(strings.Fields(personname.Fold(name)), func(word string) bool {
		return len(word) >= 3 && strings.Contains(proof, word)
	})
}

// joinTornWords joins the pieces of words with letters set apart, "Vigg o Bergfalk", if proof
// holds the words.
func joinTornWords(name, proof string) string {
	var joint []string
	for _, word := range strings.Fields(name) {
		isWord := nameParticles[word] || letterPrefix().MatchString(word) || !unicode.IsLower(words.FirstRune(word))
		if len(joint) == 0 || isWord {
			joint = append(joint, word)
			continue
		}
		joint[len(joint)-1] += word
	}
	proof = lettersOf(proof)
	isUnproven := func(w string) bool { return !strings.Contains(proof, lettersOf(w)) }
	if joined := strings.Join(joint, " "); joined != name && !slices.ContainsFunc(joint, isUnproven) {
		return joined
	}
	return name
}

func lettersOf(s string) string { return strings.ReplaceAll(words.HeadingKey(s), " ", "") }

// nickname matches one between two names: "Maya (Mimi) Okafor".
var nickname = words.Expression(`\s[(\["“”„'‘][^\s()"]+[)\]"”“'’]\s`)

// isSpelled reports whether an address consists of the words of a piece, or of one and an initial:
// such a piece is a name even if its words are those of titles or places, "Faith Baker".
func (s *nameSearch) isSpelled(piece string) bool {
	piece = strings.Join(strings.Fields(nickname().ReplaceAllString(piece, " ")), " ")
	words := strings.Fields(piece)
	if len(words) > 5 || slices.ContainsFunc(words, func(w string) bool { return !hasNameLetters(w) }) || heading.Is(piece) {
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

// lettersOfAddress returns the letters of an e-mail address before the @, or of a profile's last part,
// without those behind the numbers: "mayaokafor" of "maya-okafor-12a3".
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

// hasNameLetters reports whether a word has only what words of names have, in any case.
func hasNameLetters(word string) bool {
	return strings.ContainsFunc(word, unicode.IsLetter) && strings.TrimLeftFunc(word, isInNames) == ""
}

func isInNames(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || strings.ContainsRune(signsInNames, r)
}
