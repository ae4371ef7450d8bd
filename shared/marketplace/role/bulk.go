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

// readCompany returns a company as the load knows it: as it was first read, or last written. FinishBulk
// copies a newer state to the roles that have this one.
func (s *Store) readCompany(ctx context.Context, id string) (entity.State, error) {
	known, ok := s.companies.Load(id)
	if !ok {
		stored, err := s.entities.Get(ctx, companyKey(id))
		if err != nil {
			return entity.State{}, err
		}
		known, _ = s.companies.LoadOrStore(id, stored)
	}
	return known.(entity.State), nil
}

// putNew is Put in a bulk load: one write for a role that is new.
func (s *Store) putNew(ctx context.Context, id string, at entity.Stamp, r Role) error {
	company, err := s.readCompany(ctx, r.CompanyID)
	if err != nil {
		return err
	}
	facts, err := factsOf(company)
	if err != nil {
		return err
	}
	fresh := false
	change := entity.Change{Key: roleKey(id), Stamp: at, ExpectNew: true}
	change.Next = func(old entity.State) (entity.NewState, error) {
		fresh = old.Version == 0
		next := entity.NewState{Body: r.Listing, Rows: r.newRows(id)}
		if facts != nil {
			next.FirstParts = []entity.Part{{Name: factsPart(r.CompanyID), Version: company.Version, Body: facts}}
		}
		return next, nil
	}
	applied, err := s.entities.Apply(ctx, change)
	if err != nil {
		return err
	}
	// A company that this load changed concurrently did not find the role in its list yet.
	now, err := s.readCompany(ctx, r.CompanyID)
	if err != nil || applied && fresh && now.Version == company.Version {
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
		stored, err := item.State("")
		if err != nil {
			return err
		}
		values, _ := itemkey.Company.Parse(item.PK, item.SK)
		known, err := s.readCompany(ctx, values[0])
		if err == nil && stored.Version != known.Version {
			err = s.copyFactsToRoles(ctx, values[0], stored)
		}
		if err != nil {
			return err
		}
	}
	s.companies.Clear()
	return nil
}
