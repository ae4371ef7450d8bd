package network_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func allOwners(context.Context, []string) (func(string) bool, error) {
	return func(string) bool { return true }, nil
}

func emailReference(mail string) contract.CandidateReference {
	return contract.CandidateReference{Email: new(mail + "@example.com")}
}

func (d testStore) offMarket(at time.Time, refs ...contract.CandidateReference) []contract.MarketResult {
	d.t.Helper()
	out, err := d.OffMarket(ctx, "agy_1", refs, allOwners, network.Write{Now: at, ID: at.String()})
	must(d.t, err)
	return out
}

// conflict is what DynamoDB answers a repeated transaction after it has
// forgotten that it was asked before.
var conflict = &types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{{Code: aws.String("ConditionalCheckFailed")}}}

// A write whose answer was lost, and that finds its own work, answers like the
// one that did it.
func TestALostAnswerIsNotSomebodyElses(t *testing.T) {
	t.Parallel()
	var lose atomic.Bool
	d := newTestStore(t, func(_ context.Context, call cloud.Call, send func() error) error {
		err := send()
		if call.Operation == "TransactWriteItems" && err == nil && lose.CompareAndSwap(true, false) {
			return conflict
		}
		return err
	})
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	now := start.Add(time.Hour)
	lose.Store(true)
	want := []contract.MarketResult{{Result: contract.Result{Status: contract.ResultOffMarket}, CandidateUserIDs: []string{candidateID(1)}}}
	if diff := cmp.Diff(want, d.offMarket(now, emailReference("a"))); diff != "" || lose.Load() {
		t.Errorf("off-market (-want +got):\n%s", diff)
	}
	lose.Store(true)
	m, err := d.SetFastTrack(ctx, d.mustMembership(candidateID(1)), true, network.Write{Now: now, ID: "f"})
	if err != nil || !m.Market.FastTrack || lose.Load() {
		t.Errorf("fast-track: got %+v, %v", m, err)
	}
	stored := d.mustMembership(candidateID(1))
	if !stored.Market.FastTrack || !stored.Market.Off() || !stored.UpdatedAt.Equal(now) {
		t.Errorf("stored is %+v", stored)
	}
}

// between runs something once, before the first call of an operation is sent.
func between(operation string, run func()) cloud.Hook {
	var once sync.Once
	return func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == operation {
			once.Do(run)
		}
		return send()
	}
}

// withHook is a store on the table of d with a hook of its own.
func (d testStore) withHook(hook cloud.Hook) testStore {
	o := newTestStore(d.t, hook)
	table := o.db.Table(d.table.Name())
	o.table = table
	o.Store = network.NewStore(table, o.db.WriteTx, network.DefaultEligibility)
	return o
}

// A person who arrives while being pre-excluded is taken off the market instead,
// whether or not anything was known of them before.
func TestExclusionMeetsIngestion(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]bool{"unknown": false, "excluded before": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			if known {
				d.offMarket(start.Add(-time.Hour), emailReference("a"))
			}
			o := d.withHook(between("UpdateItem", func() { d.mustIngest(newCandidate("ada", "a"), candidateID(1), start) }))
			got := o.offMarket(start.Add(time.Second), emailReference("a"), emailReference("b"))
			want := []contract.MarketResult{
				{Result: contract.Result{Status: contract.ResultOffMarket}, CandidateUserIDs: []string{candidateID(1)}},
				{Result: contract.Result{Index: 1, Status: contract.ResultPreExcluded}},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if m := d.mustMembership(candidateID(1)); !m.Market.Off() || m.Market.Excluded() {
				t.Errorf("got %+v", m.Market)
			}
		})
	}
}

// A person who is pre-excluded while arriving arrives so.
func TestIngestionMeetsExclusion(t *testing.T) {
	t.Parallel()
	linkedIn := contract.CandidateReference{LinkedInURL: new("https://www.linkedin.com/in/ada")}
	for name, refs := range map[string][2]contract.CandidateReference{
		"e-mail": {{}, emailReference("a")}, "LinkedIn": {{}, linkedIn}, "e-mail, again": {emailReference("a"), emailReference("a")}, "LinkedIn, again": {linkedIn, linkedIn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			d.offMarket(start.Add(-time.Hour), refs[0])
			excluded := start.Add(time.Second)
			o := d.withHook(between("TransactWriteItems", func() { d.offMarket(excluded, refs[1]) }))
			_, err := o.placeAndIngest(newCandidate("ada", "a"), candidateID(1), start.Add(time.Minute))
			must(t, err)
			want := network.Market{Stated: network.Statement{At: start}, ExcludedAt: excluded, ExpiresAt: start.Add(time.Minute + network.DefaultEligibility)}
			if diff := cmp.Diff(want, d.mustMembership(candidateID(1)).Market); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A write that was overtaken is made on the membership that is stored then, and judged by it.
func TestAWriteInBetween(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	now := start.Add(time.Hour)
	o := d.withHook(between("TransactWriteItems", func() {
		_, err := d.SetFastTrack(ctx, d.mustMembership(candidateID(1)), true, network.Write{Now: now, ID: "other"})
		must(t, err)
		d.offMarket(now, emailReference("a"))
	}))
	already := contract.Result{Status: contract.ResultAlreadyOffMarket}
	want := []contract.MarketResult{{Result: already, CandidateUserIDs: []string{candidateID(1)}}}
	if diff := cmp.Diff(want, o.offMarket(now.Add(time.Second), emailReference("a"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if m := d.mustMembership(candidateID(1)); !m.Market.FastTrack || !m.UpdatedAt.Equal(now) || !m.Market.Stated.At.Equal(now.Add(time.Second)) {
		t.Errorf("got %+v, updated %v", m.Market, m.UpdatedAt)
	}
}

// Many writers of one membership, submissions among them: every one gets its turn,
// nothing is lost, and the list row says what the membership says.
func TestManyWritersOfOneMembership(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	var group sync.WaitGroup
	for n := range 10 {
		group.Go(func() {
			for turn := range 6 {
				d.takeTurn(n, turn)
			}
		})
	}
	group.Wait()
	m := d.mustMembership(candidateID(1))
	rows, next, err := d.List(ctx, "agy_1", network.Filter{}, network.Page{Limit: 10, Now: start}, allOwners)
	must(t, err)
	if diff := cmp.Diff([]network.Row{m.Row()}, rows); diff != "" || next != "" {
		t.Errorf("the list against the membership (-membership +list):\n%s", diff)
	}
	if !m.Market.FastTrack || *m.Preferences.SalaryMin != 5 {
		t.Errorf("got %+v with %+v", m.Market, *m.Preferences.SalaryMin)
	}
}

// takeTurn is one write of a writer; the last ones of each kind agree.
func (d testStore) takeTurn(writer, turn int) {
	w := network.Write{Now: start.Add(time.Duration(turn) * time.Minute), ID: fmt.Sprint(writer, turn)}
	m, _, err := d.Membership(ctx, candidateID(1))
	switch writer % 5 {
	case 0:
		_, err = d.SetFastTrack(ctx, m, turn%2 == 1, w)
	case 1:
		wanted := newCandidate("ada", "a").Preferences
		wanted.SalaryMin = int64(turn)
		_, err = d.SetPreferences(ctx, m, wanted, w)
	case 2:
		_, err = d.OffMarket(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, allOwners, w)
	case 3:
		_, err = d.ReEnable(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, allOwners, w)
	case 4:
		c := newCandidate("ada", "a")
		c.SubmittedAt = w.Now
		c.Preferences.SalaryMin = int64(turn)
		_, err = d.placeAndIngest(c, candidateID(2), w.Now)
	}
	if err != nil {
		d.t.Errorf("writer %d, turn %d: %v", writer, turn, err)
	}
}

// A membership that is erased while it is being changed stays erased.
func TestErasedMeanwhile(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	o := d.withHook(between("TransactWriteItems", func() {
		must(t, d.table.Delete("pk", "M#"+candidateID(1)).Range("sk", "M").Run(ctx))
	}))
	got := o.offMarket(start.Add(time.Second), contract.CandidateReference{CandidateUserID: new(candidateID(1))})
	if diff := cmp.Diff([]contract.MarketResult{{Result: contract.Result{Status: contract.ResultNotFound}}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func noOwners(context.Context, []string) (func(string) bool, error) {
	return func(string) bool { return false }, nil
}

// A person who is pre-excluded while all memberships are invisible is so in each of them, also in
// one that is added or submitted again at that moment.
func TestExclusionOfInvisibleMemberships(t *testing.T) {
	t.Parallel()
	second := newCandidate("bob", "a")
	second.OwnerID = "mem_2"
	again := newCandidate("ada", "a")
	again.SubmittedAt = start.Add(30 * time.Second)
	for name, meanwhile := range map[string]func(d testStore){
		"nothing":               func(testStore) {},
		"another membership":    func(d testStore) { d.mustIngest(second, candidateID(2), start) },
		"an earlier submission": func(d testStore) { d.mustIngest(again, candidateID(3), start.Add(time.Second)) },
		"a command": func(d testStore) {
			_, err := d.SetFastTrack(ctx, d.mustMembership(candidateID(1)), true, network.Write{Now: start, ID: "other"})
			must(d.t, err)
		},
	} {
		for _, operation := range []string{"UpdateItem", "TransactWriteItems"} {
			t.Run(name+" before the "+operation, func(t *testing.T) {
				t.Parallel()
				d := newTestStore(t)
				d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
				excluded := start.Add(time.Minute)
				o := d.withHook(between(operation, func() { meanwhile(d) }))
				out, err := o.OffMarket(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, noOwners, network.Write{Now: excluded, ID: "off"})
				must(t, err)
				want := []contract.MarketResult{{Result: contract.Result{Status: contract.ResultPreExcluded}}}
				if diff := cmp.Diff(want, out); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				for _, id := range d.idsOf(emailReference("a")) {
					if m := d.mustMembership(id).Market; !m.ExcludedAt.Equal(excluded) {
						t.Errorf("%s is excluded since %v, want %v", id, m.ExcludedAt, excluded)
					}
				}
			})
		}
	}
}

// A submission that was sent after the exclusion, and ingested before the exclusion has reached its
// membership, stands.
func TestExclusionMeetsAFreshSubmission(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	excluded := start.Add(time.Minute)
	fresh := newCandidate("ada", "a")
	fresh.SubmittedAt = excluded.Add(time.Second)
	o := d.withHook(between("TransactWriteItems", func() { d.mustIngest(fresh, candidateID(2), fresh.SubmittedAt) }))
	_, err := o.OffMarket(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, noOwners, network.Write{Now: excluded, ID: "off"})
	must(t, err)
	if m := d.mustMembership(candidateID(1)).Market; m.Off() {
		t.Errorf("got %+v, want it on the market", m)
	}
}

// Persons with a common address are judged by their own submissions, in any order of arrival: the
// one who was submitted before the exclusion is excluded, the other one is not.
func TestExclusionOfASharedAddress(t *testing.T) {
	t.Parallel()
	excluded := start.Add(time.Minute)
	late := newCandidate("ada", "a")
	fresh := newCandidate("bob", "a")
	late.SubmittedAt = excluded
	fresh.SubmittedAt = excluded.Add(time.Millisecond)
	for name, order := range map[string][]network.Candidate{"in order": {late, fresh}, "the later one first": {fresh, late}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			d.offMarket(excluded, emailReference("a"))
			for _, c := range order {
				d.mustIngest(c, "cu_"+c.LinkedInURL[len(c.LinkedInURL)-3:], excluded.Add(time.Hour))
			}
			if ada, bob := d.mustMembership("cu_ada").Market, d.mustMembership("cu_bob").Market; !ada.Excluded() || bob.Off() {
				t.Errorf("got %+v and %+v, want the first excluded and the second on the market", ada, bob)
			}
			must(t, d.AddByRoleSubmission(ctx, newCandidate("cyd", "a"), "cu_cyd", network.Write{Now: excluded.Add(time.Hour), ID: "role"}))
			if m := d.mustMembership("cu_cyd").Market; m.Off() {
				t.Errorf("a role submission after the address was restored has the state %+v", m)
			}
		})
	}
}
