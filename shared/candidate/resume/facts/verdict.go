package facts

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

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
	{"an employer has an organisation's word", "Growers Cooperative", (*Fact).isOrganisation, takeForCompany},
	{"a title's area is no employer", "Northern Region", (*Fact).isArea, takeForUnit},
	{"a part of an employer has a word for it", "Sales Department", (*Fact).isPart, takeForUnit},
	{"an organisation's word alone names a part", "Rail", (*Fact).isOrganisationAlone, takeForUnit},
	{"of a title's and an organisation's word one describes the other", "Hotel Manager", func(f *Fact) bool { return f.Title && f.Company }, (*Fact).judgeByHead},
	{"partners give a firm its name", "Fitch, Barlow and Carpenter", func(f *Fact) bool { return !f.IsUnit && isNamedAfterPartners(f.Text) }, (*Fact).takeForFirm},
	{"endings and signs of unknown words lean to one side", "Sprocket Stuffer", func(f *Fact) bool { return !f.Title && !f.Company }, (*Fact).setLean},
}

func (f *Fact) judge() (reasons []string) {
	for _, v := range verdicts {
		if v.holds(f) {
			v.apply(f)
			reasons = append(reasons, v.reason)
		}
	}
	return reasons
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

func (f *Fact) isOrganisation() bool { return !f.isArea() && hasOrganisation(f.Text) }

func (f *Fact) isOwnTrade() bool { return ownTrade().MatchString(f.Text) }

func (f *Fact) setLean() { f.lean = findLean(f.Text) }

func (f *Fact) isPart() bool {
	return !(f.Legal || f.isPublicBody()) && words.Vocabulary().Units.IsIn(words.Scan(f.Text))
}

func (f *Fact) isOrganisationAlone() bool {
	return !(f.Legal || ownAccount[strings.ToLower(f.Text)]) && words.Vocabulary().Organisations.IsWord(words.Scan(f.Text))
}

func hasOrganisation(text string) bool {
	return words.Vocabulary().Organisations.IsIn(words.Scan(text))
}
