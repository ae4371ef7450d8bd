package feed_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func (b testFeed) membership(t *testing.T, id string) (network.Membership, bool) {
	t.Helper()
	table := b.host.Opener().Table(topology.Network)
	m, found, err := network.NewStore(table, dynamo.New(b.host.AWS).WriteTx, network.DefaultEligibility).Membership(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return m, found
}

func added(at time.Time) string {
	return eventAt("membership.addedByRoleSubmission", "cu_1", 1, at, object{
		"agencyId": "agy1", "recruiterId": "rec1", "name": secretName, "email": "Wilhelmina@example.com",
		"linkedinUrl": "https://www.linkedin.com/in/wilhelmina-t", "currentTitle": "Engineer",
	})
}

func preferences(salary int64) object {
	return object{"preferences": object{
		"locations": []string{"uk"}, "workplaceTypes": []string{"REMOTE"}, "salaryMin": salary,
		"idealFundingRounds": []string{"SEED"}, "visaAuthorization": "HAS_VISA_AUTHORIZATION",
	}}
}

// TestCommands delivers commands of all types twice, shuffled and side by side:
// of each type the newest one stands.
func TestCommands(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t, loseCalls(7))
	b.apply(t, added(now.Add(-time.Hour)))
	if m, found := b.membership(t, "cu_1"); !found || m.Source != contract.CandidateSourceRoleSubmission || !m.Market.ExpiresAt.IsZero() || m.Preferences != nil {
		t.Fatalf("added %+v, %v", m, found)
	}
	var all []string
	for v := range int64(20) {
		at := now.Add(time.Duration(v) * time.Second)
		all = append(all,
			eventAt("membership.preferencesSet", "cu_1", v+1, at, preferences(100_000+v)),
			eventAt("membership.offMarketSet", "cu_1", v+1, at, object{"offMarket": v%3 == 0}),
			eventAt("membership.locked", "cu_1", v+1, at, object{"locked": v%2 == 0}),
			added(now.Add(-time.Hour)))
	}
	all = append(all, all...)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	b.apply(t, all...)
	m, _ := b.membership(t, "cu_1")
	if got := *m.Preferences.SalaryMin; got != 100_019 || m.Market.Locked || m.Market.Off() {
		t.Errorf("salary %d, market %+v", got, m.Market)
	}
}

// TestCommandWaitsForItsMembership brings a command back that comes too early.
func TestCommandWaitsForItsMembership(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	early := events.SQSEvent{Records: []events.SQSMessage{{MessageId: "a", Body: event("membership.locked", "cu_1", 1, object{"locked": true})}}}
	if r, err := b.Handle(t.Context(), early); err != nil || len(r.BatchItemFailures) != 1 {
		t.Errorf("%v, %v", r, err)
	}
	b.apply(t, added(now.Add(-time.Hour)))
	if r, err := b.Handle(t.Context(), early); err != nil || len(r.BatchItemFailures) != 0 {
		t.Errorf("%v, %v", r, err)
	}
	if m, _ := b.membership(t, "cu_1"); !m.Market.Locked {
		t.Errorf("market %+v", m.Market)
	}
}

// TestAddedWithTheIDOfAnotherPerson fails unless such an event is refused, from the same member and from another, and the
// membership stays as it is.
func TestAddedWithTheIDOfAnotherPerson(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	b.apply(t, added(now.Add(-time.Hour)))
	before, _ := b.membership(t, "cu_1")
	for _, recruiter := range []string{"rec1", "rec2"} {
		refused, err := b.Apply(t.Context(), eventAt("membership.addedByRoleSubmission", "cu_1", 2, now, object{
			"agencyId": "agy1", "recruiterId": recruiter, "name": "Noor Haddad", "email": "noor@example.com",
			"linkedinUrl": "https://www.linkedin.com/in/noor-h",
		}))
		if want := "entityId: names a membership of another person or recruiter."; refused != want || err != nil {
			t.Errorf("of %s: refused %q, %v, want %q", recruiter, refused, err, want)
		}
	}
	if after, _ := b.membership(t, "cu_1"); !reflect.DeepEqual(after, before) {
		t.Errorf("%+v became %+v", before, after)
	}
}

// TestErasureOfMemberships removes them and keeps late ones out.
func TestErasureOfMemberships(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	b.apply(t, added(now.Add(-time.Hour)))
	b.apply(t, erasure(now.Add(-time.Minute)))
	b.apply(t, added(now.Add(-time.Hour)))
	if m, found := b.membership(t, "cu_1"); found {
		t.Errorf("%+v is left", m)
	}
	table := b.host.Opener().Table(topology.Network)
	var left []map[string]any
	if err := table.Scan().All(t.Context(), &left); err != nil || len(left) != 0 {
		t.Errorf("%v are left, %v", fmt.Sprint(left), err)
	}
}
