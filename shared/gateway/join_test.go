package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Each request reaches the gateway that serves its route, and one without a route the first.
func TestJoinedGateways(t *testing.T) {
	t.Parallel()
	roles, rolesLog := testGateway(t, contract.Roles, nil)
	crm, crmLog := testGateway(t, contract.CRM, nil)
	joined := Join(http.NotFoundHandler(), roles, crm)
	for path, want := range map[string]struct{ roles, crm int }{
		"/recruiter/roles":                                 {1, 0},
		"/recruiter/candidates":                            {0, 1},
		"/recruiter/candidates/can_1":                      {0, 1},
		"/recruiter/candidates/can_1/recommended-roles":    {1, 0},
		"/recruiter/notetaker-calls/call_1":                {0, 1},
		"/agency/roles/search":                             {1, 0},
		"/agency/members":                                  {0, 0},
		"/recruiter/roles/":                                {0, 0},
		"/recruiter//roles":                                {0, 0},
		"/recruiter/candidates/can_1/recommended-roles/no": {0, 0},
	} {
		before := [2]int{countLines(rolesLog), countLines(crmLog)}
		w := sendRequest(joined, http.MethodGet, path, "", "Authorization", "", "Authorization", "Bearer personal")
		got := [2]int{countLines(rolesLog) - before[0], countLines(crmLog) - before[1]}
		if isUnknown := w.Code == http.StatusNotFound; got != [2]int{want.roles, want.crm} || isUnknown != (want.roles+want.crm == 0) {
			t.Errorf("%s: status %d, %v lines; want %+v", path, w.Code, got, want)
		}
	}
}

func countLines(log *logged) int { return strings.Count(log.String(), "\n") }
