package system_test

import (
	"log/slog"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// hostWithoutHooks returns the system's host without its hooks, for reading what is stored. It shares the
// connections of the system's host.
func (sys *testSystem) hostWithoutHooks() cloud.Host {
	h := cloud.NewHost(sys.Host.Getenv, sys.now, slog.New(slog.DiscardHandler))
	h.AWS.HTTPClient = sys.Host.AWS.HTTPClient
	return h
}

func (sys *testSystem) openTable(t topology.Table) dynamo.Table {
	sys.t.Helper()
	return sys.hostWithoutHooks().Opener().Table(t)
}

// openAccounts opens the store in which a test changes agencies and their members.
func (sys *testSystem) openAccounts() *account.Store {
	sys.t.Helper()
	return account.NewStore(sys.openTable(topology.Accounts), dynamo.New(sys.hostWithoutHooks().AWS).WriteTx)
}

// readBatch reads a batch of an agency's test keys from the table, not through the API.
func (sys *testSystem) readBatch(agencyID, batchID string) contract.Batch {
	sys.t.Helper()
	store := submission.NewStore(sys.openTable(topology.Submissions), dynamo.New(sys.hostWithoutHooks().AWS).WriteTx, submission.Settings{})
	batch, _, err := store.ReadBatch(sys.t.Context(), tenant.Of(agencyID, "test"), uuid.MustParse(batchID), sys.now())
	must(sys.t, err)
	return batch
}

// storedItems returns the items whose partition key begins with prefix.
func (sys *testSystem) storedItems(t topology.Table, prefix string) (items []map[string]any) {
	sys.t.Helper()
	scan := sys.openTable(t).Scan().Consistent(true)
	if prefix != "" {
		scan = scan.Filter("begins_with($, ?)", topology.PK, prefix)
	}
	must(sys.t, scan.All(sys.t.Context(), &items))
	return items
}

// hasDueItems reports whether the sweeper has work. All of it is in the due indexes of the tables.
func (sys *testSystem) hasDueItems() bool {
	sys.t.Helper()
	due := topology.DueIndex
	for _, t := range topology.Tables {
		if !slices.ContainsFunc(t.Indexes, func(i topology.Index) bool { return i.Name == due.Name }) {
			continue
		}
		entries := sys.openTable(t).Scan().Index(due.Name)
		n, err := entries.Filter("$ <= ?", due.Range, sys.now().UnixMilli()).Count(sys.t.Context())
		must(sys.t, err)
		if n > 0 {
			return true
		}
	}
	return false
}

// checkItemKinds fails unless every item of every table is of exactly one kind.
func (sys *testSystem) checkItemKinds() {
	sys.t.Helper()
	for _, t := range topology.Tables {
		for _, item := range sys.storedItems(t, "") {
			pk := item[topology.PK].(string)
			sk := item[topology.SK].(string)
			kinds := slices.DeleteFunc(slices.Clone(itemkey.Tables[t.Name]), func(k itemkey.Kind) bool { return !k.Has(pk, sk) })
			if len(kinds) != 1 {
				sys.t.Errorf("%s: the item %q, %q is of the kinds %v", t.Name, pk, sk, kinds)
			}
		}
	}
}

// storedBatchIDs are the ids of all batches there are.
func (sys *testSystem) storedBatchIDs() (ids []string) {
	sys.t.Helper()
	for _, item := range sys.storedItems(topology.Submissions, "B#") {
		if item[topology.SK] == "H" {
			ids = append(ids, item[topology.PK].(string)[len("B#"):])
		}
	}
	return ids
}

// membershipIDs are the ids of those that carry an e-mail address.
func (sys *testSystem) membershipIDs(email string) (ids []string) {
	sys.t.Helper()
	for _, m := range sys.storedItems(topology.Network, "M#") {
		if m["e"] == email {
			ids = append(ids, m[topology.PK].(string)[len("M#"):])
		}
	}
	return ids
}

// checkNothingPending fails if anything is pending: an in-flight item, or a row that is stored as
// queued or processing.
func (sys *testSystem) checkNothingPending() {
	sys.t.Helper()
	if items := sys.storedItems(topology.Submissions, "L#"); len(items) > 0 {
		sys.t.Errorf("%d in-flight items are left: %v", len(items), items)
	}
	for _, item := range sys.storedItems(topology.Submissions, "B#") {
		if status, isRow := item["status"].(string); isRow && !contract.ItemStatus(status).Terminal() {
			sys.t.Errorf("row %v of %v is %s for good", item[topology.SK], item[topology.PK], status)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
