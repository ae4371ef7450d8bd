package console

import (
	"net/http"
	"slices"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
)

// agency is an agency whose data the console lists.
type agency struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	owner string
}

// agencies returns the agencies of the demo, the one of the run's keys first.
func agencies() []agency {
	var all []agency
	for _, a := range demo.Agencies() {
		all = append(all, agency{a.ID, a.Name, a.PrimaryOwner})
	}
	return all
}

// agenciesOf returns the agency that the request names, or all of them if it names none.
func agenciesOf(r *http.Request) []agency {
	wanted := r.URL.Query().Get("agency")
	if wanted == "" {
		return agencies()
	}
	return slices.DeleteFunc(agencies(), func(a agency) bool { return a.ID != wanted })
}

// agencyNamed returns the agency with an id, the demo agency for "". One that is not there has no owner who could
// act for it.
func agencyNamed(id string) agency {
	all := agencies()
	n := slices.IndexFunc(all, func(a agency) bool { return id == a.ID || id == "" })
	if n < 0 {
		return agency{ID: id}
	}
	return all[n]
}

// tenantIn returns the agency in the environment that the request names.
func (a agency) tenantIn(r *http.Request) tenant.ID {
	return tenant.Of(a.ID, r.URL.Query().Get("environment"))
}
