package feed_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// networkStore is the talent network of a testFeed, for writes that do not go through the worker.
type networkStore struct {
	*network.Store
	write func() *dynamo.WriteTx
}

func (b testFeed) networkStore(t *testing.T) networkStore {
	t.Helper()
	table := b.host.Opener().Table(topology.Network)
	write := dynamo.New(b.host.AWS).WriteTx
	return networkStore{network.NewStore(table, write, network.DefaultEligibility), write}
}

// ingestSubmission stores a submission of person n as an ingest worker does.
func (s networkStore) ingestSubmission(t *testing.T, n int, at time.Time, salary int64) error {
	c := network.Candidate{
		Tenant: "agy1", OwnerID: "rec1",
		Person:    network.Person{Email: fmt.Sprintf("person-%d@example.com", n), LinkedInURL: fmt.Sprintf("https://www.linkedin.com/in/person-%d", n)},
		ResumeKey: fmt.Sprint("resume ", salary), SubmittedAt: at, Preferences: contract.WorkPreferences{SalaryMin: salary},
	}
	for {
		p, err := s.FindPlace(t.Context(), c, "none")
		if err != nil {
			return err
		}
		err = s.Ingest(s.write(), c, p, network.Write{Now: now, ID: fmt.Sprint("submission ", n, salary)}).Run(t.Context())
		if !dynamo.IsCondCheckFailed(err) {
			return err
		}
	}
}

// memberState is the state according to the newest statement of each kind.
type memberState struct {
	Salary      int64
	Off, Locked bool
	Resume      string
	LastSource  contract.CandidateSource
}

// Commands of the app and submissions arrive late on memberships: twice, shuffled and concurrently,
// after older and newer calls of the API. The newest statement of each kind is stored.
func TestTheNewestStatementWins(t *testing.T) {
	t.Parallel()
	members := cloudtest.Draws(60)
	b := newTestFeed(t, loseCalls(11))
	store := b.networkStore(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	group, _ := errgroup.WithContext(t.Context())
	group.SetLimit(6)
	for n := range members {
		group.Go(func() error {
			h := memberHistory{T: t, Rand: rand.New(rand.NewPCG(seed, uint64(n))), testFeed: b, store: store, n: n, id: fmt.Sprint("cu_", n)}
			return h.replay()
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

// memberHistory is the history of one membership: a statement at each of ten times.
type memberHistory struct {
	*testing.T
	*rand.Rand
	testFeed
	store networkStore
	n     int
	id    string
	want  memberState
}

func (h *memberHistory) timeOf(tick int) time.Time {
	return now.Add(time.Duration(tick-20) * time.Second)
}

func (h *memberHistory) replay() error {
	if _, err := h.Apply(h.Context(), h.newAddedEvent(0)); err != nil {
		return err
	}
	h.want.LastSource = contract.CandidateSourceRoleSubmission
	var deliveries []func() error
	for tick := 1; tick <= 10; tick++ {
		deliver, err := h.makeStatement(tick)
		if err != nil {
			return err
		}
		if deliver != nil {
			deliveries = append(deliveries, deliver, deliver)
		}
	}
	h.Shuffle(len(deliveries), func(i, j int) { deliveries[i], deliveries[j] = deliveries[j], deliveries[i] })
	for some := range slices.Chunk(deliveries, 4) {
		var together errgroup.Group
		for _, deliver := range some {
			together.Go(deliver)
		}
		if err := together.Wait(); err != nil {
			return err
		}
	}
	m, _, err := h.store.Membership(h.Context(), h.id)
	if err != nil {
		return err
	}
	got := memberState{Off: m.Market.Off(), Locked: m.Market.Locked, Resume: m.ResumeKey, LastSource: m.Row().LastSubmissionSource}
	if m.Preferences != nil {
		got.Salary = *m.Preferences.SalaryMin
	}
	h.want.Off = h.want.Off || h.want.Locked
	if diff := cmp.Diff(h.want, got); diff != "" {
		h.Errorf("membership %d (-stated last +stored):\n%s", h.n, diff)
	}
	return nil
}

// makeStatement makes one random statement, at the time of a tick, and records its content in want
// as the newest. It makes a call of the API at once; for a command or a submission it returns the
// function that delivers it.
func (h *memberHistory) makeStatement(tick int) (deliver func() error, err error) {
	at := h.timeOf(tick)
	version := int64(tick)
	salary := int64(1000 + tick)
	command := func(kind string, data any) func() error {
		body := eventAt(kind, h.id, version, at, data)
		return func() error { _, err := h.Apply(h.Context(), body); return err }
	}
	w := network.Write{Now: at, ID: fmt.Sprint("call ", h.n, tick)}
	m, _, err := h.store.Membership(h.Context(), h.id)
	if err != nil {
		return nil, err
	}
	switch kind := h.IntN(9); kind {
	case 0:
		h.want.Salary = salary
		return command("membership.preferencesSet", preferences(salary)), nil
	case 1, 2:
		h.want.Off = kind == 1
		return command("membership.offMarketSet", object{"offMarket": kind == 1}), nil
	case 3:
		h.want.Locked = h.IntN(2) == 0
		return command("membership.locked", object{"locked": h.want.Locked}), nil
	case 4:
		h.want.LastSource = contract.CandidateSourceRoleSubmission
		body := h.newAddedEvent(tick)
		return func() error { _, err := h.Apply(h.Context(), body); return err }, nil
	case 5:
		h.want.Salary = salary
		h.want.Off = false
		h.want.Resume = fmt.Sprint("resume ", salary)
		h.want.LastSource = contract.CandidateSourceExternalAPI
		return func() error { return h.store.ingestSubmission(h.T, h.n, at, salary) }, nil
	case 6:
		h.want.Salary = salary
		_, err = h.store.SetPreferences(h.Context(), m, contract.WorkPreferences{SalaryMin: salary}, w)
	default: // the calls come before any lock is delivered, so none is refused
		h.want.Off = kind == 7
		change := h.store.ReEnable
		if kind == 7 {
			change = h.store.OffMarket
		}
		_, err = change(h.Context(), "agy1", []contract.CandidateReference{{CandidateUserID: &h.id}}, func(context.Context, []string) (func(string) bool, error) {
			return func(string) bool { return true }, nil
		}, w)
	}
	return nil, err
}

// newAddedEvent returns the event of a submission to a role.
func (h *memberHistory) newAddedEvent(tick int) string {
	return eventAt("membership.addedByRoleSubmission", h.id, int64(tick+1), h.timeOf(tick), object{
		"agencyId": "agy1", "recruiterId": "rec1", "name": "Ada Example", "email": fmt.Sprintf("person-%d@example.com", h.n),
		"linkedinUrl": fmt.Sprintf("https://www.linkedin.com/in/person-%d", h.n),
	})
}
