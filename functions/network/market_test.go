package network_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// postMarket posts references, each a JSON object, and spells the results:
// "status" for one that is ok, "!status" for one that is not, then its ids.
func (b *testService) postMarket(action string, refs ...string) []string {
	b.t.Helper()
	return spelled(b.t, apitest.DecodeOK[contract.MarketResponse](b.t, b.sendRequest(http.MethodPost, "/talent-network/candidates/"+action, candidates(refs...))))
}

func candidates(refs ...string) string { return `{"candidates":[` + strings.Join(refs, ",") + `]}` }

func byID(id string) string { return fmt.Sprintf(`{"candidateUserId":%q}`, id) }
func byEmail(n int) string  { return fmt.Sprintf(`{"email":"Person%d@example.com"}`, n) }
func byLinkedIn(n int) string {
	return fmt.Sprintf(`{"linkedinUrl":"http://no.linkedin.com/in/Person-%d/?x=y"}`, n)
}
func (b *testService) statusOf(id string) contract.MarketStatus {
	b.t.Helper()
	m, _, err := b.store.Membership(b.t.Context(), id)
	b.must(err)
	return m.Market.Status(b.Now())
}

func wantResults(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestOffMarketAndBack(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	one := b.mustIngest(newCandidate(olga, 1))
	two := b.mustIngest(newCandidate(ben, 1))
	three := b.mustIngest(newCandidate(cleo, 3))
	wantResults(t, "by id", b.postMarket("off-market", byID(one)), "off_market "+one)
	wantResults(t, "the rest of the person", b.postMarket("off-market", byEmail(1)), "off_market "+one+" "+two)
	wantResults(t, "again", b.postMarket("off-market", byEmail(1), byLinkedIn(1), byID(two)),
		"already_off_market "+one+" "+two, "already_off_market "+one+" "+two, "already_off_market "+two)
	wantResults(t, "back by LinkedIn", b.postMarket("re-enable", byLinkedIn(1)), "on_market "+one+" "+two)
	wantResults(t, "back again", b.postMarket("re-enable", byLinkedIn(1), byID(three)), "already_on_market "+one+" "+two, "already_on_market "+three)
}

// Duplicates are one action, and each result is judged by the state before.
func TestDuplicateReferences(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	one := b.mustIngest(newCandidate(olga, 1))
	two := b.mustIngest(newCandidate(ben, 1))
	b.postMarket("off-market", byID(two))
	both := one + " " + two
	wantResults(t, "off", b.postMarket("off-market", byEmail(1), byID(two), byID(one), byLinkedIn(1), byEmail(1)),
		"off_market "+both, "already_off_market "+two, "off_market "+one, "off_market "+both, "off_market "+both)
	wantResults(t, "nobody twice", b.postMarket("off-market", byEmail(9), byEmail(9), byLinkedIn(9)), "pre_excluded", "pre_excluded", "pre_excluded")
	wantResults(t, "on", b.postMarket("re-enable", byID(one), byEmail(1), byID(one)), "on_market "+one, "on_market "+both, "on_market "+one)
}

func TestReferencesOfNobody(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	refs := []string{
		`{}`, `{"candidateUserId":null,"email":null,"linkedinUrl":null}`, `{"candidateUserId":"cu_unknown"}`,
		`{"candidateUserId":"` + strings.Repeat("x", 5000) + `"}`, `{"email":""}`, `{"email":"no address"}`,
		`{"linkedinUrl":""}`, `{"linkedinUrl":"https://www.linkedin.com/company/acme"}`,
		`{"candidateUserId":"cu_unknown","email":"person1@example.com"}`, `{"linkedinUrl":"x","email":"person1@example.com"}`,
	}
	b.mustIngest(newCandidate(olga, 1))
	want := []string{}
	for range refs {
		want = append(want, "!not_found")
	}
	wantResults(t, "off-market", b.postMarket("off-market", refs...), want...)
	wantResults(t, "re-enable", b.postMarket("re-enable", append(refs, byEmail(7), byLinkedIn(7))...), append(want, "!not_found", "!not_found")...)
}

func TestReferencesRefused(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	for path, most := range map[string]int{"off-market": 100, "re-enable": 100, "lookup": 50, "preferences/lookup": 50} {
		path = "/talent-network/candidates/" + path
		for _, body := range []string{
			`{}`, `{"candidates":null}`, `{"candidates":[]}`, candidates(`"x"`), candidates(`{"candidateUserId":""}`), candidates(`{"email":1}`),
			candidates(`{},` + strings.Repeat(`{},`, most-1) + `{}`),
		} {
			b.sendRequest(http.MethodPost, path, body).CheckError(t, 400, contract.ValidationFailed)
		}
		if a := b.sendRequest(http.MethodPost, path, candidates(strings.Repeat(`{},`, most-1)+`{}`)); a.Status != 200 {
			t.Errorf("%s refuses %d: %s", path, most, a.Body)
		}
	}
}

func TestPreExclusion(t *testing.T) {
	t.Parallel()
	for name, ref := range map[string]string{"e-mail": byEmail(1), "LinkedIn": byLinkedIn(1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestService(t)
			for range 2 {
				wantResults(t, "excluded", b.postMarket("off-market", ref), "pre_excluded")
				wantResults(t, "not restored", b.postMarket("re-enable", ref), "!pre_excluded")
			}
			inFlight := newCandidate(ben, 1)
			inFlight.SubmittedAt = b.Now().Add(-time.Millisecond)
			id, err := ingestOnce(t.Context(), b.store, b.write, inFlight, b.newID(), b.Now())
			b.must(err)
			wantResults(t, "submitted before", b.postMarket("re-enable", ref), "!pre_excluded "+id)
			wantResults(t, "off already", b.postMarket("off-market", ref), "already_off_market "+id)
			b.Move(time.Second)
			fresh := b.mustIngest(newCandidate(olga, 1))
			wantResults(t, "restored by a fresh submit of another owner, which has its own membership",
				b.postMarket("re-enable", byID(fresh), byID(id)), "already_on_market "+fresh, "!pre_excluded "+id)
			if again := b.mustIngest(newCandidate(ben, 1)); again != id || b.statusOf(id) != contract.OnMarket {
				t.Errorf("a fresh submit leaves %s as %s, want %s on the market", again, b.statusOf(id), id)
			}
		})
	}
}

// A person who is pre-excluded while all owners are invisible stays off the market when an owner
// becomes visible, until a fresh submission.
func TestPreExclusionOfInvisibleMemberships(t *testing.T) {
	t.Parallel()
	for name, hide := range map[string]func(*account.Member){
		"not approved": func(m *account.Member) { m.Approved = false },
		"deactivated":  func(m *account.Member) { m.Deactivated = true },
	} {
		for kind, ref := range map[string]string{"e-mail": byEmail(1), "LinkedIn": byLinkedIn(1)} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				b := newTestService(t)
				id := b.mustIngest(newCandidate(ben, 1))
				other := b.mustIngest(newCandidate(olga, 2))
				b.changeMember(ben, hide)
				b.Move(time.Second)
				for range 2 {
					wantResults(t, "excluded", b.postMarket("off-market", ref, byID(id)), "pre_excluded", "!not_found")
					wantResults(t, "not restored", b.postMarket("re-enable", ref), "!pre_excluded")
				}
				b.changeMember(ben, func(m *account.Member) {
					m.Approved = true
					m.Deactivated = false
				})
				b.checkShown(id, contract.OffMarket)
				b.checkShown(other, contract.OnMarket)
				wantResults(t, "not restored when visible", b.postMarket("re-enable", ref), "!pre_excluded "+id)
				wantResults(t, "off already", b.postMarket("off-market", ref), "already_off_market "+id)
				b.Move(time.Second)
				b.mustIngest(newCandidate(ben, 1))
				b.checkShown(id, contract.OnMarket)
			})
		}
	}
}

// A membership that is visible is taken off the market, and is not pre-excluded when the owner
// comes back.
func TestOffMarketBeforeTheOwnerIsDeactivated(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(ben, 1))
	wantResults(t, "visible", b.postMarket("off-market", byEmail(1)), "off_market "+id)
	b.changeMember(ben, func(m *account.Member) { m.Deactivated = true })
	b.changeMember(ben, func(m *account.Member) { m.Deactivated = false })
	b.checkShown(id, contract.OffMarket)
	wantResults(t, "restored", b.postMarket("re-enable", byEmail(1)), "on_market "+id)
	b.checkShown(id, contract.OnMarket)
}

// checkShown checks the status of a membership in the list, in the list of that status, in the
// lookup and in the answer of fast-track.
func (b *testService) checkShown(id string, want contract.MarketStatus) {
	b.t.Helper()
	shown := map[string]contract.MarketStatus{}
	for _, r := range b.listCandidates("").Candidates {
		shown[r.CandidateUserID] = r.Status
	}
	filtered := slices.ContainsFunc(b.listCandidates("?status="+string(want)).Candidates, func(r contract.CandidateRow) bool { return r.CandidateUserID == id })
	found := apitest.DecodeOK[contract.LookupResponse](b.t, b.sendRequest(http.MethodPost, lookupPath, candidates(byID(id)))).Results[0].Candidates
	fast := apitest.DecodeOK[contract.FastTrack](b.t, b.sendRequest(http.MethodGet, pathOf(id, "fast-track"), ""))
	if shown[id] != want || !filtered || found[0].Status != want || fast.OffMarket != (want == contract.OffMarket) {
		b.t.Errorf("%s is listed as %s, in the list of %s: %t, found as %s, with offMarket %t; want %[3]s everywhere", id, shown[id], want, filtered, found[0].Status, fast.OffMarket)
	}
}

// What was asked for after a submission is not undone when that arrives.
func TestLateIngestion(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(olga, 1))
	b.postMarket("off-market", byID(id))
	late := newCandidate(olga, 1)
	late.SubmittedAt = b.Now().Add(time.Second)
	b.Move(2 * time.Second)
	wantResults(t, "again", b.postMarket("off-market", byID(id)), "already_off_market "+id)
	_, err := ingestOnce(t.Context(), b.store, b.write, late, b.newID(), b.Now())
	b.must(err)
	if b.statusOf(id) != contract.OffMarket {
		t.Errorf("a submission from before put the candidate on the market")
	}
	b.Move(time.Second)
	b.mustIngest(newCandidate(olga, 1))
	if b.statusOf(id) != contract.OnMarket {
		t.Errorf("a fresh submission left the candidate %s", b.statusOf(id))
	}
}

func TestLocked(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	locked := b.itemKinds()[2]
	for range 2 {
		wantResults(t, "off", b.postMarket("off-market", byID(locked)), "already_off_market "+locked)
		wantResults(t, "on", b.postMarket("re-enable", byID(locked)), "!locked "+locked)
		b.Move(time.Second)
		b.mustIngest(newCandidate(olga, 3))
	}
	if got := apitest.DecodeOK[contract.FastTrack](t, b.sendRequest(http.MethodGet, pathOf(locked, "fast-track"), "")); !got.OffMarket {
		t.Errorf("got %+v", got)
	}
	other := b.mustIngest(newCandidate(ben, 3))
	wantResults(t, "one of two", b.postMarket("re-enable", byEmail(3)), "already_on_market "+locked+" "+other)
	wantResults(t, "one of two", b.postMarket("off-market", byEmail(3)), "off_market "+locked+" "+other)
}

func TestRenewal(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(olga, 1))
	b.Move(network.DefaultEligibility - time.Millisecond)
	wantResults(t, "not yet", b.postMarket("re-enable", byID(id)), "already_on_market "+id)
	b.Move(time.Millisecond)
	if got := b.listCandidates("").Candidates[0].Status; got != contract.Expired {
		t.Errorf("got %s after 90 days", got)
	}
	wantResults(t, "expired", b.postMarket("re-enable", byID(id)), "on_market "+id)
	wantResults(t, "renewed", b.postMarket("re-enable", byID(id)), "already_on_market "+id)
	row := b.listCandidates("").Candidates[0]
	if want := b.Now().Add(network.DefaultEligibility); row.Status != contract.OnMarket || !row.MarketExpiresAt.Equal(want) || !row.UpdatedAt.Equal(b.Now()) {
		t.Errorf("got %+v", row)
	}
	b.Move(network.DefaultEligibility)
	wantResults(t, "off though expired", b.postMarket("off-market", byID(id)), "off_market "+id)
}

func TestCapability(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(olga, 1))
	a := newAgency()
	a.TalentNetworkManagement = false
	b.putAgency(a)
	b.sendRequest(http.MethodPost, "/talent-network/candidates/off-market", candidates(byID(id), byEmail(9))).CheckError(t, 403, contract.TalentNetworkDisabled)
	b.sendRequest(http.MethodPost, "/talent-network/candidates/off-market", candidates()).CheckError(t, 400, contract.ValidationFailed)
	wantResults(t, "nothing was done", b.postMarket("re-enable", byID(id), byEmail(9)), "already_on_market "+id, "!not_found")
}

func TestOffMarketOfHundred(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	refs := []string{}
	want := []string{}
	again := []string{}
	for n := range 100 {
		id := b.mustIngest(newCandidate(olga, n))
		refs = append(refs, byEmail(n))
		want = append(want, "off_market "+id)
		again = append(again, "already_off_market "+id)
	}
	wantResults(t, "hundred", b.postMarket("off-market", refs...), want...)
	wantResults(t, "hundred again", b.postMarket("off-market", refs...), again...)
}
