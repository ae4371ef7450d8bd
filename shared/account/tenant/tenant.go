// Package tenant names whose data is whose: an agency's in one environment of its keys.
//
// Every store of what agencies write takes an [ID] where it would take the agency's id,
// and builds its item and object keys with it. So no key reads, writes or counts what
// belongs to a key of another environment (contract, Key environments), and passing the
// id of an agency alone does not compile. The package knows no key and no agency.
package tenant

import "strings"

// Live is the environment of the marketplace app: its commands and events concern it alone.
const Live = "live"

// ID names a tenant. The zero value names none.
type ID string

// separator is in no agency's id (format id) and in no name of an environment.
const separator = "/"

// Of returns the tenant of an agency in an environment. In [Live] it is the agency's own
// id, in any other the id, a "/" and the environment, so no two are the same.
func Of(agencyID, environment string) ID {
	if environment == Live {
		return ID(agencyID)
	}
	return ID(agencyID + separator + environment)
}

// IsLive reports whether the tenant is an agency in [Live].
func (t ID) IsLive() bool { return !strings.Contains(string(t), separator) }
