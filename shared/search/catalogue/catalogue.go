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

	mu      sync.Mutex
	head    snapshot.Head
	indexes indexPair
	views   viewPair
	// changed is what the views have over the base; segments counts how often they grew.
	changed  map[string][2]roleindex.Delta
	segments int
	// seen are the entries of the log that the view has, with the time they were found.
	seen map[string]time.Time
	// lastRead is when the log was last read; zero before anything was.
	lastRead time.Time
	// versions number the states of roles that were read.
	versions map[string]int64
}

// SnapshotName is the snapshot's, and begins the keys of its files.
const SnapshotName = "catalog"

// New opens an empty copy; the first Now fills it.
func New(roles *role.Store, snapshots *snapshot.Store) *Catalogue {
	return &Catalogue{roles: roles, snapshots: snapshots}
}

const (
	// maxStale is how old a copy may be that catches up by the log.
	maxStale = time.Hour
	// maxSegments bounds what is searched beside the base.
	maxSegments = 8
	// manyChanges are worth looking for a newer base.
	manyChanges = 2000
)

// State is the catalogue at a moment.
type State struct {
	// Recent are the roles that changed lately: an inconsistent read may miss that.
	Recent map[string]bool

	views viewPair
}

// ViewFor is the catalogue as somebody sees it who is approved on these roles.
func (s State) ViewFor(ids []string) *roleindex.View {
	return s.views[sharedIndex].WithRolesFrom(s.views[approvedIndex], ids)
}

// Current is the catalogue with every change that was committed before the call. It
// costs one call, and one more for what changed since the one before.
func (c *Catalogue) Current(ctx context.Context, now time.Time) (State, error) {
	c.mu.Lock()
	fresh := !c.lastRead.IsZero() && now.Sub(c.lastRead) < maxStale && len(c.changed) < manyChanges
	from := c.lastRead
	c.mu.Unlock()
	if !fresh {
		return c.loadBase(ctx, now)
	}
	changes, err := c.snapshots.ChangesSince(ctx, from)
	if err != nil {
		return State{}, err
	}
	c.mu.Lock()
	if !c.hasUnseenBase(changes) {
		defer c.mu.Unlock()
		return c.applyChanges(ctx, changes, now)
	}
	c.mu.Unlock()
	return c.loadBase(ctx, now)
}

// hasUnseenBase tells whether there is a base that has more than the log tells.
func (c *Catalogue) hasUnseenBase(changes []snapshot.Change) bool {
	return slices.ContainsFunc(changes, func(change snapshot.Change) bool {
		_, known := c.seen[change.Key]
		return change.ID == "" && !known
	})
}

// loadBase begins anew from the published base.
func (c *Catalogue) loadBase(ctx context.Context, now time.Time) (State, error) {
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
	if c.indexes[sharedIndex] == nil || head != c.head {
		if err := c.openBase(ctx, head); err != nil {
			return State{}, err
		}
	} else if now.Sub(c.lastRead) < maxStale {
		from = c.lastRead // nothing newer is published
	}
	changes, err := c.snapshots.ChangesSince(ctx, from)
	if err != nil {
		return State{}, err
	}
	return c.applyChanges(ctx, changes, now)
}

func (c *Catalogue) openBase(ctx context.Context, head snapshot.Head) error {
	file, err := c.snapshots.Base(ctx, head)
	if err != nil {
		return err
	}
	if file == nil {
		file = Docs{}.Build()
	}
	base, err := openIndexes(file)
	if err == nil {
		c.adoptBase(head, base)
	}
	return err
}

// adoptBase begins a generation.
func (c *Catalogue) adoptBase(head snapshot.Head, base indexPair) {
	c.head, c.indexes, c.views = head, base, base.newViews()
	c.changed, c.segments, c.seen, c.versions = map[string][2]roleindex.Delta{}, 0, map[string]time.Time{}, map[string]int64{}
}

// applyChanges reads what changed, as it is now, and merges it in.
func (c *Catalogue) applyChanges(ctx context.Context, changes []snapshot.Change, now time.Time) (State, error) {
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
	if err := c.readRoles(ctx, slices.Compact(ids)); err != nil {
		return s, err
	}
	// What another call found meanwhile is not asked for twice; an older call keeps the younger one's time.
	for _, change := range changes {
		c.seen[change.Key] = now
	}
	maps.DeleteFunc(c.seen, func(_ string, at time.Time) bool { return now.Sub(at) > 2*snapshot.Overlap+maxStale })
	if now.After(c.lastRead) {
		c.lastRead = now
	}
	s.views = c.views
	return s, nil
}

// readRoles takes up the present state of roles.
func (c *Catalogue) readRoles(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	is := make(map[string][2]roleindex.Delta, len(ids))
	for _, id := range ids {
		gone := roleindex.Delta{Doc: roleindex.Doc{ID: id, Version: c.nextVersion(id)}, Deleted: true}
		is[id] = [2]roleindex.Delta{gone, gone}
	}
	err := c.readInParts(ctx, ids, func(some map[string]role.Raw) {
		for id, raw := range some {
			d, both := newDocs(raw, is[id][sharedIndex].Doc.Version), is[id]
			both[sharedIndex] = roleindex.Delta{Doc: d.Shared[0]}
			if len(d.Approved) > 0 {
				both[approvedIndex] = roleindex.Delta{Doc: d.Approved[0]}
			}
			is[id] = both
		}
	})
	if err != nil {
		return err
	}
	maps.Copy(c.changed, is)
	if c.segments++; c.segments > maxSegments {
		c.views, c.segments = c.indexes.newViews(), 1
		ids = slices.Collect(maps.Keys(c.changed))
	}
	for n := range c.views {
		deltas := make([]roleindex.Delta, len(ids))
		for i, id := range ids {
			deltas[i] = c.changed[id][n]
		}
		c.views[n] = c.views[n].Overlay(deltas)
	}
	return nil
}

// Roles are read in parts, some of them side by side.
const (
	rolesPerRead  = 500
	parallelReads = 8
)

// readInParts reads roles consistently, with their prose, and gives them part by part, one part
// at a time.
func (c *Catalogue) readInParts(ctx context.Context, ids []string, give func(map[string]role.Raw)) error {
	var mu sync.Mutex
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(parallelReads)
	for some := range slices.Chunk(ids, rolesPerRead) {
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

// nextVersion numbers the state of a role that is read now. Reads are consistent and one
// after the other, so the last one is the newest, whatever the writers' clocks say.
func (c *Catalogue) nextVersion(id string) int64 {
	if _, known := c.versions[id]; !known {
		row, _ := c.views[sharedIndex].Get(id)
		c.versions[id] = row.Version
	}
	c.versions[id]++
	return c.versions[id]
}
