package network

import (
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// Reference names candidates of an agency: one membership by its id, or, as an
// identity reference, all that an identity leads to. The zero value names none.
type Reference struct {
	// ID is a candidateUserId. LinkedInURL and Email are canonical. At most one
	// of the three is set.
	ID, LinkedInURL, Email string
}

// maxIDBytes is the length of the longest possible key.
const maxIDBytes = 1024

// NewReference returns a reference as it was sent: the first of the three that is
// not nil decides alone, and what cannot be parsed names none.
func NewReference(id, linkedInURL, email *string) Reference {
	var r Reference
	switch {
	case id != nil:
		if len(*id) <= maxIDBytes {
			r.ID = *id
		}
	case linkedInURL != nil:
		r.LinkedInURL, _ = identity.LinkedIn(*linkedInURL)
	case email != nil:
		r.Email, _ = identity.Email(*email)
	}
	return r
}

// identityKey returns where the identity is stored; "" for any other reference.
func (r Reference) identityKey(t tenant.ID) string {
	switch {
	case r.LinkedInURL != "":
		return linkedInKey(t, r.LinkedInURL)
	case r.Email != "":
		return emailKey(t, r.Email)
	}
	return ""
}
