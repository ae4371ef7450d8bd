package system_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// foreignIDs returns, for each route with an id in its path, an id of another agency and
// one that never existed. A route without a row fails the test.
var foreignIDs = map[string]func(*tenantSystem) (theirs, unknown string){
	"getBatch":     func(n *tenantSystem) (string, string) { return n.batch, uuid.Must(uuid.NewV7()).String() },
	"getCandidate": memberIDs, "getPreferences": memberIDs, "putPreferences": memberIDs, "getFastTrack": memberIDs, "putFastTrack": memberIDs,
	"getRole": closedRoleIDs, "getAgencyRole": closedRoleIDs,
	"getCRMCandidate":      func(*tenantSystem) (string, string) { return seededCandidate, "cand_nobody" },
	"listRecommendedRoles": func(*tenantSystem) (string, string) { return seededCandidate, "cand_nobody" },
	"getCall":              func(*tenantSystem) (string, string) { return seededCall, "call_nobody" },
}

// closedRoleIDs returns a closed role, which exists only for those involved in it.
func closedRoleIDs(n *tenantSystem) (string, string) { return n.role, "nowhere" }

func memberIDs(n *tenantSystem) (string, string) { return n.member, "cu_01M7VZ7PS1FQ5A9FHX31Q3HE6S" }

// bodies are the request bodies of the routes with an id.
var bodies = map[string]any{"putPreferences": newPreferences(), "putFastTrack": map[string]bool{"fastTrack": true}}

// tenantSystem is a system in which one agency has a candidate.
type tenantSystem struct {
	*manualSystem
	batch, member, role string
}

func newTenantSystem(t *testing.T) *tenantSystem {
	t.Helper()
	n := &tenantSystem{manualSystem: newManualSystem(t)}
	accepted, err := n.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	n.runWorkers()
	n.seedRecruiter(demo.OwnerID)
	n.batch = accepted.BatchID
	n.member = n.readBatch(demo.AgencyID, accepted.BatchID).Items[0].CandidateUserID
	s := &roleSystem{manualSystem: n.manualSystem}
	s.openFeed()
	n.role = "role1"
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	s.applyEvent("role.upserted", n.role, 1, newRoleData("Carpenter", object{"status": "CLOSED"}))
	s.applyEvent("roleAssignment.upserted", n.role+"/"+demo.OwnerID, 1, object{"roleId": n.role, "recruiterId": demo.OwnerID, "approvalStatus": "APPROVED", "accessLevel": "FULL"})
	return n
}

// Another agency's ids get the same responses as ids that never existed, byte for byte.
func TestTenants(t *testing.T) {
	t.Parallel()
	n := newTenantSystem(t)
	// On the recruiter surface the other one is of the same agency.
	own := map[contract.KeyType]string{contract.AgencyKey: n.newAgencyKey(), contract.PersonalKey: n.newRecruiterKey(demo.OwnerID)}
	others := map[contract.KeyType]string{
		contract.AgencyKey:   n.newKey(contract.AgencyKey, demo.OtherAgencyID, demo.OtherOwnerID),
		contract.PersonalKey: n.newRecruiterKey(demo.MemberID),
	}
	for _, route := range contract.Routes {
		if route.Public() || !strings.Contains(route.Path, "{") {
			continue
		}
		row := foreignIDs[route.Operation]
		if row == nil {
			t.Errorf("%s has no ids to try", route.Operation)
			continue
		}
		theirs, unknown := row(n)
		var body []byte
		if bodies[route.Operation] != nil {
			body = encodeBody(t, bodies[route.Operation])
		}
		if r := n.sendRequest(route.Method, fillPath(route, theirs)+onBehalf(route, demo.OwnerEmail), own[route.KeyType], body); r.status != 200 {
			t.Errorf("%s by its owner: %d %s; want 200", route.Operation, r.status, r.body)
		}
		other := others[route.KeyType]
		const piet = "piet.verhoeven@example.org"
		got := n.sendRequest(route.Method, fillPath(route, theirs)+onBehalf(route, piet), other, body)
		want := n.sendRequest(route.Method, fillPath(route, unknown)+onBehalf(route, piet), other, body)
		if diff := cmp.Diff(visiblePart(want), visiblePart(got)); diff != "" || got.status != http.StatusNotFound {
			t.Errorf("%s: another agency's id (+) differs from an unknown one (-):\n%s", route.Operation, diff)
		}
	}
}

// onBehalf is the query of a route that wants a member.
func onBehalf(route contract.Route, email string) string {
	if route.Operation == "getAgencyRole" {
		return "?recruiterEmail=" + email
	}
	return ""
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

func fillPath(route contract.Route, id string) string {
	return parameter.ReplaceAllString(route.Path, id)
}

// visibleReply is a response without the request's id and its position in the rate window.
type visibleReply struct {
	Status int
	Header http.Header
	Body   string
}

func visiblePart(r reply) visibleReply {
	header := r.header.Clone()
	body := strings.ReplaceAll(r.body, header.Get("X-Request-Id"), "")
	for _, name := range []string{"X-Request-Id", "X-RateLimit-Remaining", "RateLimit", "Date"} {
		header.Del(name)
	}
	return visibleReply{r.status, header, body}
}

// The same candidate and the same Idempotency-Key of two agencies are independent.
func TestTenantsShareNothing(t *testing.T) {
	t.Parallel()
	n := newTenantSystem(t)
	in := newSubmitRequest(t, priya, "")
	in.IdempotencyKey = "same"
	var batches, members []string
	for _, key := range []string{n.newAgencyKey(), n.newKey(contract.AgencyKey, demo.OtherAgencyID, demo.OtherOwnerID)} {
		accepted, err := client.New(n.BaseURL, key).Submit(t.Context(), in)
		must(t, err)
		if accepted.Deduplicated {
			t.Errorf("got %+v; want no duplicate of another agency's", accepted)
		}
		batches = append(batches, accepted.BatchID)
	}
	n.runWorkers()
	for i, agency := range []string{demo.AgencyID, demo.OtherAgencyID} {
		members = append(members, n.readBatch(agency, batches[i]).Items[0].CandidateUserID)
	}
	if members[0] != n.member || members[1] == n.member || members[1] == "" {
		t.Errorf("got the members %v; want the first agency's own %s again and another one", members, n.member)
	}
}

// A candidate whose owner is no longer an active member is hidden on every route.
func TestInvisibleOwner(t *testing.T) {
	t.Parallel()
	n := newTenantSystem(t)
	key := n.newAgencyKey()
	must(t, n.openAccounts().ApplyMember(t.Context(), demo.AgencyID, demo.OwnerID, 2, nil))
	path := func(id string) string { return "/talent-network/candidates/" + id + "/preferences" }
	got := n.sendRequest("GET", path(n.member), key, nil)
	want := n.sendRequest("GET", path("cu_nobody"), key, nil)
	if diff := cmp.Diff(visiblePart(want), visiblePart(got)); diff != "" || got.status != http.StatusNotFound {
		t.Errorf("a former member's candidate (+) differs from an unknown one (-):\n%s", diff)
	}
}

// A personal key has no access to agency routes, and an agency key to no others.
func TestWrongKeyType(t *testing.T) {
	t.Parallel()
	n := newManualSystem(t)
	keys := map[contract.KeyType]string{
		contract.AgencyKey: n.newAgencyKey(), contract.PersonalKey: n.newKey(contract.PersonalKey, demo.OwnerID, demo.OwnerID),
	}
	tried := 0
	for _, route := range contract.Routes {
		for kind, key := range keys {
			if route.KeyType == contract.AnyKey || route.KeyType == kind {
				continue
			}
			tried++
			r := n.sendRequest(route.Method, fillPath(route, uuid.NewString()), key, nil)
			if r.status != http.StatusForbidden || r.errorCode() != contract.WrongKeyType {
				t.Errorf("%s with a key of type %s: %d %s; want 403 wrong_key_type", route.Operation, kind, r.status, r.body)
			}
		}
	}
	if tried == 0 {
		t.Error("no route was tried")
	}
}
