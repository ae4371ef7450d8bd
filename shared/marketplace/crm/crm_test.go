package crm_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

var (
	ctx = context.Background()
	now = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// testStore is a store, and the rows of one recruiter's list.
type testStore struct {
	*crm.Store
	entities *entity.Store
	write    func() *dynamo.WriteTx
	clock    *cloudtest.Clock
}

func newTestStore(t testing.TB) testStore {
	t.Helper()
	db, table := cloudtest.Database(t, topology.Marketplace)
	return newTestStoreOn(db, table)
}

func newTestStoreOn(db *dynamo.DB, table dynamo.Table) testStore {
	entities := entity.NewStore(table, db.WriteTx)
	c := cloudtest.NewClock(now)
	return testStore{crm.NewStore(entities, c.Now), entities, db.WriteTx, c}
}

// newTestStoreWithBucket is open with the bucket of bases.
func newTestStoreWithBucket(t testing.TB, hooks ...cloud.Hook) (testStore, objectstore.Bucket) {
	t.Helper()
	h := cloudtest.System(t, nil, time.Now)
	for _, hook := range hooks {
		h.AWS = cloud.WithHook(h.AWS, hook)
	}
	table := h.Opener().Table(topology.Marketplace)
	bucket := objectstore.Open(h.Opener(), topology.MarketplaceBucket)
	return newTestStoreOn(dynamo.New(h.AWS), table), bucket
}

// loading returns the store of a bulk load.
func (b testStore) loading() *crm.Store {
	s := *b.Store
	s.Bulk = true
	return &s
}

func (b testStore) listedRows(t testing.TB) (all []crm.Row) {
	t.Helper()
	for found, err := range b.entities.Query(ctx, entity.Query{PK: "U#rec1", Prefix: "C#"}) {
		must(t, err)
		var row crm.Row
		must(t, found.Into(&row))
		all = append(all, row)
	}
	return all
}

func newStamp(version int64) entity.Stamp { return entity.Stamp{Version: version, At: now} }

func newAda(day int) *crm.Candidate {
	return &crm.Candidate{
		RecruiterID: "rec1", CandidateID: "cand1", Name: "Ada Sample", LinkedInURL: new("https://www.linkedin.com/in/ada-sample"),
		Location: new("London, UK"), OneLiner: new("Staff engineer who builds compilers and the teams around them"),
		CurrentRole: contract.Position{Company: new("Example Works"), Title: new("Staff Engineer")}, RelationshipStatus: "SOURCED",
		Tags: []string{"rust"}, AddedAt: contract.At(now.AddDate(0, 0, day)), Note: new(strings.Repeat("long ", 1000)),
		Experiences: []contract.CRMExperience{{Company: new("Example Works")}, {Company: new("Sample & Sons")}, {Company: new("Sample & Sons")}},
	}
}

// countApplications applies steps in one transaction.
func (b testStore) countApplications(t testing.TB, steps ...crm.ApplicationChange) {
	t.Helper()
	actions, err := b.ProgressActions(ctx, steps)
	must(t, err)
	tx := b.write()
	for _, act := range actions {
		act(tx)
	}
	must(t, tx.Run(ctx))
}

// TestRowIsThin keeps what a page is paid for small.
func TestRowIsThin(t *testing.T) {
	t.Parallel()
	b := newTestStore(t)
	must(t, b.Put(ctx, "rec1", "cand1", newStamp(1), newAda(0)))
	rows := b.listedRows(t)
	body, err := json.Marshal(rows[0])
	if must(t, err); len(rows) != 1 || len(body) > 350 || rows[0].Employers[0] != "Sample & Sons" || len(rows[0].Employers) != 1 {
		t.Errorf("%d bytes: %s", len(body), body)
	}
}

// TestFurthest follows the applications, which may come before the candidate, and
// moves with the row.
func TestFurthest(t *testing.T) {
	t.Parallel()
	b := newTestStore(t)
	step := func(status string, n int) crm.ApplicationChange {
		return crm.ApplicationChange{RecruiterID: "rec1", CandidateID: "cand1", Status: status, Delta: n}
	}
	furthest := func(want string) {
		t.Helper()
		if rows := b.listedRows(t); len(rows) != 1 || rows[0].Furthest != want {
			t.Errorf("rows %+v, want %q", rows, want)
		}
	}
	b.countApplications(t, step("IN_REVIEW", 1))
	b.countApplications(t, step("SUBMITTED", 1))
	must(t, b.Put(ctx, "rec1", "cand1", newStamp(1), newAda(0)))
	furthest("IN_REVIEW")
	b.countApplications(t, step("IN_REVIEW", -1), step("OFFER", 1))
	furthest("OFFER")
	must(t, b.Put(ctx, "rec1", "cand1", newStamp(2), newAda(5)))
	furthest("OFFER")
	b.countApplications(t, step("OFFER", -1))
	furthest("SUBMITTED")
	b.countApplications(t, step("SUBMITTED", -1))
	furthest("")

	hidden := newAda(5)
	hidden.Hidden = true
	must(t, b.Put(ctx, "rec1", "cand1", newStamp(3), hidden))
	b.countApplications(t, step("HIRED", 1), crm.ApplicationChange{RecruiterID: "rec1", CandidateID: "cand2", Status: "HIRED", Delta: 1})
	if rows := b.listedRows(t); len(rows) != 0 {
		t.Errorf("a hidden candidate is listed: %+v", rows)
	}
	must(t, b.Put(ctx, "rec1", "cand1", newStamp(4), newAda(5)))
	furthest("HIRED")
	must(t, b.Put(ctx, "rec1", "cand1", newStamp(5), nil))
	if rows := b.listedRows(t); len(rows) != 0 {
		t.Errorf("a deleted candidate is listed: %+v", rows)
	}
}

// A candidate who was found by an identity and has since become another person is not erased.
func TestErase(t *testing.T) {
	t.Parallel()
	b := newTestStore(t)
	must(t, b.Put(ctx, "rec1", "cand1", newStamp(1), newAda(0)))
	hash := identity.Hash("https://www.linkedin.com/in/ada-sample")
	if copies := b.copiesOf(t, hash); len(copies) != 1 || copies[0] != entity.KeyOf(itemkey.Candidate, "rec1", "cand1") {
		t.Fatalf("copies %v", copies)
	}
	other := newAda(0)
	other.LinkedInURL = new("https://www.linkedin.com/in/bea-sample")
	other.Email = new("ada@example.com")
	must(t, b.Put(ctx, "rec1", "cand1", newStamp(2), other))
	for _, step := range []struct {
		identity string
		erased   bool
	}{{"https://www.linkedin.com/in/ada-sample", false}, {"ada@example.com", true}, {"https://www.linkedin.com/in/bea-sample", false}} {
		hash := identity.Hash(step.identity)
		if erased, err := b.Erase(ctx, "rec1", "cand1", hash, newStamp(2).At); err != nil || erased != step.erased {
			t.Errorf("%s: erased %v, %v", step.identity, erased, err)
		}
		if left := b.copiesOf(t, hash); len(left) != 0 {
			t.Errorf("%s: copies %v", step.identity, left)
		}
	}
	if rows := b.listedRows(t); len(rows) != 0 {
		t.Errorf("rows %+v", rows)
	}
}

// copiesOf returns the entities of the person with a hash.
func (b testStore) copiesOf(t *testing.T, hash string) (keys []entity.Key) {
	t.Helper()
	for k, err := range b.entities.Copies(ctx, hash) {
		must(t, err)
		keys = append(keys, k)
	}
	return keys
}

// A candidate that was submitted counts as reached, even if it was rejected or withdrawn later.
func TestReached(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status, current, furthest, want string
	}{
		{"SUBMITTED", "", "", "SUBMITTED"}, {"IN_REVIEW", "Submitted", "Submitted", "IN_REVIEW"}, {"INTERVIEWING", "First round", "First round", "INTERVIEWING"},
		{"REJECTED", "", "", "SUBMITTED"}, {"WITHDRAWN", "", "Final round", "INTERVIEWING"}, {"REJECTED", "Mid round", "", "INTERVIEWING"},
		{"REJECTED", "", "Offer", "OFFER"}, {"WITHDRAWN", "", "Hired", "HIRED"}, {"HIRED", "Submitted", "", "HIRED"},
	} {
		var stages []*string
		for _, s := range []string{tt.current, tt.furthest} {
			if s == "" {
				stages = append(stages, nil)
			} else {
				stages = append(stages, &s)
			}
		}
		if got := crm.ReachedStatus(tt.status, stages...); got != tt.want {
			t.Errorf("%s at %q, furthest %q: got %q; want %q", tt.status, tt.current, tt.furthest, got, tt.want)
		}
	}
}
