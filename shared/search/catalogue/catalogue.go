package catalogue

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Catalogue is one process's copy of the role catalogue. It is safe for use by
// several goroutines.
type Catalogue struct {
	roles     *role.Store
	snapshots *snapshot.Store

	mu   sync.Mutex
	head snapshot.Head
	base indexes
	view views
	// changed is what the views have over the base; segments counts how often they grew.
	changed  map[string][2]roleindex.Delta
	segments int
	// seen are the entries of the log that the view has, with the time they were found.
	seen map[string]time.Time
	// asked is when the log was last read; zero before anything was.
	asked time.Time
	// versions number the states of roles that were read.
	versions map[string]int64
}

// Name is the snapshot's, and begins the keys of its files.
const Name = "catalog"

// NewCatalogue opens an empty copy; the first Now fills it.
func NewCatalogue(roles *role.Store, snapshots *snapshot.Store) *Catalogue {
	return &Catalogue{roles: roles, snapshots: snapshots}
}

const (
	// stale is how old a copy may be that catches up by the log.
	stale = time.Hour
	// maxSegments bounds what is searched beside the base.
	maxSegments = 8
	// manyChanges are worth looking for a newer base.
	manyChanges = 2000
)

// State is the catalogue at a moment.
type State struct {
	// Recent are the roles that changed lately: an inconsistent read may miss that.
	Recent map[string]bool

	view views
}

// For is the catalogue as somebody sees it who is approved on these roles.
func (s State) For(ids []string) *roleindex.View {
	return s.view[ofAll].Showing(s.view[ofApproved], ids)
}

// Now is the catalogue with every change that was committed before the call. It
// costs one call, and one more for what changed since the one before.
func (c *Catalogue) Now(ctx context.Context, now time.Time) (State, error) {
	c.mu.Lock()
	fresh := !c.asked.IsZero() && now.Sub(c.asked) < stale && len(c.changed) < manyChanges
	from := c.asked
	c.mu.Unlock()
	if !fresh {
		return c.load(ctx, now)
	}
	changes, err := c.snapshots.Since(ctx, from)
	if err != nil {
		return State{}, err
	}
	c.mu.Lock()
	if !c.announced(changes) {
		defer c.mu.Unlock()
		return c.apply(ctx, changes, now)
	}
	c.mu.Unlock()
	return c.load(ctx, now)
}

// announced tells whether there is a base that has more than the log tells.
func (c *Catalogue) announced(changes []snapshot.Change) bool {
	return slices.ContainsFunc(changes, func(change snapshot.Change) bool {
		_, known := c.seen[change.Key]
		return change.ID == "" && !known
	})
}

// load begins anew from the published base.
func (c *Catalogue) load(ctx context.Context, now time.Time) (State, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	head, err := c.snapshots.Head(ctx)
	if err != nil {
		return State{}, err
	}
	from := time.Time{}
	if head.Generation > 0 {
		from = time.UnixMilli(head.Until)
	}
	if c.base[ofAll] == nil || head != c.head {
		if err := c.open(ctx, head); err != nil {
			return State{}, err
		}
	} else if now.Sub(c.asked) < stale {
		from = c.asked // nothing newer is published
	}
	changes, err := c.snapshots.Since(ctx, from)
	if err != nil {
		return State{}, err
	}
	return c.apply(ctx, changes, now)
}

func (c *Catalogue) open(ctx context.Context, head snapshot.Head) error {
	file, err := c.snapshots.Base(ctx, head)
	if err != nil {
		return err
	}
	if file == nil {
		file = Docs{}.Build()
	}
	base, err := open(file)
	if err == nil {
		c.adopt(head, base)
	}
	return err
}

// adopt begins a generation.
func (c *Catalogue) adopt(head snapshot.Head, base indexes) {
	c.head, c.base, c.view = head, base, base.views()
	c.changed, c.segments, c.seen, c.versions = map[string][2]roleindex.Delta{}, 0, map[string]time.Time{}, map[string]int64{}
}

// apply reads what changed, as it is now, and merges it in.
func (c *Catalogue) apply(ctx context.Context, changes []snapshot.Change, now time.Time) (State, error) {
	var ids []string
	s := State{Recent: map[string]bool{}}
	for _, change := range changes {
		if change.ID == "" {
			continue
		}
		s.Recent[change.ID] = true
		if _, known := c.seen[change.Key]; !known {
			ids = append(ids, change.ID)
		}
	}
	slices.Sort(ids)
	if err := c.read(ctx, slices.Compact(ids)); err != nil {
		return s, err
	}
	// What another call found meanwhile is not asked for twice; an older call keeps the younger one's time.
	for _, change := range changes {
		c.seen[change.Key] = now
	}
	maps.DeleteFunc(c.seen, func(_ string, at time.Time) bool { return now.Sub(at) > 2*snapshot.Overlap+stale })
	if now.After(c.asked) {
		c.asked = now
	}
	s.view = c.view
	return s, nil
}

// read takes up the present state of roles.
func (c *Catalogue) read(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	is := make(map[string][2]roleindex.Delta, len(ids))
	for _, id := range ids {
		gone := roleindex.Delta{Doc: roleindex.Doc{ID: id, Version: c.next(id)}, Deleted: true}
		is[id] = [2]roleindex.Delta{gone, gone}
	}
	err := c.each(ctx, ids, func(some map[string]role.Raw) {
		for id, raw := range some {
			d, both := docs(raw, is[id][ofAll].Doc.Version), is[id]
			both[ofAll] = roleindex.Delta{Doc: d.Shared[0]}
			if len(d.Approved) > 0 {
				both[ofApproved] = roleindex.Delta{Doc: d.Approved[0]}
			}
			is[id] = both
		}
	})
	if err != nil {
		return err
	}
	maps.Copy(c.changed, is)
	if c.segments++; c.segments > maxSegments {
		c.view, c.segments = c.base.views(), 1
		ids = slices.Collect(maps.Keys(c.changed))
	}
	for n := range c.view {
		deltas := make([]roleindex.Delta, len(ids))
		for i, id := range ids {
			deltas[i] = c.changed[id][n]
		}
		c.view[n] = c.view[n].Overlay(deltas)
	}
	return nil
}

// Roles are read in parts, some of them side by side.
const (
	part  = 500
	parts = 8
)

// each reads roles consistently, with their prose, and gives them part by part, one part
// at a time.
func (c *Catalogue) each(ctx context.Context, ids []string, give func(map[string]role.Raw)) error {
	var mu sync.Mutex
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(parts)
	for some := range slices.Chunk(ids, part) {
		g.Go(func() error {
			raws, err := c.roles.Raws(gctx, some, role.Reading{Consistent: true, Prose: true})
			mu.Lock()
			defer mu.Unlock()
			give(raws)
			return err
		})
	}
	return g.Wait()
}

// next numbers the state of a role that is read now. Reads are consistent and one
// after the other, so the last one is the newest, whatever the writers' clocks say.
func (c *Catalogue) next(id string) int64 {
	if _, known := c.versions[id]; !known {
		row, _ := c.view[ofAll].Get(id)
		c.versions[id] = row.Version
	}
	c.versions[id]++
	return c.versions[id]
}
