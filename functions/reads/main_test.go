package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/testkit/iam"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The container serves every route below its paths, within its grants, and responds to unknown paths with the
// contract's 404.
func TestRoutesOfTheContainer(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	host := cloudtest.System(t, map[string]string{topology.SettingKeyEnvironments: "test"}, func() time.Time { return now })
	accounts := account.NewStore(cloudtest.TableOf(t, host, topology.Accounts), dynamo.New(host.AWS).WriteTx)
	agency := demo.Agency{
		Agency: account.Agency{
			ID: "agy_a", Name: "A", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, PrimaryOwner: "rec_olga",
		},
		Members: []account.Member{{ID: "rec_olga", Name: "Olga", Email: "olga@example.com", Owner: true, Approved: true}},
	}
	must(t, agency.Apply(t.Context(), accounts, 1))
	must(t, accounts.ApplyRecruiter(t.Context(), "rec_olga", 1, &account.Recruiter{
		ID: "rec_olga", Name: "Olga", Email: "olga@example.com", AgencyID: "agy_a", CanRecruit: true, PersonalKeys: true, Recommendations: true,
	}))
	keys := map[contract.KeyType]string{
		contract.AgencyKey:   apitest.CreateKey(t, host, contract.AgencyKey, "agy_a", "rec_olga"),
		contract.PersonalKey: apitest.CreateKey(t, host, contract.PersonalKey, "rec_olga", "rec_olga"),
	}
	reads, err := open(t.Context(), iam.RestrictHost(host, topology.Reads))
	must(t, err)
	for path, want := range map[string]struct {
		key    contract.KeyType
		status int
	}{
		"/agency/members": {contract.AgencyKey, 200}, "/agency/roles": {contract.AgencyKey, 200}, "/agency/roles/search?query=x": {contract.AgencyKey, 200},
		"/agency/roles/none?recruiterEmail=olga@example.com": {contract.AgencyKey, 404},
		"/recruiter/roles": {contract.PersonalKey, 200}, "/recruiter/roles/none": {contract.PersonalKey, 404}, "/recruiter/active-roles": {contract.PersonalKey, 200},
		"/recruiter/preferences": {contract.PersonalKey, 200}, "/recruiter/candidates": {contract.PersonalKey, 200}, "/recruiter/candidates/none": {contract.PersonalKey, 404},
		"/recruiter/candidates/none/recommended-roles": {contract.PersonalKey, 404}, "/recruiter/recommendations": {contract.PersonalKey, 200},
		"/recruiter/auto-recommendations": {contract.PersonalKey, 200}, "/recruiter/notetaker-calls": {contract.PersonalKey, 200},
		"/recruiter/notetaker-calls/none": {contract.PersonalKey, 404}, "/recruiter/nothing": {contract.PersonalKey, 404},
		"/agency/roles?limit=1": {contract.PersonalKey, 403},
	} {
		got := apitest.Send(t.Context(), reads, keys[want.key], http.MethodGet, path, "")
		if got.Status != want.status {
			t.Errorf("%s: got %d %.300s; want %d", path, got.Status, got.Body, want.status)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
