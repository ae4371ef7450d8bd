package system_test

import (
	"log/slog"
	"testing"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// plain is the system's host without its hooks, for looks at what is stored.
func (b *bed) plain() cloud.Host {
	return cloud.NewHost(b.Host.Getenv, b.now, slog.New(slog.DiscardHandler))
}

func (b *bed) table(t topology.Table) dynamo.Table {
	b.t.Helper()
	table, err := b.plain().Table(t)
	must(b.t, err)
	return table
}

// accounts is where a test changes agencies and their members.
func (b *bed) accounts() *account.Store {
	b.t.Helper()
	return account.NewStore(b.table(topology.Accounts), dynamo.New(b.plain().AWS).WriteTx)
}

// read reads a batch from the table, past the API.
func (b *bed) read(agencyID, batchID string) contract.Batch {
	b.t.Helper()
	store := submission.NewStore(b.table(topology.Submissions), dynamo.New(b.plain().AWS).WriteTx, submission.Settings{})
	batch, err := store.Read(b.t.Context(), agencyID, uuid.MustParse(batchID), b.now())
	must(b.t, err)
	return batch
}

// stored are the items whose partition key begins with prefix.
func (b *bed) stored(t topology.Table, prefix string) (items []map[string]any) {
	b.t.Helper()
	must(b.t, b.table(t).Scan().Consistent(true).Filter("begins_with($, ?)", topology.PK, prefix).All(b.t.Context(), &items))
	return items
}

// batches are the ids of all batches there are.
func (b *bed) batches() (ids []string) {
	b.t.Helper()
	for _, item := range b.stored(topology.Submissions, "B#") {
		if item[topology.SK] == "H" {
			ids = append(ids, item[topology.PK].(string)[len("B#"):])
		}
	}
	return ids
}

// memberships are the ids of those that carry an e-mail address.
func (b *bed) memberships(email string) (ids []string) {
	b.t.Helper()
	for _, m := range b.stored(topology.Network, "M#") {
		if m["email"] == email {
			ids = append(ids, m[topology.PK].(string)[len("M#"):])
		}
	}
	return ids
}

// settledForGood fails unless nothing is on its way: no live item, and no row
// that is stored as queued or processing.
func (b *bed) settledForGood() {
	b.t.Helper()
	if items := b.stored(topology.Submissions, "L#"); len(items) > 0 {
		b.t.Errorf("%d live items are left: %v", len(items), items)
	}
	for _, item := range b.stored(topology.Submissions, "B#") {
		if status, isRow := item["status"].(string); isRow && !contract.ItemStatus(status).Terminal() {
			b.t.Errorf("row %v of %v is %s for good", item[topology.SK], item[topology.PK], status)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
