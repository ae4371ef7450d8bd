package console

import (
	"net/http"

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
	for _, a := range agencies() {
		if a.ID == wanted {
			return []agency{a}
		}
	}
	return nil
}

// tenantIn returns the agency in the environment that the request names.
func (a agency) tenantIn(r *http.Request) tenant.ID {
	return tenant.Of(a.ID, r.URL.Query().Get("environment"))
}
