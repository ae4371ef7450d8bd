package lambdahttp

import (
	"slices"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Every function that serves a route may make the call that Start begins with.
func TestStartIsGranted(t *testing.T) {
	t.Parallel()
	for _, r := range contract.Routes {
		grants := topology.FunctionNamed(string(r.Function)).Grants
		if !slices.ContainsFunc(grants, func(g topology.Grant) bool {
			return g.On == topology.Accounts.Items() && slices.Contains(g.Actions, "dynamodb:BatchGetItem")
		}) {
			t.Errorf("%s may not read the table of accounts", r.Function)
		}
	}
}
