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

// read reads identities, and memberships that are named by id: one call for 100
// references, and one more for each e-mail address that many share.
func (q search) read(ctx context.Context, refs []Reference) error {
	keys := map[dynamo.Keyed]bool{}
	for _, r := range refs {
		if key := r.identityKey(q.tenant); key != "" {
			q.identities[key] = identityRecord{Key: key}
			keys[dynamo.Keys{key, identityKind}] = true
		} else if r.ID != "" {
			keys[dynamo.Keys{membershipKey(r.ID), membershipKind}] = true
		}
	}
	if err := q.readKeys(ctx, keys); err != nil {
		return err
	}
	return q.store.readSharedLinks(ctx, slices.Collect(maps.Values(q.identities)))
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
// memberships of this tenant with an active owner. After the references it reads memberships that
// only identities lead to, 100 a call, while it checks the owners.
func (s *Store) Resolve(ctx context.Context, t tenant.ID, refs []Reference, check OwnerCheck) (_ []Found, err error) {
	defer fault.Wrap(&err, "network.Resolve")

	q := search{s, t, map[string]identityRecord{}, map[string]Membership{}}
	if err := q.read(ctx, refs); err != nil {
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

func (q search) foundFor(r Reference, active func(string) bool) (f Found) {
	ids := []string{r.ID}
	if k, ok := q.identities[r.identityKey(q.tenant)]; ok {
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
	slices.SortFunc(f.Memberships, byExpiry)
	return f
}

// allMemberships returns the memberships of all owners that the identity leads to.
func (k identityRecord) allMemberships() (ids []string) {
	for _, led := range k.byOwner {
		ids = append(ids, led...)
	}
	return ids
}

// byExpiry orders by eligibility expiry, latest first. Without expiry the time is zero,
// the earliest, and comes last.
func byExpiry(a, b Membership) int {
	return cmp.Or(b.Market.ExpiresAt.Compare(a.Market.ExpiresAt), cmp.Compare(a.ID, b.ID))
}

// Reference names candidates of an agency: one membership by its id, or, as an
// identity reference, all that an identity leads to. The zero value names none.
type Reference struct {
	// ID is a candidateUserId. LinkedInURL and Email are canonical. At most one
	// of the three is set.
	ID, LinkedInURL, Email string
}

// maxIDBytes is the length of the longest possible key.
const maxIDBytes = 1024

// NewReferences returns references as they were sent: of each, the first of the three that is
// not nil decides alone, and what cannot be parsed names none.
func NewReferences(sent []contract.CandidateReference) []Reference {
	refs := make([]Reference, len(sent))
	for i, r := range sent {
		switch {
		case r.CandidateUserID != nil:
			if len(*r.CandidateUserID) <= maxIDBytes {
				refs[i].ID = *r.CandidateUserID
			}
		case r.LinkedInURL != nil:
			refs[i].LinkedInURL, _ = identity.LinkedIn(*r.LinkedInURL)
		case r.Email != nil:
			refs[i].Email, _ = identity.Email(*r.Email)
		}
	}
	return refs
}

// identityKey returns where the identity is stored; "" for any other reference.
func (r Reference) identityKey(t tenant.ID) string {
	switch {
	case r.LinkedInURL != "":
		return linkedInKey(t, r.LinkedInURL)
	case r.Email != "":
		return emailKey(t, r.Email)
	}
	return ""
}
