package resume

import (
	"fmt"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

// Verdict says whether a resume is plainly another person's, and the evidence for it,
// for operators. It holds none of the resume's text.
type Verdict struct {
	Mismatch bool                  // the resume contradicts the submission
	Name     personname.Similarity // of the names; Uncertain if the resume shows none
	Email    Evidence
	LinkedIn Evidence
}

// String returns the evidence in one line, as it is stored.
func (v Verdict) String() string {
	return fmt.Sprintf("name %s, email %s, linkedin %s", v.Name, v.Email, v.LinkedIn)
}

// Evidence is how one kind of address in the resume compares with the submitted one.
type Evidence string

// The kinds of evidence.
const (
	Missing Evidence = "missing" // the resume shows none
	Equal   Evidence = "equal"   // one equals the submitted one
	Unequal Evidence = "unequal" // none does
)

// CheckIdentity compares a resume with the submitted name, e-mail address and LinkedIn
// URL, which need not be canonical. A mismatch takes a clearly different name and an
// e-mail address or LinkedIn URL, none of which equals the submitted one. Missing
// evidence is not a contradiction.
func CheckIdentity(f Fields, name, email, linkedInURL string) Verdict {
	v := Verdict{Name: personname.Compare(f.Name, name)}
	if slices.ContainsFunc(f.OtherNames, func(other string) bool { return personname.Compare(other, name) == personname.Same }) {
		v.Name = personname.Same
	}
	address, _ := identity.Email(email)
	v.Email = compareAddresses(f.Emails, address)
	profile, _ := identity.LinkedIn(linkedInURL)
	v.LinkedIn = compareAddresses(f.LinkedIn, profile)
	shown := v.Email == Unequal || v.LinkedIn == Unequal
	same := v.Email == Equal || v.LinkedIn == Equal
	v.Mismatch = v.Name == personname.Different && shown && !same
	return v
}

func compareAddresses(found []string, submitted string) Evidence {
	switch {
	case len(found) == 0:
		return Missing
	case slices.Contains(found, submitted):
		return Equal
	}
	return Unequal
}
