package role

import (
	"context"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Bulk is the store for loading many roles, most of them new: it notes no changes,
// expects that a role is not stored yet, and writes what it knows of the company
// into the role's own item. FinishBulk must be called before the load is said to be done.
func (s *Store) Bulk() *Store {
	return &Store{entities: s.entities, texts: s.texts, companies: &sync.Map{}}
}

// knownFacts returns a company's facts as the load knows them: as they were first read, or last written.
// FinishBulk copies newer ones to the roles that have these.
func (s *Store) knownFacts(ctx context.Context, companyID string) (versionedFacts, error) {
	if known, ok := s.companies.Load(companyID); ok {
		return known.(versionedFacts), nil
	}
	read, err := s.readFacts(ctx, companyID)
	if err != nil {
		return versionedFacts{}, err
	}
	known, _ := s.companies.LoadOrStore(companyID, read)
	return known.(versionedFacts), nil
}

// putNew is Put in a bulk load: one write for a role that is new.
func (s *Store) putNew(ctx context.Context, id string, at entity.Stamp, r Role) error {
	company, err := s.knownFacts(ctx, r.CompanyID)
	if err != nil {
		return err
	}
	fresh := false
	change := entity.Change{Key: roleKey(id), Stamp: at, ExpectNew: true}
	change.Next = func(old entity.State) (entity.NewState, error) {
		fresh = old.Version == 0
		next := entity.NewState{Body: r.Listing, Rows: r.newRows(id)}
		if company.facts != nil {
			next.FirstParts = []entity.Part{{Name: factsPart(r.CompanyID), Version: company.version, Body: company.facts}}
		}
		return next, nil
	}
	applied, err := s.entities.Apply(ctx, change)
	if err != nil {
		return err
	}
	// A company that this load changed concurrently did not find the role in its list yet.
	now, err := s.knownFacts(ctx, r.CompanyID)
	if err != nil || applied && fresh && now.version == company.version {
		return err
	}
	return s.copyFacts(ctx, id, r.CompanyID)
}

// FinishBulk copies the facts of companies that others changed since the load
// knows them, and forgets them all. No Put may run beside it.
func (s *Store) FinishBulk(ctx context.Context) (err error) {
	defer fault.Wrap(&err, "role.FinishBulk")

	if s.companies == nil {
		return nil
	}
	var keys []entity.Key
	for id := range s.companies.Range {
		keys = append(keys, companyKey(id.(string)))
	}
	items, err := s.entities.Items(ctx, keys, true)
	if err != nil {
		return err
	}
	for _, item := range items {
		values, _ := itemkey.Company.Parse(item.PK, item.SK)
		known, err := s.knownFacts(ctx, values[0])
		if err != nil {
			return err
		}
		stored, err := item.State("")
		if err != nil {
			return err
		}
		if stored.Version == known.version {
			continue
		}
		facts, err := entity.Decode[*CompanyFacts](stored)
		if err != nil {
			return err
		}
		if err := s.copyFactsToRoles(ctx, values[0], versionedFacts{stored.Version, facts}); err != nil {
			return err
		}
	}
	s.companies.Clear()
	return nil
}
