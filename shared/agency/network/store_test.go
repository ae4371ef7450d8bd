package network_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

var (
	ctx   = context.Background()
	start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
)

// testStore is a store on a table of its own.
type testStore struct {
	*network.Store
	t     testing.TB
	db    *dynamo.DB
	table dynamo.Table
	calls *cloudtest.Calls
}

func newTestStore(t testing.TB, hooks ...cloud.Hook) testStore {
	t.Helper()
	calls := &cloudtest.Calls{}
	db, table := cloudtest.Database(t, topology.Network, append([]cloud.Hook{calls.Hook}, hooks...)...)
	return testStore{network.NewStore(table, db.WriteTx, network.DefaultEligibility), t, db, table, calls}
}

// newCandidate makes a candidate with the LinkedIn slug and the mailbox given.
func newCandidate(slug, mail string) network.Candidate {
	return network.Candidate{
		Tenant: "agy_1", OwnerID: "mem_1",
		Person:    network.Person{Name: "Ada Example", Email: mail + "@example.com", LinkedInURL: "https://www.linkedin.com/in/" + slug},
		ResumeKey: "resumes/" + slug + "/" + mail, SubmittedAt: start,
		Preferences: contract.WorkPreferences{
			Locations: []contract.Location{"texas", "boston"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: 100_000,
			IdealFundingRounds: []contract.FundingRound{"SEED"}, VisaAuthorization: "HAS_VISA_AUTHORIZATION",
		},
	}
}

// mustIngest places and writes a candidate; newID names it when it is new.
func (d testStore) mustIngest(c network.Candidate, newID string, at time.Time) network.Place {
	d.t.Helper()
	p := d.mustPlace(c, newID)
	must(d.t, d.ingestAt(c, p, at))
	return p
}

func (d testStore) mustPlace(c network.Candidate, newID string) network.Place {
	d.t.Helper()
	p, err := d.FindPlace(ctx, c, newID)
	must(d.t, err)
	return p
}

func (d testStore) ingestAt(c network.Candidate, p network.Place, at time.Time) error {
	d.t.Helper()
	return d.Ingest(d.db.WriteTx(), c, p, network.Write{Now: at, ID: "ingest"}).Run(ctx)
}

func (d testStore) mustMembership(id string) network.Membership {
	d.t.Helper()
	m, found, err := d.Membership(ctx, id)
	must(d.t, err)
	if !found {
		d.t.Fatalf("there is no membership %s", id)
	}
	return m
}

// row is a list row as it is stored.
type row struct {
	Position string `dynamo:"sk"`
	Name     string `dynamo:"n"`
	Email    string `dynamo:"e"`
	Expires  int64  `dynamo:"x"`
}

// ID is the membership's id, which ends the position.
func (r row) ID() string {
	_, id, _ := strings.Cut(r.Position, "#")
	return id
}

// listRows reads an agency's list rows in order, newest first.
func (d testStore) listRows(agency string) (rows []row) {
	d.t.Helper()
	must(d.t, d.table.Get(topology.PK, "A#"+agency).Consistent(true).All(ctx, &rows))
	return rows
}

// placeAndIngest places and writes until it succeeds, as a worker does, and answers the
// membership's id. Whenever it fails, another writer has succeeded: it may do so as often as
// all the others of a test have turns.
func (d testStore) placeAndIngest(c network.Candidate, newID string, at time.Time) (string, error) {
	for range 100 {
		p, err := d.FindPlace(ctx, c, newID)
		if err != nil {
			return "", err
		}
		err = d.ingestAt(c, p, at)
		if !dynamo.IsCondCheckFailed(err) {
			return p.ID, err
		}
	}
	return "", errors.New("the place kept changing")
}

func candidateID(n int) string { return fmt.Sprintf("cu_%026d", n) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
