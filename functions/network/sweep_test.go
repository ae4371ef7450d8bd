package network_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// requestAll calls every route of the function about one candidate, named by id where
// a route changes something and in every way where it does not. It answers the
// answers by operation.
func (b *testService) requestAll(key, id string, n int) map[string]string {
	b.t.Helper()
	one := candidates(byID(id))
	ways := candidates(byID(id), byEmail(n), byLinkedIn(n))
	bodies := map[string]string{
		"lookupCandidates": ways, "lookupPreferences": ways, "offMarket": one, "reEnable": ways, "putFastTrack": `{"fastTrack":true}`,
		"putPreferences": `{"locations":["uk"],"workplaceTypes":["HYBRID"],"salaryMin":1,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`,
	}
	answers := map[string]string{}
	for _, r := range contract.Routes {
		if r.Function != contract.Network {
			continue
		}
		a := b.sendAs(key, r.Method, strings.ReplaceAll(r.Path, "{candidateUserId}", id), bodies[r.Operation])
		answers[r.Operation] = fmt.Sprint(a.Status, " ", requestID.ReplaceAllString(a.Body, ""))
	}
	return answers
}

var requestID = regexp.MustCompile(`"request_id":"[^"]*"`)

// What is another agency's answers like what never was, byte for byte, and
// nothing happens to it.
func TestTenants(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(olga, 1))
	before := b.readAll(id)
	theirs := b.requestAll(b.other, id, 1)
	nobodys := b.requestAll(b.other, "cu_00000000000000000000009999", 9999)
	if diff := cmp.Diff(nobodys, theirs); diff != "" {
		t.Errorf("another agency's candidate differs from nobody (-nobody +theirs):\n%s", diff)
	}
	if len(theirs) != 11 {
		t.Errorf("%d routes were swept", len(theirs))
	}
	for _, n := range []int{1, 9999} {
		a := b.sendAs(b.other, http.MethodPost, "/talent-network/candidates/off-market", candidates(byEmail(n), byLinkedIn(n)))
		if want := `{"results":[{"index":0,"ok":true,"status":"pre_excluded"},{"index":1,"ok":true,"status":"pre_excluded"}]}`; a.Body != want {
			t.Errorf("got %s", a.Body)
		}
	}
	if diff := cmp.Diff(before, b.readAll(id)); diff != "" {
		t.Errorf("another agency's calls changed (-want +got):\n%s", diff)
	}
}

// readAll is what the agency reads of its candidate.
func (b *testService) readAll(id string) map[string]string {
	b.t.Helper()
	out := map[string]string{}
	for _, path := range []string{listPath, listPath + "/" + id, pathOf(id, "preferences"), pathOf(id, "fast-track")} {
		out[path] = b.sendRequest(http.MethodGet, path, "").Body
	}
	for _, path := range []string{lookupPath, preferencesPath} {
		out[path] = b.sendRequest(http.MethodPost, path, candidates(byID(id), byEmail(1), byLinkedIn(1))).Body
	}
	return out
}

// When a member's approval ends, all of the member's candidates disappear from every route
// at once; they return with the approval.
func TestApproval(t *testing.T) {
	t.Parallel()
	away := map[string]func(*testAgency){
		"deactivated": func(a *testAgency) { m := a.Members[olga]; m.Deactivated = true; a.Members[olga] = m },
		"unapproved":  func(a *testAgency) { m := a.Members[olga]; m.Approved = false; a.Members[olga] = m },
		"removed":     func(a *testAgency) { delete(a.Members, olga) },
	}
	for _, name := range slices.Sorted(maps.Keys(away)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestService(t)
			id := b.mustIngest(newCandidate(olga, 1))
			before := b.readAll(id)
			a := newAgency()
			away[name](&a)
			b.putAgency(a)
			gone := b.requestAll(b.key, id, 1)
			nobody := b.requestAll(b.key, "cu_00000000000000000000009999", 9999)
			if diff := cmp.Diff(nobody, gone); diff != "" {
				t.Errorf("the candidate of who is gone differs from nobody (-nobody +gone):\n%s", diff)
			}
			if !strings.HasPrefix(gone["listCandidates"], `200 {"candidates":[],`) || !strings.HasPrefix(gone["getPreferences"], "404") {
				t.Errorf("got %v", gone)
			}
			b.putAgency(newAgency())
			if diff := cmp.Diff(before, b.readAll(id)); diff != "" {
				t.Errorf("back, but changed (-want +got):\n%s", diff)
			}
		})
	}
}

// Of a person with several owners only the memberships of active ones are seen
// and acted on.
func TestApprovalOfOneOwner(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	stays := b.mustIngest(newCandidate(olga, 1))
	goes := b.mustIngest(newCandidate(ben, 1))
	b.changeMember(ben, func(m *account.Member) { m.Deactivated = true })
	wantResults(t, "lookup", b.lookupAll(byEmail(1), byID(goes)), "found "+stays, "not_found")
	wantResults(t, "off-market", b.postMarket("off-market", byEmail(1), byID(goes)), "off_market "+stays, "!not_found")
	b.changeMember(ben, func(m *account.Member) { m.Deactivated = false })
	if got := b.statusOf(goes); got != contract.OnMarket {
		t.Errorf("the membership of who was away is %s", got)
	}
	wantResults(t, "lookup", b.lookupAll(byEmail(1)), "found "+stays+" "+goes)
}
