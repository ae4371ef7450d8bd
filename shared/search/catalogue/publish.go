package catalogue

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// publications holds what a process knows about the generations that it has published.
type publications struct {
	mu sync.Mutex
	// last is the last generation that this process has published; logged holds the keys of the log
	// entries that the generation contains.
	last   int64
	logged map[string]bool
	// whole holds the keys of the files of the last generation that this process has opened without
	// error.
	whole map[string]bool
}

// Publish publishes the next generation if roles have changed since the last one, and reports
// whether it did. nonce is different in every call. Publish rewrites only the shards with changed
// roles, one after the other.
//
// It rebuilds all shards from the roles if only generations of other formats exist, if a shard
// cannot be read, or if a shard has outgrown its size. A rebuild that takes longer than an
// invocation of the publisher allows is spread over several calls. Publish also completes a rebuild
// that a process of [Catalogue.Rebuild] left unfinished.
func (c *Catalogue) Publish(ctx context.Context, now func() time.Time, nonce string) (published bool, err error) {
	defer fault.Wrap(&err, "catalogue.Publish")

	c.publications.mu.Lock()
	defer c.publications.mu.Unlock()
	begun := now()
	own := c.formats[0]
	bases, err := c.snapshots.Bases(ctx)
	if err != nil {
		return false, err
	}
	if err := c.snapshots.Retire(ctx, bases, own, begun); err != nil {
		return false, err
	}
	draft := bases.Draft(own)
	p := publication{c, bases.Head(own), nonce, draft.Nonce != ""}
	makesAll := p.was.Generation == 0 && len(bases.Heads) > 0 // all generations have other formats
	if !makesAll {
		published, err = p.publishChanges(ctx, begun)
		makesAll = errors.Is(err, roleindex.ErrBroken) || errors.Is(err, errOutgrown)
	}
	if !makesAll && (err != nil || draft.Nonce == "") {
		return published, err
	}
	if draft.Nonce != "" && begun.Sub(time.UnixMilli(draft.ClaimedAt)) < topology.Publisher.Timeout {
		return published, nil // another process is rebuilding
	}
	_, rebuilt, err := c.rebuildShards(ctx, draft, rebuildTime, now, nonce)
	if errors.Is(err, snapshot.ErrSuperseded) {
		err = nil
	}
	return published || rebuilt, err
}

var errOutgrown = errors.New("a shard has outgrown its size")

type publication struct {
	*Catalogue
	was   snapshot.Head
	nonce string
	// mayOutgrow allows shards to outgrow their size, because a rebuild that will divide them is
	// under way.
	mayOutgrow bool
}

func (p publication) publishChanges(ctx context.Context, begun time.Time) (published bool, err error) {
	defer fault.Wrap(&err, "catalogue.publishChanges")

	changes, err := p.snapshots.ChangesSince(ctx, time.UnixMilli(p.was.Until), begun)
	if err != nil {
		return false, err
	}
	logged := map[string]bool{}
	for _, change := range changes {
		logged[change.Key] = true
	}
	if p.publications.last == p.was.Generation { // which this process published, with these changes
		changes = slices.DeleteFunc(changes, func(change snapshot.Change) bool { return p.publications.logged[change.Key] })
	}
	ids, err := ListChangedIDs(ctx, p.roles, changes)
	if err != nil {
		return false, err
	}
	files, err := p.writeShards(ctx, ids)
	if err != nil || slices.Equal(files, p.was.Files) {
		return false, err
	}
	head, err := p.snapshots.Publish(ctx, p.was, files, begun)
	if errors.Is(err, snapshot.ErrSuperseded) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	p.publications.last = head.Generation
	p.publications.logged = logged
	return true, nil
}

// writeShards rewrites the shards of the changed roles and returns the keys of all shards. It opens
// every shard that the process has not opened yet.
func (p publication) writeShards(ctx context.Context, ids []string) (files []string, err error) {
	files = slices.Clone(p.was.Files)
	if len(files) == 0 {
		if len(ids) == 0 {
			return nil, nil
		}
		files = []string{""}
	}
	whole := map[string]bool{}
	for i, changed := range groupByShard(ids, len(files)) {
		if len(changed) > 0 || !p.publications.whole[files[i]] {
			files[i], err = p.writeShard(ctx, i, files[i], changed)
			if err != nil {
				return nil, err
			}
		}
		whole[files[i]] = true
	}
	p.publications.whole = whole
	return files, nil
}

// writeShard rewrites a shard with the current state of the changed roles, if there are any, and
// returns its key. It returns errOutgrown if the shard has outgrown its size.
func (p publication) writeShard(ctx context.Context, number int, key string, changed []string) (_ string, err error) {
	defer fault.Wrap(&err, "catalogue.writeShard(key, roleIDs)")

	var shard indexPair
	if key == "" { // a shard without roles
		shard, err = openIndexes(joinIndexes(roleindex.Build(nil), roleindex.Build(nil)))
	} else {
		shard, _, err = p.readShard(ctx, key)
	}
	if err != nil || len(changed) == 0 {
		return key, err
	}
	if n := max(1, len(p.was.Files)); !p.mayOutgrow && n < maxShards && shard[sharedIndex].Len()+len(changed) > 2*p.rolesPerShard {
		return "", errOutgrown
	}
	changes, err := p.readRoles(ctx, changed, nil)
	if err != nil {
		return "", err
	}
	var indexes [2][]byte
	for n, view := range joinShards([]indexPair{shard}) {
		indexes[n] = view.Overlay(docsIn(changes, n)).Compact()
	}
	file, _, err := joinWhole(indexes)
	if err != nil {
		return "", err
	}
	return p.snapshots.PutFile(ctx, p.was.Format, p.nonce, number, file)
}

// rebuildTime is the part of a publisher invocation that is spent on a rebuild. A fill may follow.
var rebuildTime = topology.Publisher.Timeout * 2 / 5

// Rebuild publishes a generation of every role and returns their number. It is called after a bulk
// load, which writes no log. The generation replaces those that others publish during the rebuild;
// their changes are taken from the log. Rebuild returns snapshot.ErrSuperseded if another process
// has begun a later rebuild or has continued this one.
func (c *Catalogue) Rebuild(ctx context.Context, now func() time.Time, nonce string) (roles int, err error) {
	defer fault.Wrap(&err, "catalogue.Rebuild")

	c.publications.mu.Lock()
	defer c.publications.mu.Unlock()
	bases, err := c.snapshots.Bases(ctx)
	if err != nil {
		return 0, err
	}
	roles, _, err = c.rebuildShards(ctx, bases.Draft(c.formats[0]), 0, now, nonce)
	return roles, err
}

// rebuildShards makes the shards that a draft lacks, one after the other, and then publishes the draft. After the
// limit it leaves the draft to the next process. Without a limit (0), or if it cannot continue the given draft, it
// begins another in its place. It returns the number of roles in the shards that it made.
func (c *Catalogue) rebuildShards(
	ctx context.Context, draft snapshot.Draft, limit time.Duration, now func() time.Time, nonce string,
) (roles int, published bool, err error) {
	defer fault.Wrap(&err, "catalogue.rebuildShards")

	begun := now()
	isNew := limit == 0 || draft.Nonce == "" || begun.Sub(time.UnixMilli(draft.Until)) > snapshot.MaxBehind
	if !isNew {
		draft, err = c.snapshots.Claim(ctx, draft, begun)
		if err != nil {
			return 0, false, err
		}
	}
	var ids []string
	for id, err := range c.roles.RoleIDs(ctx, "") {
		if err != nil {
			return 0, false, err
		}
		ids = append(ids, id)
	}
	if isNew {
		draft, err = c.snapshots.Begin(ctx, draft, nonce, c.countShards(len(ids)), begun)
		if err != nil {
			return 0, false, err
		}
	}
	groups := groupByShard(ids, len(draft.Files))
	read := 0
	for i, key := range draft.Files {
		if key != "" {
			read += len(groups[i])
			continue
		}
		if limit > 0 && now().Sub(begun) > limit {
			return roles, false, c.snapshots.Leave(ctx, draft)
		}
		file, members, err := c.buildShard(ctx, groups[i], func(some int) {
			read += some
			if c.Progress != nil {
				c.Progress(read, len(ids))
			}
		})
		if err != nil {
			return roles, false, err
		}
		groups[i] = nil
		roles += members
		draft, err = c.snapshots.AddFile(ctx, draft, i, file, now(), nonce)
		if err != nil {
			return roles, false, err
		}
	}
	_, err = c.snapshots.PublishDraft(ctx, draft, now, nonce)
	return roles, err == nil, err
}

func (c *Catalogue) buildShard(ctx context.Context, ids []string, report func(some int)) (file []byte, members int, err error) {
	roles, err := c.readRoles(ctx, ids, report)
	if err != nil {
		return nil, 0, err
	}
	return joinWhole([2][]byte{roleindex.Build(docsIn(roles, sharedIndex)), roleindex.Build(docsIn(roles, approvedIndex))})
}
