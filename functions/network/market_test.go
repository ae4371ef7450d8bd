package network_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/apitest"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// market posts references, each a JSON object, and spells the results:
// "status" for one that is ok, "!status" for one that is not, then its ids.
func (b *bed) market(action string, refs ...string) []string {
	b.t.Helper()
	return spelled(b.t, apitest.DecodeOK[contract.MarketResponse](b.t, b.send(http.MethodPost, "/talent-network/candidates/"+action, candidates(refs...))))
}

func candidates(refs ...string) string { return `{"candidates":[` + strings.Join(refs, ",") + `]}` }

func byID(id string) string { return fmt.Sprintf(`{"candidateUserId":%q}`, id) }
func byEmail(n int) string  { return fmt.Sprintf(`{"email":"Person%d@example.com"}`, n) }
func byLinkedIn(n int) string {
	return fmt.Sprintf(`{"linkedinUrl":"http://no.linkedin.com/in/Person-%d/?x=y"}`, n)
}
func (b *bed) status(id string) contract.MarketStatus {
	b.t.Helper()
	m, _, err := b.store.Membership(b.t.Context(), id)
	b.must(err)
	return m.Market.Status(b.Now())
}

func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestOffMarketAndBack(t *testing.T) {
	t.Parallel()
	b := open(t)
	one, two := b.ingest(person(olga, 1)), b.ingest(person(ben, 1))
	three := b.ingest(person(cleo, 3))
	expect(t, "by id", b.market("off-market", byID(one)), "off_market "+one)
	expect(t, "the rest of the person", b.market("off-market", byEmail(1)), "off_market "+one+" "+two)
	expect(t, "again", b.market("off-market", byEmail(1), byLinkedIn(1), byID(two)),
		"already_off_market "+one+" "+two, "already_off_market "+one+" "+two, "already_off_market "+two)
	expect(t, "back by LinkedIn", b.market("re-enable", byLinkedIn(1)), "on_market "+one+" "+two)
	expect(t, "back again", b.market("re-enable", byLinkedIn(1), byID(three)), "already_on_market "+one+" "+two, "already_on_market "+three)
}

// Duplicates are one action, and each result is judged by the state before.
func TestDuplicateReferences(t *testing.T) {
	t.Parallel()
	b := open(t)
	one, two := b.ingest(person(olga, 1)), b.ingest(person(ben, 1))
	b.market("off-market", byID(two))
	both := one + " " + two
	expect(t, "off", b.market("off-market", byEmail(1), byID(two), byID(one), byLinkedIn(1), byEmail(1)),
		"off_market "+both, "already_off_market "+two, "off_market "+one, "off_market "+both, "off_market "+both)
	expect(t, "nobody twice", b.market("off-market", byEmail(9), byEmail(9), byLinkedIn(9)), "pre_excluded", "pre_excluded", "pre_excluded")
	expect(t, "on", b.market("re-enable", byID(one), byEmail(1), byID(one)), "on_market "+one, "on_market "+both, "on_market "+one)
}

func TestReferencesOfNobody(t *testing.T) {
	t.Parallel()
	b := open(t)
	refs := []string{
		`{}`, `{"candidateUserId":null,"email":null,"linkedinUrl":null}`, `{"candidateUserId":"cu_unknown"}`,
		`{"candidateUserId":"` + strings.Repeat("x", 5000) + `"}`, `{"email":""}`, `{"email":"no address"}`,
		`{"linkedinUrl":""}`, `{"linkedinUrl":"https://www.linkedin.com/company/acme"}`,
		`{"candidateUserId":"cu_unknown","email":"person1@example.com"}`, `{"linkedinUrl":"x","email":"person1@example.com"}`,
	}
	b.ingest(person(olga, 1))
	want := []string{}
	for range refs {
		want = append(want, "!not_found")
	}
	expect(t, "off-market", b.market("off-market", refs...), want...)
	expect(t, "re-enable", b.market("re-enable", append(refs, byEmail(7), byLinkedIn(7))...), append(want, "!not_found", "!not_found")...)
}

func TestReferencesRefused(t *testing.T) {
	t.Parallel()
	b := open(t)
	for path, most := range map[string]int{"off-market": 100, "re-enable": 100, "lookup": 50, "preferences/lookup": 50} {
		path = "/talent-network/candidates/" + path
		for _, body := range []string{
			`{}`, `{"candidates":null}`, `{"candidates":[]}`, candidates(`"x"`), candidates(`{"candidateUserId":""}`), candidates(`{"email":1}`),
			candidates(`{},` + strings.Repeat(`{},`, most-1) + `{}`),
		} {
			b.send(http.MethodPost, path, body).CheckError(t, 400, contract.ValidationFailed)
		}
		if a := b.send(http.MethodPost, path, candidates(strings.Repeat(`{},`, most-1)+`{}`)); a.Status != 200 {
			t.Errorf("%s refuses %d: %s", path, most, a.Body)
		}
	}
}

func TestPreExclusion(t *testing.T) {
	t.Parallel()
	for name, ref := range map[string]string{"e-mail": byEmail(1), "LinkedIn": byLinkedIn(1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			for range 2 {
				expect(t, "excluded", b.market("off-market", ref), "pre_excluded")
				expect(t, "not restored", b.market("re-enable", ref), "!pre_excluded")
			}
			inFlight := person(ben, 1)
			inFlight.SubmittedAt = b.Now().Add(-time.Millisecond)
			id, err := ingestOnce(t.Context(), b.store, b.write, inFlight, b.newID(), b.Now())
			b.must(err)
			expect(t, "submitted before", b.market("re-enable", ref), "!pre_excluded "+id)
			expect(t, "off already", b.market("off-market", ref), "already_off_market "+id)
			b.Move(time.Second)
			fresh := b.ingest(person(olga, 1))
			expect(t, "restored by a fresh submit of another owner, which has its own membership",
				b.market("re-enable", byID(fresh), byID(id)), "already_on_market "+fresh, "!pre_excluded "+id)
			if again := b.ingest(person(ben, 1)); again != id || b.status(id) != contract.OnMarket {
				t.Errorf("a fresh submit leaves %s as %s, want %s on the market", again, b.status(id), id)
			}
		})
	}
}

// What was asked for after a submission is not undone when that arrives.
func TestLateIngestion(t *testing.T) {
	t.Parallel()
	b := open(t)
	id := b.ingest(person(olga, 1))
	b.market("off-market", byID(id))
	late := person(olga, 1)
	late.SubmittedAt = b.Now().Add(time.Second)
	b.Move(2 * time.Second)
	expect(t, "again", b.market("off-market", byID(id)), "already_off_market "+id)
	_, err := ingestOnce(t.Context(), b.store, b.write, late, b.newID(), b.Now())
	b.must(err)
	if b.status(id) != contract.OffMarket {
		t.Errorf("a submission from before put the candidate on the market")
	}
	b.Move(time.Second)
	b.ingest(person(olga, 1))
	if b.status(id) != contract.OnMarket {
		t.Errorf("a fresh submission left the candidate %s", b.status(id))
	}
}

func TestLocked(t *testing.T) {
	t.Parallel()
	b := open(t)
	locked := b.kinds()[2]
	for range 2 {
		expect(t, "off", b.market("off-market", byID(locked)), "already_off_market "+locked)
		expect(t, "on", b.market("re-enable", byID(locked)), "!locked "+locked)
		b.Move(time.Second)
		b.ingest(person(olga, 3))
	}
	if got := apitest.DecodeOK[contract.FastTrack](t, b.send(http.MethodGet, pathOf(locked, "fast-track"), "")); !got.OffMarket {
		t.Errorf("got %+v", got)
	}
	other := b.ingest(person(ben, 3))
	expect(t, "one of two", b.market("re-enable", byEmail(3)), "already_on_market "+locked+" "+other)
	expect(t, "one of two", b.market("off-market", byEmail(3)), "off_market "+locked+" "+other)
}

func TestRenewal(t *testing.T) {
	t.Parallel()
	b := open(t)
	id := b.ingest(person(olga, 1))
	b.Move(network.DefaultEligibility - time.Millisecond)
	expect(t, "not yet", b.market("re-enable", byID(id)), "already_on_market "+id)
	b.Move(time.Millisecond)
	if got := b.list("").Candidates[0].Status; got != contract.Expired {
		t.Errorf("got %s after 90 days", got)
	}
	expect(t, "expired", b.market("re-enable", byID(id)), "on_market "+id)
	expect(t, "renewed", b.market("re-enable", byID(id)), "already_on_market "+id)
	row := b.list("").Candidates[0]
	if want := b.Now().Add(network.DefaultEligibility); row.Status != contract.OnMarket || !row.MarketExpiresAt.Equal(want) || !row.UpdatedAt.Equal(b.Now()) {
		t.Errorf("got %+v", row)
	}
	b.Move(network.DefaultEligibility)
	expect(t, "off though expired", b.market("off-market", byID(id)), "off_market "+id)
}

func TestCapability(t *testing.T) {
	t.Parallel()
	b := open(t)
	id := b.ingest(person(olga, 1))
	a := agency()
	a.TalentNetworkManagement = false
	b.put(a)
	b.send(http.MethodPost, "/talent-network/candidates/off-market", candidates(byID(id), byEmail(9))).CheckError(t, 403, contract.TalentNetworkDisabled)
	b.send(http.MethodPost, "/talent-network/candidates/off-market", candidates()).CheckError(t, 400, contract.ValidationFailed)
	expect(t, "nothing was done", b.market("re-enable", byID(id), byEmail(9)), "already_on_market "+id, "!not_found")
}

func TestOffMarketOfHundred(t *testing.T) {
	t.Parallel()
	b := open(t)
	refs, want, again := []string{}, []string{}, []string{}
	for n := range 100 {
		id := b.ingest(person(olga, n))
		refs, want, again = append(refs, byEmail(n)), append(want, "off_market "+id), append(again, "already_off_market "+id)
	}
	expect(t, "hundred", b.market("off-market", refs...), want...)
	expect(t, "hundred again", b.market("off-market", refs...), again...)
}
