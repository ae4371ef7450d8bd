package facts

import (
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
	PersonEnding  = words.Expression(`(?i)\p{L}{2}(?:er|or|eur|ist|yst|ian|ant|ent|ive|ess|man|woman|smith|wright|hand|lead|head)s?$`)
	companyMarks  = words.Expression(`\d|[&+]|['’]s\b|^\p{Ll}|\p{L}{3}(?:ers|ors|ists|ysts|ians)$`) // "Tailors" are more than one person
	behindTheNoun = words.Expression(`(?:,| of | in | for | to | – | - |\().*`)
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

// smallName matches two or three longer words in small letters, as in the names of some brands.
var smallName = words.Expression(`^\p{Ll}[\p{Ll}\d]{2,}(?: [\p{Ll}\d]{3,}){1,2}$`)

// joiningWord matches a word that no such name has.
var joiningWord = words.Expression(`\b(?:and|the|for|with|from|into|that|per|als|und|für|mit|von|des|les|pour|con|del|por|para|och|med|zona|zone)\b`)

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
