// Package tenant identifies the owner of data: an agency in one environment of its keys.
//
// Every store of agencies' data takes an [ID] in place of the agency's id, and builds its item and object keys with
// it. So no API key reads, writes or counts what belongs to another environment (contract, Key environments), and
// passing an agency's id does not compile. The package knows neither keys nor agencies.
package tenant

import (
	"cmp"
	"errors"
	"strings"
)

// Live is the environment of the marketplace app, and the only one its commands and events concern.
const Live = "live"

// ID names a tenant. The zero value names none.
type ID string

// separator occurs in no agency's id (format id) and in no name of an environment.
const separator = "/"

// Of returns the tenant of an agency in an environment. In [Live] it is the agency's own id, in any other the id, a
// "/" and the environment, so no two tenants are the same.
func Of(agencyID, environment string) ID {
	if environment == Live {
		return ID(agencyID)
	}
	return ID(agencyID + separator + environment)
}

// Admission is a tenant after its key has passed its check for the request at hand. What handlers write with is
// [Guarded], so one that runs beside that check and has not waited for it has nothing to write with.
type Admission struct{ tenant ID }

// Admit returns the admission of a tenant. Only the gateway calls it, after the check, and tests do.
func Admit(t ID) Admission { return Admission{t} }

// Tenant returns the tenant; it is "" of the zero value.
func (a Admission) Tenant() ID { return a.tenant }

// Guarded holds stores, buckets and queues that only an [Admission] gives to a handler.
type Guarded[T any] struct{ writers T }

// Guard returns what handlers write with, guarded.
func Guard[T any](writers T) Guarded[T] { return Guarded[T]{writers} }

// Open returns what is guarded. It takes both results of the gateway's AwaitAdmission, and returns its error.
func (g Guarded[T]) Open(a Admission, err error) (none T, _ error) {
	if err == nil && a != (Admission{}) {
		return g.writers, nil
	}
	return none, cmp.Or(err, errors.New("no tenant is admitted"))
}

// IsLive reports whether the tenant is an agency in [Live].
func (t ID) IsLive() bool { return !strings.Contains(string(t), separator) }
