package account_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func TestCreatedKeyIsStoredAndListed(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	in := newRequest(agencyKeys)
	in.Name = "  Nightly import "
	in.ExpiresAt = new(start.Add(time.Hour))
	want := account.Key{
		Record: apikey.Record{Caller: apikey.Caller{
			KeyID: in.ID, KeyName: "Nightly import", Type: contract.AgencyKey, Principal: "agency-1",
			Creator: "owner", PrimaryOwner: "owner",
			Scopes:      []contract.Scope{contract.IdentityRead, contract.TalentNetworkRead},
			Environment: "live", Last4: "abcd", CreatedAt: cloud.ToMillis(start), ExpiresAt: cloud.ToMillis(start.Add(time.Hour)),
		}},
		CreatedBy: newMembers()[0],
	}
	want.PK, want.SK = apikey.RecordKey(in.Hash)
	if diff := cmp.Diff(want, s.mustCreate(t, in)); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]account.Key{want}, s.mustList(t, agencyKeys)); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Record, s.keyRecord(t, in.Hash)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

// A key belongs to the agency. It outlives the member who created it, and is then listed
// without a creator.
func TestAKeyOutlivesItsCreator(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	creator := account.Member{ID: "second", Name: "Sam Second", Email: "sam@example.com", Owner: true, Approved: true}
	apply := func(version int64, m *account.Member) {
		if err := s.ApplyMember(t.Context(), agencyKeys.ID, creator.ID, version, m); err != nil {
			t.Fatal(err)
		}
	}
	apply(1, &creator)
	in := newRequest(agencyKeys)
	in.Actor = creator.ID
	want := s.mustCreate(t, in)
	renamed := creator
	renamed.Name = "Samantha Second"
	for version, now := range []*account.Member{&creator, &renamed, nil} {
		apply(int64(version+2), now)
		want.CreatedBy = optional.Value(now)
		if diff := cmp.Diff([]account.Key{want}, s.mustList(t, agencyKeys)); diff != "" {
			t.Errorf("listed (-want +got):\n%s", diff)
		}
	}
	if record := s.keyRecord(t, in.Hash); record.Disabled || record.RevokedAt != 0 || record.Creator != creator.ID {
		t.Errorf("got %+v; want a key that works, with its creator's id", record)
	}
}

func TestScopesThatAKeyGets(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	without := newAgency()
	without.ID = "agency-2"
	without.TalentNetworkAccess = false
	s.applyAgency(t, 1, without)
	owner := newMembers()[0]
	if err := s.ApplyMember(t.Context(), without.ID, owner.ID, 1, &owner); err != nil {
		t.Fatal(err)
	}
	plain := account.Principal{Type: contract.AgencyKey, ID: "agency-2"}
	type scopes = []contract.Scope
	for _, tt := range []struct {
		principal account.Principal
		asked     scopes
		want      scopes // none: refused
	}{
		{agencyKeys, scopes{"identity:read"}, scopes{"identity:read", "talent_network:read"}},
		{agencyKeys, scopes{"agency_roles:read", "talent_network:write", "agency_roles:read"}, scopes{"talent_network:read", "talent_network:write", "agency_roles:read"}},
		{agencyKeys, nil, nil},
		{agencyKeys, scopes{"roles:read"}, nil},
		{agencyKeys, scopes{"identity:read", "everything"}, nil},
		{plain, scopes{"identity:read"}, scopes{"identity:read", "talent_network:read"}},
		{plain, scopes{"talent_network:read"}, nil},
		{plain, scopes{"identity:read", "talent_network:write"}, nil},
		{personalKeys, scopes{"submissions:read", "identity:read"}, scopes{"identity:read", "submissions:read"}},
		{personalKeys, scopes{"talent_network:read"}, nil},
		{personalKeys, scopes{"agency_roles:read"}, nil},
		{personalKeys, scopes{}, nil},
	} {
		in := newRequest(tt.principal)
		in.Scopes = tt.asked
		got, err := s.CreateKey(t.Context(), in)
		if tt.want == nil {
			wantFault(t, err, fault.Invalid, "scopes")
			continue
		}
		if diff := cmp.Diff(tt.want, got.Scopes); err != nil || diff != "" {
			t.Errorf("%s, asked %v: error %v (-want +got):\n%s", tt.principal.ID, tt.asked, err, diff)
		}
	}
}

func TestWrongRequestNamesEveryField(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	for name, tt := range map[string]struct {
		change func(*newKey)
		fields []string
	}{
		"no name":          {func(in *newKey) { in.Name = " \t" }, []string{"name"}},
		"long name":        {func(in *newKey) { in.Name = strings.Repeat("é", 101) }, []string{"name"}},
		"control in name":  {func(in *newKey) { in.Name = "a\nb" }, []string{"name"}},
		"override in name": {func(in *newKey) { in.Name = "a\u202eb" }, []string{"name"}},
		"broken name":      {func(in *newKey) { in.Name = "a\xff" }, []string{"name"}},
		"expired":          {func(in *newKey) { in.ExpiresAt = new(start) }, []string{"expiresAt"}},
		"all": {func(in *newKey) {
			in.Name = ""
			in.Scopes = []contract.Scope{"roles:read"}
			in.ExpiresAt = new(start.Add(-time.Hour))
		}, []string{"name", "scopes", "expiresAt"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := newRequest(agencyKeys)
			tt.change(&in)
			_, err := s.CreateKey(t.Context(), in)
			wantFault(t, err, fault.Invalid, tt.fields...)
		})
	}
	in := newRequest(agencyKeys)
	in.Name = strings.Repeat("é", 100)
	s.mustCreate(t, in)
	if got := s.mustList(t, agencyKeys); len(got) != 1 {
		t.Errorf("%d keys are stored, want the one that was right", len(got))
	}
}

func TestWhoAdministersKeys(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	other := account.Principal{Type: contract.AgencyKey, ID: "agency-2"}
	nobody := account.Principal{Type: contract.PersonalKey, ID: "nobody"}
	for _, tt := range []struct {
		principal account.Principal
		actor     string
		want      *fault.Kind
	}{
		{agencyKeys, "member", fault.Forbidden}, {agencyKeys, "pending", fault.Forbidden}, {agencyKeys, "departed", fault.Forbidden},
		{agencyKeys, "stranger", fault.NotFound}, {agencyKeys, "", fault.NotFound}, {other, "owner", fault.NotFound},
		{personalKeys, "owner", fault.NotFound}, {personalKeys, "", fault.NotFound}, {nobody, "nobody", fault.NotFound},
	} {
		in := newRequest(tt.principal)
		in.Actor = tt.actor
		existing := s.mustCreate(t, newRequest(agencyKeys)).KeyID
		if tt.principal == personalKeys {
			existing = s.mustCreate(t, newRequest(personalKeys)).KeyID
		}
		_, createErr := s.CreateKey(t.Context(), in)
		_, _, listErr := s.ListKeys(t.Context(), tt.principal, tt.actor, "")
		_, revokeErr := s.RevokeKey(t.Context(), tt.principal, tt.actor, existing, start)
		_, renameErr := s.RenameKey(t.Context(), tt.principal, tt.actor, existing, "Mine")
		for _, err := range []error{createErr, listErr, revokeErr, renameErr} {
			wantFault(t, err, tt.want)
		}
	}
	for _, key := range append(s.mustList(t, agencyKeys), s.mustList(t, personalKeys)...) {
		if !key.Active(start) || key.KeyName != "Nightly import" {
			t.Errorf("another account's administrator changed %+v", key)
		}
	}
	_, err := s.CreateKey(t.Context(), newRequest(account.Principal{Type: "robot", ID: "agency-1"}))
	wantFault(t, err, fault.Invalid, "type")
}

func TestWhenNoKeyCanBeCreated(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	off := newAgency()
	off.APIAccess = false
	s.applyAgency(t, 2, off)
	_, err := s.CreateKey(t.Context(), newRequest(agencyKeys))
	wantFault(t, err, fault.Forbidden)
	for n, change := range []func(*account.Recruiter){
		func(r *account.Recruiter) { r.CanRecruit = false },
		func(r *account.Recruiter) { r.PersonalKeys = false },
	} {
		r := newRecruiter()
		change(&r)
		s.applyRecruiter(t, int64(n+2), r)
		_, err := s.CreateKey(t.Context(), newRequest(personalKeys))
		wantFault(t, err, fault.Forbidden)
	}
}

func TestKeyOfAnotherPrincipalIsMissing(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	personal := s.mustCreate(t, newRequest(personalKeys))
	for _, id := range []string{personal.KeyID, "key_unknown", "", "key_unknown#"} {
		_, err := s.RevokeKey(t.Context(), agencyKeys, "owner", id, start)
		wantFault(t, err, fault.NotFound)
		_, err = s.RenameKey(t.Context(), agencyKeys, "owner", id, "Mine")
		wantFault(t, err, fault.NotFound)
	}
	if got := s.mustList(t, personalKeys); len(got) != 1 || got[0].RevokedAt != 0 {
		t.Errorf("the recruiter's keys: %+v", got)
	}
}

func TestRevokeAndRename(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	in := newRequest(agencyKeys)
	s.mustCreate(t, in)
	renamed, err := s.RenameKey(t.Context(), agencyKeys, "owner", in.ID, " Backfill ")
	if err != nil || renamed.KeyName != "Backfill" {
		t.Fatalf("renamed to %q, error %v", renamed.KeyName, err)
	}
	_, err = s.RenameKey(t.Context(), agencyKeys, "owner", in.ID, "")
	wantFault(t, err, fault.Invalid, "name")
	first, err := s.RevokeKey(t.Context(), agencyKeys, "owner", in.ID, start.Add(time.Minute))
	if err != nil || first.RevokedAt != cloud.ToMillis(start.Add(time.Minute)) || first.Active(start) {
		t.Fatalf("revoked %+v, error %v", first, err)
	}
	again, err := s.RevokeKey(t.Context(), agencyKeys, "owner", in.ID, start.Add(time.Hour))
	if diff := cmp.Diff(first, again); err != nil || diff != "" {
		t.Errorf("revoked again: error %v (-first +again):\n%s", err, diff)
	}
	if diff := cmp.Diff([]account.Key{first}, s.mustList(t, agencyKeys)); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
}

func TestListIsPagedNewestFirst(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	var want []string
	for range 205 {
		in := newRequest(agencyKeys)
		s.mustCreate(t, in)
		want = append(want, in.ID)
		if _, err := s.RevokeKey(t.Context(), agencyKeys, "owner", in.ID, start); err != nil {
			t.Fatal(err)
		}
	}
	slices.Reverse(want)
	var got []string
	for _, key := range s.mustList(t, agencyKeys) {
		got = append(got, key.KeyID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if keys, next, err := s.ListKeys(t.Context(), personalKeys, personalKeys.ID, ""); len(keys) != 0 || keys == nil || next != "" || err != nil {
		t.Errorf("of nothing: %v, %q, %v", keys, next, err)
	}
}
