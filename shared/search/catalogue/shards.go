package catalogue

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// joinWhole joins two indexes into a file, and returns it with the number of its roles. It returns an error
// if the file cannot be opened.
func joinWhole(indexes [2][]byte) (file []byte, roles int, err error) {
	file = joinIndexes(indexes[sharedIndex], indexes[approvedIndex])
	opened, err := openIndexes(file)
	if err != nil {
		return nil, 0, err
	}
	return file, opened[sharedIndex].Len(), nil
}

// formats are the numbers of the formats of files that readers can read; the publisher writes the first
// one. They are parts of the keys of heads and files. A version that changes the format, here or in
// package roleindex, puts the new one first, keeps the previous one and opens both: until the new one
// is published, its readers read the previous format, as do the readers of the previous version.
var formats = []int{Format}

// Format is the number of the format that the publisher writes.
const Format = 5

const lengthBytes = 8

// joinIndexes returns the length of the shared index (eight bytes, little-endian) and the two indexes.
func joinIndexes(shared, own []byte) []byte {
	length := binary.LittleEndian.AppendUint64(make([]byte, 0, lengthBytes), uint64(len(shared)))
	return slices.Concat(length, shared, own)
}

// The two indexes.
const (
	sharedIndex = iota
	approvedIndex
)

// An indexPair is one shard of a generation; a viewPair is a whole generation with changes.
type (
	indexPair [2]*roleindex.Index
	viewPair  [2]*roleindex.View
)

func joinShards(shards []indexPair) (views viewPair) {
	for n := range views {
		indexes := make([]*roleindex.Index, len(shards))
		for i, shard := range shards {
			indexes[i] = shard[n]
		}
		views[n] = roleindex.Join(indexes...)
	}
	return views
}

// openIndexes opens a file of joinIndexes in place. It returns roleindex.ErrBroken for any other one.
func openIndexes(file []byte) (found indexPair, err error) {
	if len(file) < lengthBytes {
		return found, fmt.Errorf("%w: a shard of %d bytes", roleindex.ErrBroken, len(file))
	}
	rest := file[lengthBytes:]
	n := binary.LittleEndian.Uint64(file)
	if n > uint64(len(rest)) {
		return found, fmt.Errorf("%w: the shard is cut short", roleindex.ErrBroken)
	}
	for i, part := range [][]byte{rest[:n], rest[n:]} {
		found[i], err = roleindex.Open(part)
		if err != nil {
			return found, fmt.Errorf("open an index of the shard: %w", err)
		}
	}
	return found, nil
}

const (
	// rolesPerShard is the maximum number of roles in a shard of a new generation. While a shard is
	// built, all its roles are in memory, at about 5 KB each.
	rolesPerShard = 1 << 16
	// maxShards bounds the shards of a generation, because one transaction replaces them all.
	maxShards = 32
)

func (c *Catalogue) countShards(roles int) int {
	n := 1
	for n < maxShards && roles > n*c.rolesPerShard {
		n *= 2
	}
	return n
}

// shardOf returns the number of a role's shard. It must not change while the format stays the same.
func shardOf(roleID string, shards int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(roleID))
	sum := h.Sum32()
	return int(sum^sum>>16) % shards
}

func groupByShard(roleIDs []string, shards int) [][]string {
	groups := make([][]string, shards)
	for _, id := range roleIDs {
		i := shardOf(id, shards)
		groups[i] = append(groups[i], id)
	}
	return groups
}

// newestPublished returns the head of the first of the catalogue's formats that is published. It returns
// roleindex.ErrBroken if only other formats are published.
func (c *Catalogue) newestPublished(ctx context.Context) (head snapshot.Head, err error) {
	bases, err := c.snapshots.Bases(ctx)
	if err != nil {
		return head, err
	}
	for _, f := range c.formats {
		head = bases.Head(f)
		if head.Generation > 0 {
			return head, nil
		}
	}
	if len(bases.Heads) > 0 {
		return head, fmt.Errorf("%w: all generations are of formats that this version does not read", roleindex.ErrBroken)
	}
	return bases.Head(c.formats[0]), nil
}

// openBase replaces the copy by a generation without changes. It keeps the loaded shards that
// belong to the generation and drops the others before it loads new ones, so that memory holds only
// one generation and a shard: the first new shard is loaded before anything is dropped, so that the copy
// stays as it is if no file can be read. After a later failure, the next call continues with the shards
// that are loaded.
func (c *Catalogue) openBase(ctx context.Context, head snapshot.Head) error {
	loaded := 0
	c.logProgress(ctx, head, loaded)
	defer func() { c.logProgress(ctx, head, loaded) }()
	missing := slices.DeleteFunc(slices.Clone(head.Files), func(key string) bool { _, held := c.shards[key]; return held })
	for i, key := range missing {
		shard, size, err := c.readShard(ctx, key)
		if err != nil {
			return err
		}
		c.shards[key] = shard
		loaded += size
		if i == 0 {
			c.dropOthers(head)
		}
	}
	c.dropOthers(head)
	c.adoptBase(head)
	return nil
}

// dropOthers ends the use of the copy and drops the shards that do not belong to a generation.
func (c *Catalogue) dropOthers(head snapshot.Head) {
	c.own.views = viewPair{}
	c.own.read = snapshot.Position{}
	c.mu.Lock()
	c.served = c.own
	c.mu.Unlock()
	maps.DeleteFunc(c.shards, func(key string, _ indexPair) bool { return !slices.Contains(head.Files, key) })
}

// logProgress logs how many shards of a generation are held and how many bytes were loaded. It warns if the generation has
// an older format, which is used until the publisher has published one in the current format.
func (c *Catalogue) logProgress(ctx context.Context, head snapshot.Head, loaded int) {
	level := slog.LevelInfo
	if head.Format != c.formats[0] {
		level = slog.LevelWarn
	}
	c.log.Log(ctx, level, "catalogue", "format", head.Format, "wanted_format", c.formats[0],
		"generation", head.Generation, "shards", len(c.shards), "of", len(head.Files), "bytes", loaded)
}

func (c *Catalogue) readShard(ctx context.Context, key string) (shard indexPair, size int, err error) {
	file, err := c.snapshots.File(ctx, key)
	if err != nil {
		return shard, 0, err
	}
	shard, err = openIndexes(file)
	return shard, len(file), err
}

func (c *Catalogue) joinFiles() viewPair {
	shards := make([]indexPair, len(c.head.Files))
	for i, key := range c.head.Files {
		shards[i] = c.shards[key]
	}
	return joinShards(shards)
}

// adoptBase replaces the copy by a generation with loaded files and without changes.
func (c *Catalogue) adoptBase(head snapshot.Head) {
	c.head = head
	c.head.Files = slices.Clone(head.Files)
	c.own = State{Until: head.Until, views: c.joinFiles(), changed: map[string]time.Time{}}
	c.seen = map[string]time.Time{}
	c.digested = noDigest
	c.logged = map[string]time.Time{}
}

const (
	// refreshEvery is how often a copy with many changes looks for a newer generation.
	refreshEvery = 5 * time.Second
	// inBaseAfter is the time after which a generation is certain to contain a change that was
	// found: its entry was committed, so a publisher that begins later reads it, and clocks differ
	// by less than this.
	inBaseAfter = entity.RereadWindow
)

// refreshShard replaces one shard of the copy by the same shard of a newer generation: the shard
// with the most changes that the newer one contains, if there are enough of them. The other shards
// and the changes over them are kept, so that no call pays for loading a whole generation. isOther
// reports whether the newer generation has another form, so that it has to be loaded as a whole.
func (c *Catalogue) refreshShard(ctx context.Context, now time.Time) (isOther bool, err error) {
	if now.Sub(c.refreshedAt) < refreshEvery {
		return false, nil
	}
	c.refreshedAt = now
	head, err := c.newestBase(ctx)
	if err != nil {
		return false, err
	}
	if head.Format != c.head.Format || len(head.Files) != len(c.head.Files) {
		return true, nil
	}
	groups := make([][]string, len(head.Files)) // the changes that the newer generation contains
	until := time.UnixMilli(head.Until)
	for id, at := range c.own.changed {
		if i := shardOf(id, len(groups)); head.Files[i] != c.head.Files[i] && until.Sub(at) > inBaseAfter {
			groups[i] = append(groups[i], id)
		}
	}
	number := 0
	for i, group := range groups {
		if len(group) > len(groups[number]) {
			number = i
		}
	}
	ids := groups[number]
	if len(ids) <= c.maxChanges/len(c.head.Files) {
		return false, nil
	}
	shard, _, err := c.readShard(ctx, head.Files[number])
	if err != nil {
		return false, err
	}
	delete(c.shards, c.head.Files[number])
	c.shards[head.Files[number]] = shard
	c.head.Files[number] = head.Files[number]
	if slices.Equal(c.head.Files, head.Files) {
		c.head = head
		c.own.Until = head.Until
	}
	c.own.changed = maps.Clone(c.own.changed)
	for _, id := range ids {
		delete(c.own.changed, id)
	}
	for n, base := range c.joinFiles() {
		c.own.views[n] = c.own.views[n].Rebase(base, maps.Keys(c.own.changed), ids)
	}
	return false, nil
}
