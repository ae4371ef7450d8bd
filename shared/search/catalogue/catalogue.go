// Package catalogue is the role catalogue: the role index (package roleindex), its
// generations and the log of changes (package snapshot), and the roles themselves
// (package role), brought together. It belongs to no function: one publishes the
// catalogue and another serves it.
//
// There are two indexes. The shared one has every role as a stranger may see it. The
// other has the stealth roles as they are, and a caller is shown those that the
// caller is approved on ([Roles]): what is withheld from others can be neither
// found nor counted nor ordered by them, and costs no further read.
package catalogue

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Catalogue is one process's copy of the role catalogue. It is safe for use by
// several goroutines.
type Catalogue struct {
	// Progress, if not nil, is called during Rebuild with the number of roles that were read so far
	// and the number of all, one call at a time. It is set before.
	Progress func(read, roles int)

	roles     *role.Store
	snapshots *snapshot.Store
	// newestBase returns the head of the base to load.
	newestBase func(context.Context) (snapshot.Head, error)

	log *slog.Logger
	// formats is the variable of its name, except in tests.
	formats []int
	// These are the constants of their names, except in tests.
	rolesPerShard int
	maxChanges    int
	patience      time.Duration
	// maxAge is the time after a read of the log during which it is not read again.
	maxAge time.Duration
	// newID returns the ids of digests; nil if the copy makes none.
	newID        func() uuid.UUID
	publications publications

	mu sync.Mutex
	// running is the call that brings the copy up to date or loads it; nil if none does.
	running *update
	// served is the copy as the last update has left it.
	served State

	// The rest is the copy. It belongs to the update that is running, which reads the tables and the
	// bucket without a lock.

	// head is that of the base. Its files are those that are searched: newer ones may have replaced some.
	head snapshot.Head
	// shards holds the opened files by key.
	shards      map[string]indexPair
	refreshedAt time.Time
	// own is the copy as it will be served.
	own State
	// seen holds the keys of the log entries that the views contain, and the time at which each was
	// found.
	seen map[string]time.Time
	// digested is the number of the last digest that the copy contains; noDigest if the copy does not
	// follow the digests. logged holds the keys of the log entries that the digests contain, and the
	// time at which each was found.
	digested int64
	logged   map[string]time.Time
}

// SnapshotName is the name of the catalogue's snapshot, and begins the keys of its files.
const SnapshotName = "catalog"

// New returns an empty copy. The first [Catalogue.Current] fills it, and every call of it reads the
// log.
func New(roles *role.Store, snapshots *snapshot.Store) *Catalogue {
	c := &Catalogue{
		roles: roles, snapshots: snapshots, formats: formats, log: slog.New(slog.DiscardHandler),
		rolesPerShard: rolesPerShard, maxChanges: maxChanges, patience: patience,
		shards: map[string]indexPair{}, digested: noDigest,
	}
	c.newestBase = c.newestPublished
	return c
}

// OpenEmbedded opens the catalogue of the published bases, with the age that topology.SettingCatalogueAge
// allows.
func OpenEmbedded(o *cloud.Opener, roles *role.Store) *Catalogue {
	c := New(roles, snapshot.Open(o, SnapshotName))
	c.log = o.Log
	c.newID = o.NewID
	c.maxAge = time.Duration(o.Int(topology.SettingCatalogueAge, int(defaultMaxAge.Milliseconds()))) * time.Millisecond
	return c
}

// WithoutFiles returns an empty copy with the same roles, log and age, but with the changes alone. Another engine
// keeps the roles: head returns until when it has all changes.
func (c *Catalogue) WithoutFiles(head func(context.Context) (snapshot.Head, error)) *Catalogue {
	other := New(c.roles, c.snapshots)
	other.newestBase = head
	other.log = c.log
	other.maxAge = c.maxAge
	other.newID = c.newID
	return other
}

const (
	// maxStale is the age up to which a copy is brought up to date from the log.
	maxStale = time.Hour
	// maxChanges is the number of changes over the base from which refreshShard looks for a newer
	// base.
	maxChanges = 2000
	// defaultMaxAge is the maximum age in a function that does not set
	// topology.SettingCatalogueAge.
	defaultMaxAge = time.Second
	// keptEntries is the time for which the keys of entries are kept, so that an entry is not taken for
	// a new one when it is read again.
	keptEntries = 2 * entity.RereadWindow
	noDigest    = -1
	// latelyPeriod is the time after a change was found during which an eventually consistent read
	// of the role may still miss it.
	latelyPeriod = 10 * time.Second
)

const parallelReads = 8

// readRoles reads roles consistently and returns the documents of each. Unless report is nil, it calls
// report with the number of roles of each part that was read, one call at a time.
func (c *Catalogue) readRoles(ctx context.Context, ids []string, report func(some int)) (all []roleindex.RoleDocs, err error) {
	var mu sync.Mutex
	err = ReadDocs(ctx, c.roles, ids, parallelReads, func(_ context.Context, some []roleindex.RoleDocs) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, some...)
		if report != nil {
			report(len(some))
		}
		return nil
	})
	return all, err
}

// RolesPerRead is the number of roles of a part.
const RolesPerRead = 500

// ReadDocs reads roles consistently, at most parallel parts at the same time, and calls take with the documents of each
// part. Of a role that does not exist it has the id and, if it was deleted, the revision.
func ReadDocs(
	ctx context.Context, roles *role.Store, ids []string, parallel int, take func(context.Context, []roleindex.RoleDocs) error,
) error {
	parts := slices.Collect(slices.Chunk(ids, RolesPerRead))
	return cloud.EachUntilError(ctx, parallel, parts, func(ctx context.Context, _ int, some []string) error {
		deleted := map[string]int64{}
		found, err := roles.ReadRoles(ctx, some, role.ReadOptions{Consistent: true, Description: true, Deleted: deleted})
		if err != nil {
			return err
		}
		docs := make([]roleindex.RoleDocs, len(some))
		for i, id := range some {
			docs[i] = roleindex.RoleDocs{ID: id, Revision: deleted[id]}
			if unredacted, ok := found[id]; ok {
				docs[i] = NewRoleDocs(id, unredacted)
			}
		}
		return take(ctx, docs)
	})
}

// NewChangeLog returns the change log of a catalogue, for the writers of its roles.
func NewChangeLog(snapshots *snapshot.Store, now func() time.Time, newID func() uuid.UUID) *role.ChangeLog {
	return &role.ChangeLog{Now: now, NewEntry: func(c role.Changed) entity.Action {
		nonce := newID().String()[24:] // 48 random bits: readers pay for every byte
		group := snapshot.Group{Name: c.CompanyID, First: c.First, Last: c.Last}
		return snapshots.LogChange(now(), snapshot.Change{ID: c.RoleID, Group: group}, nonce)
	}}
}

// ListChangedIDs returns the ids of the roles that the log entries name, sorted.
func ListChangedIDs(ctx context.Context, roles *role.Store, changes []snapshot.Change) (ids []string, err error) {
	for _, change := range changes {
		if change.Base != 0 {
			continue
		}
		c := role.Changed{RoleID: change.ID, CompanyID: change.Group.Name, First: change.Group.First, Last: change.Group.Last}
		some, err := roles.ChangedIDs(ctx, c)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}
