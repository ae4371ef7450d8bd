package resume

// scoreTitle returns how much a fact looks like a title.
func (f fact) scoreTitle() float64 {
	switch {
	case f.role == titleRole:
		return 4
	case f.role == companyRole:
		return -4
	case f.isPhrase:
		return -2
	case f.isUnit && !f.title:
		return -1
	case ownTrade().MatchString(f.text):
		return 1
	case f.title && f.company:
		return 2.5
	case f.doubtful:
		return 1
	case f.title:
		return 3
	case f.legal || !isNameLike(f.text):
		return -3
	case f.company:
		return -1
	}
	return f.lean
}

var (
	personEnding  = expression(`(?i)\p{L}{2}(?:er|or|eur|ist|yst|ian|ant|ent|ive|ess|man|woman|smith|wright|hand|lead|head)s?$`)
	companyMarks  = expression(`\d|[&+]|['’]s\b|^\p{Ll}|\p{L}{3}(?:ers|ors|ists|ysts|ians)$`) // "Tailors" are more than one person
	behindTheNoun = expression(`(?:,| of | in | for | to | – | - |\().*`)
)

// findLean returns how much a name of unknown words looks like a title rather than an employer.
func findLean(text string) float64 {
	switch {
	case isWorkArea(text):
		return 1
	case companyMarks().MatchString(text):
		return -0.7
	case personEnding().MatchString(behindTheNoun().ReplaceAllString(text, "")):
		return 0.7
	}
	return 0
}

// scoreCompany returns how much a fact looks like an employer.
func (f fact) scoreCompany() float64 {
	switch {
	case f.role == companyRole:
		return 4
	case f.role == titleRole:
		return -4
	case !f.isEmployerLike():
		return -4
	case !isNameLike(f.text):
		return 0
	case f.legal:
		return 3
	case ownTrade().MatchString(f.text):
		return 1
	case f.isPhrase:
		return -3
	case f.isUnit:
		return -1.5
	case f.company && f.title:
		return -0.5
	case f.company:
		return 2
	case f.doubtful:
		return 1
	case f.title:
		return -1.5
	}
	return 1 - f.lean
}

// smallName matches two or three longer words in small letters, as in the names of some brands.
var smallName = expression(`^\p{Ll}[\p{Ll}\d]{2,}(?: [\p{Ll}\d]{3,}){1,2}$`)

// joiningWord matches a word that no such name has.
var joiningWord = expression(`\b(?:and|the|for|with|from|into|that|per|als|und|für|mit|von|des|les|pour|con|del|por|para|och|med|zona|zone)\b`)

// isEmployerLike reports whether a fact could name an employer. Beside a title it may have small letters
// only: "Engineer, tern interactive".
func (f fact) isEmployerLike() bool {
	return isNameLike(f.text) || f.paired && smallName().MatchString(f.text) && !joiningWord().MatchString(f.text)
}

// scorePaired is scoreCompany of one half of a line: commas are more frequent in titles.
func (f fact) scorePaired() float64 {
	f.paired = true
	switch {
	case isNamedAfterPartners(f.text):
		return f.scoreCompany() + 0.5
	case len(joinLegalForms(commaGap().Split(f.text, 4))) > 1:
		return f.scoreCompany() - 1
	}
	return f.scoreCompany()
}
