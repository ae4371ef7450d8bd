package roles_test

import (
	"net/http"
	"slices"
	"testing"

	service "github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// The published catalogue is loaded while the function is initialized, not by the first request.
func TestCatalogueIsLoadedBeforeTheFirstRequest(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Example Works"}})
	b.putRole("r1", nil)
	o := b.host.Opener()
	_, err := catalogue.New(b.roles, snapshot.Open(o, catalogue.SnapshotName)).Rebuild(t.Context(), b.host.Now, "1")
	b.must(err)
	var calls cloudtest.Calls
	hooked := b.host
	hooked.AWS = cloud.WithHook(hooked.AWS, calls.Hook)
	handler, err := service.New(t.Context(), hooked)
	b.must(err)
	if made := calls.Reset(); !slices.Contains(made, "S3.GetObject") {
		t.Errorf("opening the function made the calls %v", made)
	}
	list := apitest.DecodeOK[roleList](t, apitest.Send(t.Context(), handler, b.keys[olga], http.MethodGet, "/recruiter/roles", ""))
	if made := calls.Reset(); list.joinedIDs() != "r1" || slices.Contains(made, "S3.GetObject") {
		t.Errorf("the first list has %q, by the calls %v", list.joinedIDs(), made)
	}
}
