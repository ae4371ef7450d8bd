package network

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// Found is what one reference leads to.
type Found struct {
	// Memberships are those that exist, by eligibility expiry, latest first,
	// those without expiry last.
	Memberships []Membership
	// identity is nil unless it is an identity reference. invisible are the memberships that
	// it leads to and that have inactive owners.
	identity  *identityRecord
	invisible []Membership
}

// search has what was read for some references of one tenant, each distinct one once.
type search struct {
	store      *Store
	tenant     tenant.ID
	identities map[string]identityRecord
	members    map[string]Membership
}

// readKeys sorts what it reads into identities and members.
func (q search) readKeys(ctx context.Context, keys map[dynamo.Keyed]bool) error {
	items, err := cloud.GetItems[dynamo.Item](ctx, q.store.table, slices.Collect(maps.Keys(keys)), true)
	for _, item := range items {
		if sk, ok := item[topology.SK].(*types.AttributeValueMemberS); ok && sk.Value == identityKind {
			var k identityRecord
			err = errors.Join(err, k.UnmarshalDynamoItem(item))
			q.identities[k.Key] = k
			continue
		}
		var m Membership
		err = errors.Join(err, m.UnmarshalDynamoItem(item))
		q.members[m.ID] = m
	}
	return err
}

// OwnerCheck reads which of some owners are active members of their agency now: only
// their memberships exist.
type OwnerCheck func(ctx context.Context, ownerIDs []string) (active func(ownerID string) bool, err error)

// Resolve returns what each reference leads to now, aligned with the references:
// memberships of this tenant with an active owner. It reads identities, and memberships that are named by id, with one
// call for 100 references and one more for each e-mail address that many share. After that it reads memberships that
// only identities lead to, 100 a call, while it checks the owners.
func (s *Store) Resolve(ctx context.Context, t tenant.ID, sent []contract.CandidateReference, check OwnerCheck) (_ []Found, err error) {
	defer fault.Wrap(&err, "network.Resolve(tenant, references)")

	q := search{s, t, map[string]identityRecord{}, map[string]Membership{}}
	refs := make([]reference, len(sent))
	named := map[dynamo.Keyed]bool{}
	for i := range sent {
		r := newReference(t, sent[i])
		refs[i] = r
		if r.identityKey != "" {
			q.identities[r.identityKey] = identityRecord{Key: r.identityKey}
			named[dynamo.Keys{r.identityKey, identityKind}] = true
		} else if r.id != "" {
			named[dynamo.Keys{membershipKey(r.id), membershipKind}] = true
		}
	}
	if err := q.readKeys(ctx, named); err != nil {
		return nil, err
	}
	if err := s.readSharedLinks(ctx, slices.Collect(maps.Values(q.identities))); err != nil {
		return nil, err
	}
	var owners []string // of all that was found of the tenant
	for _, m := range q.members {
		if m.Tenant == t {
			owners = append(owners, m.OwnerID)
		}
	}
	keys := map[dynamo.Keyed]bool{}
	for _, k := range q.identities {
		owners = slices.AppendSeq(owners, maps.Keys(k.byOwner))
		for _, id := range k.allMemberships() {
			if _, read := q.members[id]; !read {
				keys[dynamo.Keys{membershipKey(id), membershipKind}] = true
			}
		}
	}
	var active func(string) bool
	err = cloud.InParallel(ctx,
		func(ctx context.Context) error { return q.readKeys(ctx, keys) },
		func(ctx context.Context) (err error) { active, err = check(ctx, owners); return err },
	)
	if err != nil {
		return nil, err
	}
	found := make([]Found, len(refs))
	for i, r := range refs {
		found[i] = q.foundFor(r, active)
	}
	return found, nil
}

func (q search) foundFor(r reference, active func(string) bool) (f Found) {
	ids := []string{r.id}
	if k, ok := q.identities[r.identityKey]; ok {
		f.identity = &k
		ids = k.allMemberships()
	}
	for _, id := range ids {
		switch m, ok := q.members[id]; {
		case !ok || m.Tenant != q.tenant:
		case active(m.OwnerID):
			f.Memberships = append(f.Memberships, m)
		default:
			f.invisible = append(f.invisible, m)
		}
	}
	slices.SortFunc(f.Memberships, func(a, b Membership) int { // the latest expiry first; none is the zero time, and comes last
		return cmp.Or(b.Market.ExpiresAt.Compare(a.Market.ExpiresAt), cmp.Compare(a.ID, b.ID))
	})
	return f
}

// reference is what a [contract.CandidateReference] names: all memberships that an identity leads
// to, by the identity's key, or one membership, by its id; or nothing.
type reference struct{ identityKey, id string }

// maxIDBytes is the length of the longest possible key.
const maxIDBytes = 1024

// newReference returns what a reference names in a tenant: of its three fields, the first that is
// not nil decides alone, and what cannot be parsed names nothing.
func newReference(t tenant.ID, sent contract.CandidateReference) (r reference) {
	switch {
	case sent.CandidateUserID != nil:
		if len(*sent.CandidateUserID) <= maxIDBytes {
			r.id = *sent.CandidateUserID
		}
	case sent.LinkedInURL != nil:
		if url, ok := identity.LinkedIn(*sent.LinkedInURL); ok {
			r.identityKey = linkedInKey(t, url)
		}
	case sent.Email != nil:
		if email, ok := identity.Email(*sent.Email); ok {
			r.identityKey = emailKey(t, email)
		}
	}
	return r
}
