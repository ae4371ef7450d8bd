package account_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var (
	agencyKeys   = account.Principal{Type: contract.AgencyKey, ID: "agency-1"}
	personalKeys = account.Principal{Type: contract.PersonalKey, ID: "recruiter-1"}
)

// testStore is a store with one agency and one recruiter in it.
type testStore struct {
	*account.Store
	db    *dynamo.DB
	table dynamo.Table
}

func newTestStore(t testing.TB, hooks ...cloud.Hook) testStore {
	t.Helper()
	db, table := cloudtest.Database(t, topology.Accounts, hooks...)
	s := testStore{account.NewStore(table, db.WriteTx), db, table}
	s.applyAgency(t, 1, newAgency())
	for _, m := range newMembers() {
		s.applyMember(t, m.ID, 1, &m)
	}
	s.applyRecruiter(t, 1, newRecruiter())
	return s
}

func newAgency() account.Agency {
	return account.Agency{
		ID: "agency-1", Name: "Example Search", APIAccess: true, TalentNetworkAccess: true, PrimaryOwner: "owner",
	}
}

func newMembers() []account.Member {
	return []account.Member{
		{ID: "owner", Name: "Olga Owner", Email: "olga@example.com", Owner: true, Approved: true},
		{ID: "member", Name: "Max Member", Email: "max@example.com", Approved: true, FastTrack: true},
		{ID: "pending", Name: "Petra Pending", Email: "petra@example.com", Owner: true},
		{ID: "departed", Name: "Dan Departed", Email: "dan@example.com", Owner: true, Approved: true, Deactivated: true},
	}
}

func newRecruiter() account.Recruiter {
	return account.Recruiter{ID: "recruiter-1", Name: "Rita Recruiter", Email: "rita@example.com", CanRecruit: true, PersonalKeys: true}
}

func (s testStore) applyAgency(t testing.TB, version int64, a account.Agency) {
	t.Helper()
	if err := s.ApplyAgency(t.Context(), a.ID, version, &a); err != nil {
		t.Fatal(err)
	}
}

func (s testStore) applyMember(t testing.TB, id string, version int64, m *account.Member) {
	t.Helper()
	if err := s.ApplyMember(t.Context(), "agency-1", id, version, m); err != nil {
		t.Fatal(err)
	}
}

func (s testStore) applyRecruiter(t testing.TB, version int64, r account.Recruiter) {
	t.Helper()
	if err := s.ApplyRecruiter(t.Context(), r.ID, version, &r); err != nil {
		t.Fatal(err)
	}
}

var serial atomic.Int64

// newKey is what a key is created from.
type newKey struct {
	Principal   account.Principal
	Actor, Name string
	Scopes      []contract.Scope
	// ExpiresAt is nil for a key without expiry.
	ExpiresAt                    *time.Time
	ID, Environment, Hash, Last4 string
	Now                          time.Time
}

// CreateKey creates a key from in.
func (s testStore) CreateKey(ctx context.Context, in newKey) (account.Key, error) {
	return s.Store.CreateKey(ctx, apikey.Caller{
		KeyID: in.ID, KeyName: in.Name, Last4: in.Last4, Environment: in.Environment, Type: in.Principal.Type, Principal: in.Principal.ID,
		Creator: in.Actor, Scopes: in.Scopes, CreatedAt: in.Now.UnixMilli(), ExpiresAt: cloud.ToMillis(optional.Value(in.ExpiresAt)),
	}, in.Hash)
}

// newRequest asks for one more key of the principal, by who may have one.
func newRequest(p account.Principal) newKey {
	n := serial.Add(1)
	sum := sha256.Sum256(fmt.Append(nil, n))
	in := newKey{
		Principal: p, Actor: "owner", Name: "Nightly import", Scopes: []contract.Scope{contract.IdentityRead},
		ID: fmt.Sprintf("key_%026d", n), Environment: "live", Hash: hex.EncodeToString(sum[:]), Last4: "abcd", Now: start,
	}
	if p.Type == contract.PersonalKey {
		in.Actor = p.ID
	}
	return in
}

// mustCreate makes a key that must be possible.
func (s testStore) mustCreate(t testing.TB, in newKey) account.Key {
	t.Helper()
	key, err := s.CreateKey(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// mustList reads all pages as the principal's administrator.
func (s testStore) mustList(t testing.TB, p account.Principal) []account.Key {
	t.Helper()
	var all []account.Key
	cursor := ""
	for {
		keys, next, err := s.ListKeys(t.Context(), p, newRequest(p).Actor, cursor)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, keys...)
		if next == "" {
			return all
		}
		cursor = next
	}
}

// keyRecord reads a key's item.
func (s testStore) keyRecord(t testing.TB, hash string) apikey.Record {
	t.Helper()
	pk, sk := apikey.RecordKey(hash)
	var r apikey.Record
	if err := s.table.Get("pk", pk).Range("sk", dynamo.Equal, sk).Consistent(true).One(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// wantFault checks an error's kind and, for Invalid, the fields it names.
func wantFault(t testing.TB, err error, kind *fault.Kind, fields ...string) {
	t.Helper()
	got := fault.As(err)
	if err == nil || got.Kind != kind {
		t.Fatalf("got error %v, want kind %+v", err, kind)
	}
	if len(fields) != len(got.Fields) {
		t.Fatalf("names %v, want %v", got.Fields, fields)
	}
	for _, f := range fields {
		if len(got.Fields[f]) == 0 {
			t.Fatalf("names %v, want %v", got.Fields, fields)
		}
	}
}
