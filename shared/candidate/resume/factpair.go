package resume

import "strings"

// bestPair splits a text in two facts where they look most like a title and a company,
// or returns nil if nothing parts them.
func bestPair(text string) []fact {
	return choosePair(text, false)
}

// choosePair is bestPair. anyTitle tells that a word like "at" parts titles of any words from employers.
func choosePair(text string, anyTitle bool) []fact {
	var best []fact
	most := -1e9
	try := func(gap []int, bonus float64) {
		a, b := trimFact(cutBrackets(text[:gap[0]])), trimFact(cutBrackets(text[gap[1]:]))
		if a == "" || b == "" || isLegalForm(b) {
			return
		}
		pair := []fact{newFact(a), newFact(b)}
		takeForEmployers(pair)
		x, y := pair[0], pair[1]
		score := bonus + max(x.scoreTitle()+y.scorePaired(), y.scoreTitle()+x.scorePaired()-0.2)
		if bonus == 0 && englishAt().MatchString(b) {
			score -= 1.5 // "Engineer, Tier 2 at Acme"
		}
		switch first, _, found := strings.Cut(a, ", "); {
		case found && x.title && !isTitle(first):
			score-- // "Acme, Analyst, Market Risk"
		case found && x.title && x.company:
			score += 0.5 // "Lead, Trust and Safety"
		}
		if score >= most {
			best, most = pair, score
		}
	}
	for _, gap := range softGap().FindAllStringIndex(text, 8) {
		try(gap, 0)
	}
	for _, gap := range atWord().FindAllStringIndex(text, 4) {
		word := strings.TrimSpace(text[gap[0]:gap[1]])
		if !anyTitle && !newFact(text[:gap[0]]).title || len(word) == 2 && word != "at" && newFact(text[gap[1]:]).scoreCompany() < 2 {
			continue // "Técnico en sistemas"
		}
		try(gap, 0.5)
	}
	return best
}

var englishAt = expression(` at \p{Lu}`)

// somethingAt matches "Cooper at Acme", whatever the words are.
var somethingAt = expression(`^\p{Lu}.* at [\p{Lu}\d]`)

// isAtEmployer reports whether a line is one fact that says where something was done.
func (l *lineFacts) isAtEmployer() bool {
	return len(l.whole) == 1 && somethingAt().MatchString(l.whole[0].text)
}

// splitAtWord splits a line of one fact at a word like "at", whatever its title.
func (l *lineFacts) splitAtWord() {
	if len(l.whole) != 1 || len(l.pair) > 1 && l.pair[0].title || !atWord().MatchString(l.whole[0].text) {
		return
	}
	if pair := choosePair(l.whole[0].text, true); pair != nil {
		l.pair = pair
	}
}

func isTitleAndCompany(pair []fact) bool {
	return pair[0].title != pair[1].title && (pair[0].company || pair[1].company)
}

// joinLegalForms joins "Acme" and "Inc." to one name, but not "Denver" and "CO".
func joinLegalForms(pieces []string) []string {
	var out []string
	for _, piece := range pieces {
		if n := len(out); n > 0 && len(piece) <= 16 && isLegalForm(piece) && !(usState().MatchString(piece) && (isCity(out[n-1]) || n > 1 && isTownShaped(out[n-1]))) {
			out[len(out)-1] += ", " + piece
		} else {
			out = append(out, piece)
		}
	}
	return out
}
