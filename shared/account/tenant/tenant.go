// Package tenant identifies the owner of data: an agency in one environment of its keys.
//
// Every store of agencies' data takes an [ID] in place of the agency's id, and builds its item and
// object keys with it. So no API key reads, writes or counts what belongs to another environment
// (contract, Key environments), and passing an agency's id does not compile. The package knows
// neither keys nor agencies.
package tenant

import "strings"

// Live is the environment of the marketplace app, and the only one its commands and events concern.
const Live = "live"

// ID names a tenant. The zero value names none.
type ID string

// separator occurs in no agency's id (format id) and in no name of an environment.
const separator = "/"

// Of returns the tenant of an agency in an environment. In [Live] it is the agency's own
// id, in any other the id, a "/" and the environment, so no two tenants are the same.
func Of(agencyID, environment string) ID {
	if environment == Live {
		return ID(agencyID)
	}
	return ID(agencyID + separator + environment)
}

// Admission is a tenant after its key has passed its check for the request at hand. If a handler runs
// beside that check, its writes take an Admission in place of an [ID], so a handler that has
// not waited for the check has nothing to write with. The zero value admits no tenant.
type Admission struct{ tenant ID }

// Admit returns the admission of a tenant. Only the gateway calls it, after the check, and tests do.
func Admit(t ID) Admission { return Admission{t} }

// Tenant returns the tenant; it is "" of the zero value.
func (a Admission) Tenant() ID { return a.tenant }

// IsLive reports whether the tenant is an agency in [Live].
func (t ID) IsLive() bool { return !strings.Contains(string(t), separator) }
