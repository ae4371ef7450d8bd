package facts

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// ScoreTitle returns how much a fact looks like a title.
func (f Fact) ScoreTitle() float64 {
	switch {
	case f.Role == document.TitleRole:
		return 4
	case f.Role == document.CompanyRole:
		return -4
	case f.IsPhrase:
		return -2
	case f.IsUnit && !f.Title:
		return -1
	case f.isOwnTrade():
		return 1
	case f.Title && f.Company:
		return 2.5
	case f.Title:
		return 3
	case f.Legal || !IsNameLike(f.Text):
		return -3
	case f.Company:
		return -1
	}
	return f.lean
}

var (
	// PersonEnding matches the endings of nouns for people by their work.
	PersonEnding  = words.Pattern(`(?i)\p{L}{2}<person-ending><person-ending-more>?$`)
	companyMarks  = words.Pattern(`\d|[&+]|['’]<genitive>\b|^\p{Ll}|\p{L}{3}<people-ending>$`) // "Tailors" are more than one person
	behindTheNoun = words.Pattern(`(?:,| <behind-noun> | – | - |\().*`)
	// smallName matches two or three longer words in small letters, as in the names of some brands, and joiningWord what none has.
	smallName   = words.Expression(`^\p{Ll}[\p{Ll}\d]{2,}(?: [\p{Ll}\d]{3,}){1,2}$`)
	atOnly      = words.Listed("at-only")
	joiningWord = words.Pattern(`\b<joining-word>\b`)
)

// findLean returns how much a name of unknown words looks like a title rather than an employer.
func findLean(text string) float64 {
	switch {
	case isWorkArea(text):
		return 1
	case companyMarks().MatchString(text):
		return -0.7
	case PersonEnding().MatchString(behindTheNoun().ReplaceAllString(text, "")):
		return 0.7
	}
	return 0
}

// ScoreCompany returns how much a fact looks like an employer.
func (f Fact) ScoreCompany() float64 {
	switch {
	case f.Role == document.CompanyRole:
		return 4
	case f.Role == document.TitleRole:
		return -4
	case !f.IsEmployerLike():
		return -4
	case !IsNameLike(f.Text):
		return 0
	case f.Legal:
		return 3
	case f.isOwnTrade():
		return 1
	case f.IsPhrase:
		return -3
	case f.IsUnit:
		return -1.5
	case f.Company && f.Title:
		return -0.5
	case f.Company:
		return 2
	case f.Title:
		return -1.5
	}
	return 1 - f.lean
}

// IsEmployerLike reports whether a fact could name an employer. Beside a title it may have small letters
// only: "Engineer, tern interactive".
func (f Fact) IsEmployerLike() bool {
	if IsNameLike(f.Text) {
		return true
	}
	return f.Paired && smallName().MatchString(f.Text) && !joiningWord().MatchString(f.Text)
}

// scorePaired is ScoreCompany of one half of a line: commas are more frequent in titles.
func (f Fact) scorePaired() float64 {
	f.Paired = true
	switch {
	case isNamedAfterPartners(f.Text):
		return f.ScoreCompany() + 0.5
	case len(JoinLegalForms(CommaGap().Split(f.Text, 4))) > 1:
		return f.ScoreCompany() - 1
	}
	return f.ScoreCompany()
}

// verdict is one thing that the words of a piece say about it.
type verdict struct {
	reason, example string
	holds           func(f *Fact) bool
	apply           func(f *Fact)
}

// verdicts are applied in order: a later one corrects those before it.
var verdicts = []verdict{
	{"a title has a noun of titles", "Deck Officer", func(f *Fact) bool { return IsTitle(f.Text) }, func(f *Fact) { f.Title = true }},
	{"a legal form ends names of employers", "Butler Ltd", func(f *Fact) bool { return HasLegalForm(f.Text) }, (*Fact).takeForLegal},
	{"some name what they do as their employer", "Independent Consultant", (*Fact).isOwnTrade, takeForCompany},
	{"a department of a government is an employer", "Department of Public Works", (*Fact).isPublicBody, takeForCompany},
	{"an employer has an organisation's word", "Growers Cooperative",
		func(f *Fact) bool { return !f.isArea() && words.Vocabulary().Organisations.Has(f.Text) }, takeForCompany},
	{"a title's area is no employer", "Northern Region", (*Fact).isArea, takeForUnit},
	{"a part of an employer has a word for it", "Sales Department", (*Fact).isPart, takeForUnit},
	{"an organisation's word alone names a part", "Rail", (*Fact).isOrganisationAlone, takeForUnit},
	{"of a title's and an organisation's word one describes the other", "Hotel Manager",
		func(f *Fact) bool { return f.Title && f.Company }, (*Fact).judgeByHead},
	{"partners give a firm its name", "Fitch, Barlow and Carpenter",
		func(f *Fact) bool { return !f.IsUnit && isNamedAfterPartners(f.Text) }, (*Fact).takeForFirm},
	{"endings and signs of unknown words lean to one side", "Sprocket Stuffer",
		func(f *Fact) bool { return !f.Title && !f.Company }, func(f *Fact) { f.lean = findLean(f.Text) }},
}

func (f *Fact) takeForLegal() {
	f.Legal = true
	f.takeForFirm()
}

func takeForCompany(f *Fact) { f.Company = true }

func takeForUnit(f *Fact) { f.IsUnit = true }

func (f *Fact) takeForFirm() {
	f.Title = false
	f.Company = true
}

func (f *Fact) isArea() bool { return salesArea().MatchString(f.Text) }

func (f *Fact) isPublicBody() bool { return publicBody().MatchString(f.Text) }

func (f *Fact) isOwnTrade() bool { return ownTrade().MatchString(f.Text) }

func (f *Fact) isPart() bool {
	return !(f.Legal || f.isPublicBody()) && words.Vocabulary().Units.IsIn(words.Scan(f.Text))
}

func (f *Fact) isOrganisationAlone() bool {
	return !(f.Legal || ownAccount()[strings.ToLower(f.Text)]) && words.Vocabulary().Organisations.IsWord(words.Scan(f.Text))
}

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
		if bonus == 0 && AtCapital().MatchString(b) {
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
		if !anyTitle && !New(text[:gap[0]]).Title {
			continue
		}
		word := strings.TrimSpace(text[gap[0]:gap[1]])
		isPreposition := len(word) == 2 && !atOnly()[word] && New(text[gap[1]:]).ScoreCompany() < 2 // "Técnico en sistemas"
		if !isPreposition {
			try(gap, 0.5)
		}
	}
	return best
}

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

// JoinLegalForms joins "Acme" and "Inc." to one name, but not "Denver" and "CO".
func JoinLegalForms(pieces []string) []string {
	var out []string
	for _, piece := range pieces {
		isForm := len(out) > 0 && len(piece) <= 16 && IsLegalForm(piece)
		if isForm && usState().MatchString(piece) { // or a state behind its town
			last := out[len(out)-1]
			isTown := isCity(last) || len(out) > 1 && IsTownShaped(last)
			isForm = !isTown
		}
		if isForm {
			out[len(out)-1] += ", " + piece
		} else {
			out = append(out, piece)
		}
	}
	return out
}

// IsTitleAndEmployer reports whether one of some facts is a title, and another may be an employer.
func IsTitleAndEmployer(facts []Fact) bool {
	hasTitle := slices.ContainsFunc(facts, func(f Fact) bool { return f.Title })
	return hasTitle && slices.ContainsFunc(facts, func(f Fact) bool { return !f.Title && f.ScoreCompany() > 0 })
}
