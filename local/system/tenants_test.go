package system_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// somebodyElses tells, for each built route with an id in its path, an id of
// another agency and one that never was. A route without a row fails the test.
var somebodyElses = map[string]func(*tenants) (theirs, nobodys string){
	"getBatch":       func(n *tenants) (string, string) { return n.batch, uuid.Must(uuid.NewV7()).String() },
	"getPreferences": members, "putPreferences": members, "getFastTrack": members, "putFastTrack": members,
	"getRole": closedRoles, "getAgencyRole": closedRoles,
	"getCRMCandidate":      func(*tenants) (string, string) { return deskCandidate, "cand_nobody" },
	"listRecommendedRoles": func(*tenants) (string, string) { return deskCandidate, "cand_nobody" },
	"getCall":              func(*tenants) (string, string) { return deskCall, "call_nobody" },
}

// closedRoles: a role that is closed exists for those alone who have to do with it.
func closedRoles(n *tenants) (string, string) { return n.role, "nowhere" }

func members(n *tenants) (string, string) { return n.member, "cu_01M7VZ7PS1FQ5A9FHX31Q3HE6S" }

// bodies are what a route with an id takes besides.
var bodies = map[string]any{"putPreferences": preferences(), "putFastTrack": map[string]bool{"fastTrack": true}}

// tenants is a stage on which one agency has a candidate.
type tenants struct {
	*stage
	batch, member, role string
}

func newTenants(t *testing.T) *tenants {
	t.Helper()
	n := &tenants{stage: newStage(t)}
	accepted, err := n.agency().Submit(t.Context(), request(t, priya, ""))
	must(t, err)
	n.work()
	n.desk(demo.OwnerID)
	n.batch, n.member = accepted.BatchID, n.read(demo.AgencyID, accepted.BatchID).Items[0].CandidateUserID
	s := &shop{stage: n.stage}
	s.open()
	n.role = "role1"
	s.tell("company.upserted", "co1", 1, object{"name": "Example Works"})
	s.tell("role.upserted", n.role, 1, aRole("Carpenter", object{"status": "CLOSED"}))
	s.tell("roleAssignment.upserted", n.role+"/"+demo.OwnerID, 1, object{"roleId": n.role, "recruiterId": demo.OwnerID, "approvalStatus": "APPROVED", "accessLevel": "FULL"})
	return n
}

// Another agency's ids answer byte for byte like ids that never were.
func TestTenants(t *testing.T) {
	t.Parallel()
	n := newTenants(t)
	// On the recruiter surface the other one is of the same agency.
	own := map[contract.KeyType]string{contract.AgencyKey: n.agencyKey(), contract.PersonalKey: n.recruiterKey(demo.OwnerID)}
	others := map[contract.KeyType]string{
		contract.AgencyKey:   n.key(contract.AgencyKey, demo.OtherAgencyID, demo.OtherOwnerID),
		contract.PersonalKey: n.recruiterKey(demo.MemberID),
	}
	for _, route := range contract.Routes {
		if !strings.Contains(route.Path, "{") {
			continue
		}
		row := somebodyElses[route.Operation]
		if row == nil {
			t.Errorf("%s has no ids to try", route.Operation)
			continue
		}
		theirs, nobodys := row(n)
		var body []byte
		if bodies[route.Operation] != nil {
			body = encoded(t, bodies[route.Operation])
		}
		if r := n.send(route.Method, filled(route, theirs)+onBehalf(route, demo.OwnerEmail), own[route.KeyType], body); r.status != 200 {
			t.Errorf("%s by its owner: %d %s; want 200", route.Operation, r.status, r.body)
		}
		other := others[route.KeyType]
		const piet = "piet.verhoeven@example.org"
		got := n.send(route.Method, filled(route, theirs)+onBehalf(route, piet), other, body)
		want := n.send(route.Method, filled(route, nobodys)+onBehalf(route, piet), other, body)
		if diff := cmp.Diff(without(want), without(got)); diff != "" || got.status != http.StatusNotFound {
			t.Errorf("%s: another agency's id (+) is told from none (-):\n%s", route.Operation, diff)
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

func filled(route contract.Route, id string) string {
	return parameter.ReplaceAllString(route.Path, id)
}

// shown is what a caller sees of an answer, but for the request's id and place in its window.
type shown struct {
	Status int
	Header http.Header
	Body   string
}

func without(r reply) shown {
	header := r.header.Clone()
	body := strings.ReplaceAll(r.body, header.Get("X-Request-Id"), "")
	for _, name := range []string{"X-Request-Id", "X-RateLimit-Remaining", "RateLimit", "Date"} {
		header.Del(name)
	}
	return shown{r.status, header, body}
}

// The same candidate and the same Idempotency-Key of two agencies have nothing
// to do with each other.
func TestTenantsShareNothing(t *testing.T) {
	t.Parallel()
	n := newTenants(t)
	in := request(t, priya, "")
	in.IdempotencyKey = "same"
	var batches, members []string
	for _, key := range []string{n.agencyKey(), n.key(contract.AgencyKey, demo.OtherAgencyID, demo.OtherOwnerID)} {
		accepted, err := client.New(n.BaseURL, key).Submit(t.Context(), in)
		must(t, err)
		if accepted.Deduplicated {
			t.Errorf("got %+v; want no duplicate of another agency's", accepted)
		}
		batches = append(batches, accepted.BatchID)
	}
	n.work()
	for i, agency := range []string{demo.AgencyID, demo.OtherAgencyID} {
		members = append(members, n.read(agency, batches[i]).Items[0].CandidateUserID)
	}
	if members[0] != n.member || members[1] == n.member || members[1] == "" {
		t.Errorf("got the members %v; want the first agency's own %s again and another one", members, n.member)
	}
}

// A candidate whose owner is no active member any more is gone for every route.
func TestInvisibleOwner(t *testing.T) {
	t.Parallel()
	n := newTenants(t)
	agency := demo.Agencies()[0]
	agency.Version, agency.Members = 2, map[string]account.Member{demo.MemberID: agency.Members[demo.MemberID]}
	key := n.agencyKey()
	must(t, n.accounts().PutAgency(t.Context(), agency))
	path := func(id string) string { return "/talent-network/candidates/" + id + "/preferences" }
	got, want := n.send("GET", path(n.member), key, nil), n.send("GET", path("cu_nobody"), key, nil)
	if diff := cmp.Diff(without(want), without(got)); diff != "" || got.status != http.StatusNotFound {
		t.Errorf("a former member's candidate (+) is told from none (-):\n%s", diff)
	}
}

// A personal key opens no agency route, and an agency key no other surface.
func TestWrongKeyType(t *testing.T) {
	t.Parallel()
	n := newStage(t)
	keys := map[contract.KeyType]string{
		contract.AgencyKey: n.agencyKey(), contract.PersonalKey: n.key(contract.PersonalKey, demo.OwnerID, demo.OwnerID),
	}
	tried := 0
	for _, route := range contract.Routes {
		for kind, key := range keys {
			if route.KeyType == contract.AnyKey || route.KeyType == kind {
				continue
			}
			tried++
			r := n.send(route.Method, filled(route, uuid.NewString()), key, nil)
			if r.status != http.StatusForbidden || r.code() != contract.WrongKeyType {
				t.Errorf("%s with a key of type %s: %d %s; want 403 wrong_key_type", route.Operation, kind, r.status, r.body)
			}
		}
	}
	if tried == 0 {
		t.Error("no route was tried")
	}
}
