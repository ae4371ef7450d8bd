package feed_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func agencyData(access bool) object {
	return object{"name": "Example Search", "apiAccess": access, "talentNetworkAccess": true, "talentNetworkManagement": true, "primaryOwner": "rec1", "hidesPayment": true}
}

func (b testFeed) accounts(t *testing.T) *account.Store {
	t.Helper()
	table := b.host.Opener().Table(topology.Accounts)
	return account.NewStore(table, dynamo.New(b.host.AWS).WriteTx)
}

// TestAccounts brings members before their agency, and takes both away.
func TestAccounts(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	store := b.accounts(t)
	member := object{"name": "Olga Owner", "email": "Olga@Example.com", "owner": true, "approved": true}
	b.apply(t, event("member.upserted", "agy1/rec1", 1, member))
	if _, err := store.Agency(t.Context(), "agy1"); err == nil {
		t.Error("an agency is there that was never sent")
	}
	b.apply(t, event("agency.upserted", "agy1", 4, agencyData(true)), event("member.upserted", "agy1/rec2", 1, member))
	b.apply(t, event("member.deleted", "agy1/rec2", 3, nil))
	b.apply(t, event("member.upserted", "agy1/rec2", 2, member), event("agency.upserted", "agy1", 3, agencyData(false)))
	got, err := store.Agency(t.Context(), "agy1")
	want := account.Agency{
		ID: "agy1", Name: "Example Search", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, HidesPayment: true, PrimaryOwner: "rec1",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	members, err := store.Members(t.Context(), "agy1", []string{"rec1", "rec2"})
	olga := account.Member{ID: "rec1", Name: "Olga Owner", Email: "olga@example.com", Owner: true, Approved: true}
	if members.ByID("rec1") != olga || members.ByID("rec2") != (account.Member{}) || err != nil {
		t.Errorf("got the members %+v, %v", members, err)
	}
	b.apply(t, event("agency.deleted", "agy1", 5, nil))
	if _, err := store.Agency(t.Context(), "agy1"); err == nil {
		t.Error("a deleted agency is there")
	}
}

// TestSwitchingOffStopsKeys switches an agency and a recruiter off and on through
// the feed. Their keys follow in the very transaction that stores it: it is the
// only write of each event.
func TestSwitchingOffStopsKeys(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	b := newTestFeed(t, calls.Hook)
	recruiter := func(can bool) object {
		return object{"name": "Rita Recruiter", "email": "rita@example.com", "canRecruit": can, "personalKeys": true}
	}
	b.apply(t, event("agency.upserted", "agy1", 1, agencyData(true)), event("recruiter.upserted", "rec1", 1, recruiter(true)),
		event("member.upserted", "agy1/rec1", 1, object{"name": "Rita Recruiter", "email": "rita@example.com", "owner": true, "approved": true}))
	keys := map[string]account.Principal{
		"hash-agency": {Type: contract.AgencyKey, ID: "agy1"}, "hash-personal": {Type: contract.PersonalKey, ID: "rec1"},
	}
	for hash, p := range keys {
		if _, err := b.accounts(t).CreateKey(t.Context(), apikey.Caller{
			Type: p.Type, Principal: p.ID, Creator: "rec1", KeyName: "Nightly import", Scopes: []contract.Scope{contract.IdentityRead},
			KeyID: "key_" + hash, Environment: "live", Last4: "abcd", CreatedAt: now.UnixMilli(),
		}, hash); err != nil {
			t.Fatal(err)
		}
	}
	for i, on := range []bool{false, true, false} {
		version := int64(2 + i)
		for _, e := range []string{event("agency.upserted", "agy1", version, agencyData(on)), event("recruiter.upserted", "rec1", version, recruiter(on))} {
			calls.Reset()
			b.apply(t, e)
			writes := slices.DeleteFunc(calls.Reset(), func(c string) bool { return c == "DynamoDB.GetItem" })
			if diff := cmp.Diff([]string{"DynamoDB.TransactWriteItems"}, writes); diff != "" {
				t.Errorf("writes (-want +got):\n%s", diff)
			}
		}
		for hash := range keys {
			if got := b.isKeyDisabled(t, hash); got == on {
				t.Errorf("version %d: %s is disabled: %v", version, hash, got)
			}
		}
	}
}

// isKeyDisabled reports whether the key with this hash is refused.
func (b testFeed) isKeyDisabled(t *testing.T, hash string) bool {
	t.Helper()
	table := b.host.Opener().Table(topology.Accounts)
	pk, sk := apikey.RecordKey(hash)
	var r apikey.Record
	if err := table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).Consistent(true).One(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	return r.Disabled
}
