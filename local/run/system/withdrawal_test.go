package system_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// validBodies returns valid bodies for the agency's routes that name the target.
func validBodies(t *testing.T, of target) map[string][]byte {
	references := object{"candidates": []object{{"candidateUserId": of.member}}}
	return map[string][]byte{
		"uploadResume":    encodeBody(t, object{"contentBase64": "UHJpeWEgUmFtYW4="}),
		"submitCandidate": encodeBody(t, newSubmitRequest(t, priya, "")),
		"submitBulk":      encodeBody(t, contract.BulkRequest{Items: []contract.BulkItem{newPriyaItem(0, of.upload)}}),
		"putPreferences":  encodeBody(t, newPreferences()), "putFastTrack": []byte(`{"fastTrack": true}`),
		"lookupCandidates": encodeBody(t, references), "lookupPreferences": encodeBody(t, references),
		"offMarket": encodeBody(t, references), "reEnable": encodeBody(t, references),
	}
}

// An agency whose Talent Network access is withdrawn is refused on all routes of the network, with
// every key, and on no other route. Candidates submitted before are ingested, and all data is
// available again when access returns.
func TestWithdrawnNetworkAccessRefusesAllOfItsRoutes(t *testing.T) {
	t.Parallel()
	n := newTenantSystem(t)
	key := n.newAgencyKey()
	other := n.newKey(contract.AgencyKey, demo.OtherAgencyID, demo.OtherOwnerID)
	pending, err := n.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, jonas, ""))
	must(t, err)
	agency := demo.Agencies()[0].Agency
	version := int64(1) // of the demo's
	switchAccess := func(on bool) {
		version++
		agency.TalentNetworkAccess = on
		must(t, n.openAccounts().ApplyAgency(t.Context(), agency.ID, version, &agency))
	}
	switchAccess(false)
	created := n.createKey(keys.Request{
		Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: "test",
		Scopes: []contract.Scope{contract.IdentityRead, contract.AgencyRolesRead},
	}).Secret
	bodies := validBodies(t, target{member: n.member, upload: uuid.NewString()})
	for _, route := range contract.Routes {
		if route.KeyType == contract.PersonalKey || route.Public() {
			continue
		}
		onNetwork := slices.ContainsFunc(route.Scopes, func(s contract.Scope) bool { return strings.HasPrefix(string(s), "talent_network:") })
		send := func(key string) reply {
			return n.sendRequest(route.Method, fillPath(route, n.idOf(route))+"?"+queryOfRoute(route), key, bodies[route.Operation])
		}
		for _, key := range []string{key, created} {
			switch r := send(key); {
			case onNetwork && key == created && slices.Contains(route.Scopes, contract.TalentNetworkWrite): // the key lacks the scope
			case onNetwork && (r.status != http.StatusForbidden || r.errorCode() != contract.TalentNetworkDisabled):
				t.Errorf("%s: got %d %s; want 403 talent_network_disabled", route.Operation, r.status, r.body)
			case !onNetwork && r.status != http.StatusOK:
				t.Errorf("%s: got %d %s; want 200", route.Operation, r.status, r.body)
			}
		}
		if r := send(other); r.errorCode() == contract.TalentNetworkDisabled {
			t.Errorf("%s of another agency: got %d %s", route.Operation, r.status, r.body)
		}
	}
	n.runWorkers()
	if item := n.readBatch(demo.AgencyID, pending.BatchID).Items[0]; item.Status != contract.Succeeded {
		t.Errorf("submitted before: got %+v", item)
	}
	switchAccess(true)
	if r := n.sendRequest("GET", "/talent-network/candidates/"+n.member+"/preferences", key, nil); r.status != http.StatusOK {
		t.Errorf("with access again: got %d %s", r.status, r.body)
	}
}

// idOf returns an id of the agency for the path of a route.
func (n *tenantSystem) idOf(route contract.Route) string {
	switch route.Operation {
	case "getBatch":
		return n.batch
	case "getAgencyRole":
		return n.role
	}
	return n.member
}

// queryOfRoute returns a valid query for a route of the agency.
func queryOfRoute(route contract.Route) string {
	switch route.Operation {
	case "getAgencyRole":
		return "recruiterEmail=" + demo.OwnerEmail
	case "searchAgencyRoles":
		return "query=carpenter"
	}
	return ""
}

// A key belongs to its agency: after the member who created it was deleted, it still works for
// every request that needs no member.
func TestAKeyWorksAfterItsCreatorIsDeleted(t *testing.T) {
	t.Parallel()
	n := newTenantSystem(t)
	leaving := account.Member{Name: "Lea Leaving", Email: "lea@example.com", Owner: true, Approved: true, FastTrack: true}
	must(t, n.openAccounts().ApplyMember(t.Context(), demo.AgencyID, "rec_leaving", 1, &leaving))
	key := n.newKey(contract.AgencyKey, demo.AgencyID, "rec_leaving")
	identity := func() (out contract.Identity) {
		must(t, json.Unmarshal([]byte(n.sendRequest("GET", "/identity", key, nil).body), &out))
		return out
	}
	if by := identity().Key.CreatedBy; by.Email != "lea@example.com" {
		t.Errorf("got %+v", by)
	}
	must(t, n.openAccounts().ApplyMember(t.Context(), demo.AgencyID, "rec_leaving", 2, nil))
	if by := identity().Key.CreatedBy; by != (contract.IdentityCreator{}) {
		t.Errorf("got the creator %+v; want none", by)
	}
	for path, want := range map[string]int{
		"/talent-network/candidates": 200, "/talent-network/candidates/" + n.member + "/preferences": 200, "/agency/roles": 200,
		"/agency/roles?recruiterEmail=" + demo.OwnerEmail: 200, "/agency/roles?recruiterEmail=lea@example.com": 400,
	} {
		if r := n.sendRequest("GET", path, key, nil); r.status != want {
			t.Errorf("%s: got %d %s; want %d", path, r.status, r.body, want)
		}
	}
	r := n.sendRequest("PUT", "/talent-network/candidates/"+n.member+"/fast-track", key, []byte(`{"fastTrack": true}`))
	if r.errorCode() != contract.KeyOwnerMismatch {
		t.Errorf("got %d %s; want 403 key_owner_mismatch", r.status, r.body)
	}
	in := newSubmitRequest(t, priya, "")
	in.RecruiterEmail = new("lea@example.com")
	if r := n.sendRequest("POST", submitPath, key, encodeBody(t, in)); r.status != http.StatusBadRequest || !strings.Contains(r.body, "recruiterEmail") {
		t.Errorf("got %d %s; want 400 of recruiterEmail", r.status, r.body)
	}
	in.RecruiterEmail = nil
	if r := n.sendRequest("POST", submitPath, key, encodeBody(t, in)); r.status != http.StatusOK {
		t.Errorf("got %d %s; want 200, for the primary owner", r.status, r.body)
	}
}
