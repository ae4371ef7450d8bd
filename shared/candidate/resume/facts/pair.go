package facts

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// bestPair splits a text in two facts where they look most like a title and a company,
// or returns nil if nothing parts them. anyTitle means that a word like "at" parts titles of any words from employers.
func bestPair(text string, anyTitle bool) []Fact {
	var best []Fact
	most := -1e9
	try := func(gap []int, bonus float64) {
		a := Trim(cutBrackets(text[:gap[0]]))
		b := Trim(cutBrackets(text[gap[1]:]))
		if a == "" || b == "" || IsLegalForm(b) {
			return
		}
		pair := []Fact{New(a), New(b)}
		x := pair[0]
		y := pair[1]
		score := bonus + max(x.ScoreTitle()+y.scorePaired(), y.ScoreTitle()+x.scorePaired()-0.2)
		if bonus == 0 && EnglishAt().MatchString(b) {
			score -= 1.5 // "Engineer, Tier 2 at Acme"
		}
		switch first, _, found := strings.Cut(a, ", "); {
		case found && x.Title && !IsTitle(first):
			score-- // "Acme, Analyst, Market Risk"
		case found && x.Title && x.Company:
			score += 0.5 // "Lead, Trust and Safety"
		}
		if score >= most {
			best = pair
			most = score
		}
	}
	for _, gap := range softGap().FindAllStringIndex(text, 8) {
		try(gap, 0)
	}
	for _, gap := range AtWord().FindAllStringIndex(text, 4) {
		isBehindTitle := anyTitle || New(text[:gap[0]]).Title
		if isBehindTitle && !isPreposition(text, gap) {
			try(gap, 0.5)
		}
	}
	return best
}

// isPreposition reports whether a word of two letters but "at" belongs to a title, as no known employer follows: "Técnico
// en sistemas".
func isPreposition(text string, gap []int) bool {
	word := strings.TrimSpace(text[gap[0]:gap[1]])
	return len(word) == 2 && word != "at" && New(text[gap[1]:]).ScoreCompany() < 2
}

// EnglishAt matches the word between a title and an employer.
var EnglishAt = words.Expression(` at \p{Lu}`)

// SplitAtWord splits a line of one fact at a word like "at", whatever its title.
func (l *Line) SplitAtWord() {
	isSplit := len(l.Pair) > 1 && l.Pair[0].Title
	if isSplit || len(l.Whole) != 1 || !AtWord().MatchString(l.Whole[0].Text) {
		return
	}
	if pair := bestPair(l.Whole[0].Text, true); pair != nil {
		l.Pair = pair
	}
}

func isTitleAndCompany(pair []Fact) bool {
	return pair[0].Title != pair[1].Title && (pair[0].Company || pair[1].Company)
}

// JoinLegalForms joins "Acme" and "Inc." to one name, but not "Denver" and "CO".
func JoinLegalForms(pieces []string) []string {
	var out []string
	for _, piece := range pieces {
		isForm := len(piece) <= 16 && IsLegalForm(piece)
		if len(out) > 0 && isForm && !isStateBehind(out, piece) {
			out[len(out)-1] += ", " + piece
		} else {
			out = append(out, piece)
		}
	}
	return out
}

// isStateBehind reports whether a piece is a state behind its town rather than a legal form.
func isStateBehind(pieces []string, piece string) bool {
	last := pieces[len(pieces)-1]
	isTown := isCity(last) || len(pieces) > 1 && IsTownShaped(last)
	return isTown && usState().MatchString(piece)
}

// IsTitleAndEmployer reports whether one of some facts is a title, and another may be an employer.
func IsTitleAndEmployer(facts []Fact) bool {
	hasTitle := slices.ContainsFunc(facts, func(f Fact) bool { return f.Title })
	return hasTitle && slices.ContainsFunc(facts, func(f Fact) bool { return !f.Title && f.ScoreCompany() > 0 })
}
