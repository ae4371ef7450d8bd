package facts

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// weight is a feature, and the points of what has it.
type weight[P, T any] struct {
	points          P
	reason, example string
	holds           func(T) bool
}

// sides are the points of a fact as a title and as an employer.
type sides [2]float64

const asTitle, asCompany, unsaid = 0, 1, 99 // the indices of sides; points where a feature says nothing about a side

// weights tell titles from employers. On each side the first feature counts that a fact has and that says something about it.
var weights = []weight[sides, Fact]{
	{sides{4, -4}, "mark-up names it a title", "job-title", func(f Fact) bool { return f.Role == document.TitleRole }},
	{sides{-4, 4}, "mark-up names it an employer", "company", func(f Fact) bool { return f.Role == document.CompanyRole }},
	{sides{unsaid, -4}, "no employer is named", "led the crew", func(f Fact) bool { return !f.IsEmployerLike() }},
	{sides{unsaid, 0}, "small letters may be any text", "tern interactive", Fact.isNoName},
	{sides{unsaid, 3}, "a legal form is an employer's", "Butler Ltd", func(f Fact) bool { return f.Legal }},
	{sides{1, 1}, "some name what they do as their employer", "Independent Consultant", Fact.isOwnTrade},
	{sides{-2, -3}, "a phrase names nothing", "A charity that rehouses animals", func(f Fact) bool { return f.IsPhrase }},
	{sides{-1, -1.5}, "a part of an employer is neither", "Sales Department", func(f Fact) bool { return f.IsUnit && !f.Title }},
	{sides{unsaid, -1.5}, "a title's word is no employer's part either", "Team Lead", func(f Fact) bool { return f.IsUnit }},
	{sides{2.5, -0.5}, "a title's noun weighs more than an organisation's", "Freelance", func(f Fact) bool { return f.Title && f.Company }},
	{sides{3, -1.5}, "a title has a noun of titles", "Deck Officer", func(f Fact) bool { return f.Title }},
	{sides{-3, unsaid}, "no title has a legal form, or is no name", "Butler Ltd", func(f Fact) bool { return f.Legal || f.isNoName() }},
	{sides{-1, 2}, "an employer has an organisation's word", "Growers Cooperative", func(f Fact) bool { return f.Company }},
	{sides{0, 1}, "a name of unknown words is rather an employer's", "Blue Kite", func(Fact) bool { return true }},
}

// ScoreTitle returns how much a fact looks like a title.
func (f Fact) ScoreTitle() float64 { return f.weigh(asTitle, f.lean) }

// ScoreCompany returns how much a fact looks like an employer.
func (f Fact) ScoreCompany() float64 { return f.weigh(asCompany, -f.lean) }

// weigh returns the points of a fact on one side. One of unknown words, the last weight's, leans to it or from it.
func (f Fact) weigh(side int, lean float64) float64 {
	at := slices.IndexFunc(weights, func(w weight[sides, Fact]) bool { return w.points[side] != unsaid && w.holds(f) })
	if at < len(weights)-1 {
		lean = 0
	}
	return weights[at].points[side] + lean
}

// firstPoints returns the points of the first feature that a text has, or 0.
func firstPoints(weights []weight[float64, string], text string) float64 {
	for _, w := range weights {
		if w.holds(text) {
			return w.points
		}
	}
	return 0
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

// leans are those of names of unknown words.
var leans = []weight[float64, string]{
	{1, "titles name what they are about", "Payroll", isWorkArea},
	{-0.7, "signs and several persons are in names of employers", "Tailors", func(s string) bool { return companyMarks().MatchString(s) }},
	{0.7, "titles are persons", "Stuffer", func(s string) bool { return PersonEnding().MatchString(behindTheNoun().ReplaceAllString(s, "")) }},
}

// findLean returns how much a name of unknown words looks like a title rather than an employer.
func findLean(text string) float64 { return firstPoints(leans, text) }

// IsEmployerLike reports whether a fact could name an employer. Beside a title it may have small letters
// only: "Engineer, tern interactive".
func (f Fact) IsEmployerLike() bool {
	if IsNameLike(f.Text) {
		return true
	}
	return f.Paired && smallName().MatchString(f.Text) && !joiningWord().MatchString(f.Text)
}

// pairedWeights are those of one half of a line as an employer.
var pairedWeights = []weight[float64, string]{
	{0.5, "commas are between the partners of a firm", "Fitch, Barlow and Carpenter", isNamedAfterPartners},
	{-1, "other commas are rather in titles", "Tern, Kite", func(s string) bool { return len(JoinLegalForms(CommaGap().Split(s, 4))) > 1 }},
}

// scorePaired is ScoreCompany of one half of a line.
func (f Fact) scorePaired() float64 {
	f.Paired = true
	return f.ScoreCompany() + firstPoints(pairedWeights, f.Text)
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
func takeForUnit(f *Fact)    { f.IsUnit = true }

func (f *Fact) takeForFirm() {
	f.Title = false
	f.Company = true
}

func (f *Fact) isArea() bool       { return salesArea().MatchString(f.Text) }
func (f *Fact) isPublicBody() bool { return publicBody().MatchString(f.Text) }
func (f Fact) isOwnTrade() bool    { return ownTrade().MatchString(f.Text) }
func (f Fact) isNoName() bool      { return !IsNameLike(f.Text) }

func (f *Fact) isPart() bool {
	return !(f.Legal || f.isPublicBody()) && words.Vocabulary().Units.IsIn(words.Scan(f.Text))
}

func (f *Fact) isOrganisationAlone() bool {
	return !(f.Legal || ownAccount()[strings.ToLower(f.Text)]) && words.Vocabulary().Organisations.IsWord(words.Scan(f.Text))
}

// split is a line in two halves.
type split struct {
	first, second Fact
	head, behind  string // the first half before its comma, "" without one; the second as it is written
	atWord        bool   // parted by a word like "at"
}

const employerFirst = -0.2 // titles are more often the first half

// splitWeights are added up.
var splitWeights = []weight[float64, split]{
	{0.5, "a word like at parts a title from an employer", "Cooper at Tern", func(s split) bool { return s.atWord }},
	{-1.5, "it does so rather than a comma before it", "Engineer, Tier 2 at Tern", split.hasAtBehind},
	{-1, "of three pieces the first is the employer, if the second is the title", "Tern, Analyst, Market Risk", split.hasEmployerInTitle},
	{0.5, "a title's area may have an organisation's word", "Lead, Trust and Safety, Tern", split.hasAreaInTitle},
}

func (s split) hasAtBehind() bool        { return !s.atWord && AtCapital().MatchString(s.behind) }
func (s split) hasEmployerInTitle() bool { return s.head != "" && s.first.Title && !IsTitle(s.head) }
func (s split) hasAreaInTitle() bool {
	return s.head != "" && s.first.Title && s.first.Company && IsTitle(s.head)
}

// bestPair splits a text in two facts where they look most like a title and a company,
// or returns nil if nothing parts them. anyTitle means that a word like "at" parts titles of any words from employers.
func bestPair(text string, anyTitle bool) []Fact {
	var best []Fact
	most := -1e9
	try := func(gap []int, atWord bool) {
		a := Trim(cutBrackets(text[:gap[0]]))
		b := Trim(cutBrackets(text[gap[1]:]))
		if a == "" || b == "" || IsLegalForm(b) {
			return
		}
		s := split{first: New(a), second: New(b), behind: b, atWord: atWord}
		if first, _, found := strings.Cut(a, ", "); found {
			s.head = first
		}
		score := max(s.first.ScoreTitle()+s.second.scorePaired(), s.second.ScoreTitle()+s.first.scorePaired()+employerFirst)
		for _, w := range splitWeights {
			if w.holds(s) {
				score += w.points
			}
		}
		if score >= most {
			best = []Fact{s.first, s.second}
			most = score
		}
	}
	for _, gap := range softGap().FindAllStringIndex(text, 8) {
		try(gap, false)
	}
	for _, gap := range AtWord().FindAllStringIndex(text, 4) {
		if !anyTitle && !New(text[:gap[0]]).Title {
			continue
		}
		word := strings.TrimSpace(text[gap[0]:gap[1]])
		isPreposition := len(word) == 2 && !atOnly()[word] && New(text[gap[1]:]).ScoreCompany() < 2 // "Técnico en sistemas"
		if !isPreposition {
			try(gap, true)
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
