package network

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Store keeps the talent network in the network table.
type Store struct {
	table       dynamo.Table
	eligibility time.Duration
}

// NewStore works on the network table. eligibility is how long an ingestion
// keeps a membership on the market.
func NewStore(table dynamo.Table, eligibility time.Duration) *Store {
	return &Store{table, eligibility}
}

// Place finds where a candidate goes: the membership with the same owner and
// LinkedIn identity, else the one with the same owner and e-mail, else a new
// one named newID. It reads consistently: two waves, at most three items.
func (s *Store) Place(ctx context.Context, c Candidate, newID string) (Place, error) {
	id, err := s.known(ctx, c)
	if err != nil || id == "" {
		return Place{ID: newID, unknown: true}, err
	}
	var found membership
	err = s.table.Get(topology.PK, membershipKey(id)).Range(topology.SK, dynamo.Equal, membershipKind).
		Consistent(true).One(ctx, &found)
	if errors.Is(err, dynamo.ErrNotFound) {
		return Place{ID: id}, nil
	}
	return Place{ID: id, standing: &found}, err
}

// Place is where a candidate goes: a membership that stands or a new one.
type Place struct {
	// ID is the candidateUserId.
	ID string
	// unknown: neither identity led anywhere.
	unknown  bool
	standing *membership
}

// ReplacedResume is the key of the file that the new one takes the place of; ""
// when there was none.
func (p Place) ReplacedResume() string {
	if p.standing == nil {
		return ""
	}
	return p.standing.ResumeKey
}

// known answers the membership that the candidate's identities lead to, or "".
func (s *Store) known(ctx context.Context, c Candidate) (string, error) {
	var found []dynamo.Item
	err := s.table.Batch(topology.PK, topology.SK).Get(
		dynamo.Keys{linkedInKey(c.AgencyID, c.LinkedInURL), identityKind},
		dynamo.Keys{emailKey(c.AgencyID, c.Email), identityKind},
	).Consistent(true).All(ctx, &found)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return "", err
	}
	byLinkedIn, byEmail := "", ""
	for _, item := range found {
		var key struct {
			ID string `dynamo:"pk"`
		}
		if err := dynamo.UnmarshalItem(item, &key); err != nil {
			return "", err
		}
		ids, err := owned(item, c.OwnerID)
		if err != nil {
			return "", err
		}
		if len(ids) == 0 {
			continue
		}
		if key.ID == linkedInKey(c.AgencyID, c.LinkedInURL) {
			byLinkedIn = ids[0]
		} else {
			byEmail = slices.Min(ids)
		}
	}
	if byLinkedIn != "" {
		return byLinkedIn, nil
	}
	return byEmail, nil
}

// owned reads what an identity item leads to for one owner.
func owned(item dynamo.Item, ownerID string) ([]string, error) {
	value, ok := item[ownerAttribute(ownerID)]
	if !ok {
		return nil, nil
	}
	var ids []string
	err := dynamo.Unmarshal(value, &ids)
	return ids, err
}

// Ingest adds to a transaction what makes the candidate a member at its place:
// the membership with its preferences, its list row and its identities. The
// transaction fails on a condition when the place was taken or changed meanwhile;
// then look for the place again.
func (s *Store) Ingest(tx *dynamo.WriteTx, c Candidate, p Place, now time.Time) (*dynamo.WriteTx, error) {
	preferences, err := json.Marshal(saved(c.Preferences))
	if err != nil {
		return nil, err
	}
	item := membership{
		ID: membershipKey(p.ID), Kind: membershipKind, Agency: c.AgencyID, Owner: c.OwnerID,
		Name: c.Name, Email: c.Email, LinkedInURL: c.LinkedInURL, Source: FromExternalAPI,
		Preferences: preferences, ScreeningCallLink: c.ScreeningCallLink, ResumeKey: c.ResumeKey,
		Added: now.UnixMilli(), Updated: now.UnixMilli(), MarketExpires: now.Add(s.eligibility).UnixMilli(), Version: 1,
	}
	put := s.table.Put(item).If("attribute_not_exists(pk)")
	if p.standing != nil {
		item.Added, item.Source, item.Version = p.standing.Added, p.standing.Source, p.standing.Version+1
		put = s.table.Put(item).If("version = ?", p.standing.Version)
	}
	owner := ownerAttribute(c.OwnerID)
	byLinkedIn := s.link(linkedInKey(c.AgencyID, c.LinkedInURL), c.OwnerID, p.ID).
		If("attribute_not_exists($) OR contains($, ?)", owner, owner, p.ID)
	byEmail := s.link(emailKey(c.AgencyID, c.Email), c.OwnerID, p.ID)
	if p.unknown { // who takes the address meanwhile is there already
		byEmail.If("attribute_not_exists($)", owner)
	}
	return tx.Put(put).Put(s.table.Put(item.listRow(c))).Update(byLinkedIn).Update(byEmail), nil
}

// link makes an identity lead to a membership.
func (s *Store) link(key, ownerID, id string) *dynamo.Update {
	return s.table.Update(topology.PK, key).Range(topology.SK, identityKind).
		AddStringsToSet("'"+ownerAttribute(ownerID)+"'", id)
}

func (m membership) listRow(c Candidate) listRow {
	return listRow{
		Agency: listKey(m.Agency), Position: position(m.Added, m.ID[len("M#"):]), Owner: m.Owner,
		Name: m.Name, Email: m.Email, LinkedInURL: m.LinkedInURL,
		Title: c.Title, Company: c.Company, Location: c.Location,
		Source: m.Source, Updated: m.Updated, MarketExpires: m.MarketExpires,
	}
}

// Membership reads one membership consistently; found is false when there is none.
func (s *Store) Membership(ctx context.Context, id string) (m Membership, found bool, err error) {
	var item membership
	err = s.table.Get(topology.PK, membershipKey(id)).Range(topology.SK, dynamo.Equal, membershipKind).
		Consistent(true).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) {
		return Membership{}, false, nil
	}
	if err != nil {
		return Membership{}, false, err
	}
	m, err = item.domain()
	return m, err == nil, err
}
