package system_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// TestInstancesShareChangedRoles fails unless a role that one instance has read after its change is found by another one, which reads what the
// first has shared.
func TestInstancesShareChangedRoles(t *testing.T) {
	t.Parallel()
	s := &roleSystem{manualSystem: newManualSystemWith(t, map[string]string{topology.SettingCatalogueAge: ""})}
	s.openFeed()
	s.loadDemoRoles(5)
	other := openFunctions(t, s.Host)
	server := httptest.NewServer(other.API)
	t.Cleanup(server.Close)
	for _, address := range []string{server.URL + contract.BasePath, s.BaseURL} { // the second one joins the first
		s.BaseURL = address
		s.advanceClock(time.Second)
		s.getJSON("/agency/roles", s.key, &contract.RoleList{})
	}
	s.applyEvent("role.upserted", "shared", 1, newRoleData("Carpenter", nil))
	for _, address := range []string{s.BaseURL, server.URL + contract.BasePath} {
		s.BaseURL = address
		s.advanceClock(time.Second)
		var list contract.RoleList
		s.getJSON("/agency/roles/search?query=carpenter", s.key, &list)
		if len(list.Roles) != 1 {
			t.Errorf("found %d roles, want the one that has changed", len(list.Roles))
		}
	}
}
