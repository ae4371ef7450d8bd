package role

import (
	"context"
	"slices"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Bulk is the store for loading many roles, most of them new: it notes no changes,
// expects that a role is not stored yet, and writes what it knows of the company
// into the role's own item. Settle must be called before the load is said to be done.
func (s *Store) Bulk() *Store {
	return &Store{entities: s.entities, texts: s.texts, companies: &companies{byID: map[string]companyState{}}}
}

// companies are those that were read or written since Settle was last called.
type companies struct {
	mu   sync.Mutex
	byID map[string]companyState
}

// companyState is one at a version; facts are nil where there are none.
type companyState struct {
	version int64
	facts   *CompanyFacts
}

// rememberWritten remembers a company that the load has written, unless a newer state of
// it is known. The load copies it to all of its roles afterwards.
func (c *companies) rememberWritten(id string, stored entity.State) error {
	if c == nil {
		return nil
	}
	return c.remember(id, stored, true)
}

// rememberRead remembers a company that was read, unless a state of it is known: a newer
// one is another writer's, and FinishBulk copies it to the roles that have the known one.
func (c *companies) rememberRead(id string, stored entity.State) error {
	return c.remember(id, stored, false)
}

func (c *companies) remember(id string, stored entity.State, replace bool) error {
	facts, err := factsOf(stored)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if was, known := c.byID[id]; !known || replace && stored.Version > was.version {
		c.byID[id] = companyState{stored.Version, facts}
	}
	return nil
}

func (c *companies) lookUp(id string) (is companyState, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	is, known = c.byID[id]
	return is, known
}

// readCompany is what is known of one, which is read where nothing is.
func (s *Store) readCompany(ctx context.Context, id string) (companyState, error) {
	if is, known := s.companies.lookUp(id); known {
		return is, nil
	}
	stored, err := s.entities.Get(ctx, companyKey(id))
	if err == nil {
		err = s.companies.rememberRead(id, stored)
	}
	is, _ := s.companies.lookUp(id)
	return is, err
}

// putNew is Put in a bulk load: one write for a role that is new.
func (s *Store) putNew(ctx context.Context, id string, at entity.Stamp, r Role) error {
	is, err := s.readCompany(ctx, r.CompanyID)
	if err != nil {
		return err
	}
	fresh := false
	change := entity.Change{Key: roleKey(id), Stamp: at, ExpectNew: true}
	change.Next = func(old entity.State) (entity.NewState, error) {
		fresh = old.Version == 0
		next := entity.NewState{Body: r.Listing, Rows: r.newRows(id)}
		if is.facts != nil {
			next.FirstParts = []entity.Part{{Name: factsPart(r.CompanyID), Version: is.version, Body: is.facts}}
		}
		return next, nil
	}
	applied, err := s.entities.Apply(ctx, change)
	if err != nil {
		return err
	}
	// A company that this load changed concurrently did not find the role in its list yet.
	if now, _ := s.companies.lookUp(r.CompanyID); applied && fresh && now.version == is.version {
		return nil
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
	known := s.companies.byID
	var keys []entity.Key
	for id := range known {
		keys = append(keys, companyKey(id))
	}
	for some := range slices.Chunk(keys, 100) {
		items, err := s.entities.Items(ctx, some, true)
		if err != nil {
			return err
		}
		for _, item := range items {
			stored, err := item.State("")
			if err != nil {
				return err
			}
			values, _ := itemkey.Company.Parse(item.PK, item.SK)
			id := values[0]
			if stored.Version == known[id].version {
				continue
			}
			if err := s.copyFactsToRoles(ctx, id, stored); err != nil {
				return err
			}
		}
	}
	s.companies.byID = map[string]companyState{}
	return nil
}
