package catalogue

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

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
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.refreshedAt) < refreshEvery {
		return false, nil
	}
	c.refreshedAt = now
	head, err := c.readHead(ctx)
	if err != nil {
		return false, err
	}
	if head.Format != c.head.Format || len(head.Files) != len(c.files) {
		return true, nil
	}
	number, ids := c.mostInBase(head)
	if len(ids) <= c.maxChanges/len(c.files) {
		return false, nil
	}
	if _, err := c.loadShard(ctx, head.Files[number]); err != nil {
		return false, err
	}
	delete(c.shards, c.files[number])
	c.files[number] = head.Files[number]
	if slices.Equal(c.files, head.Files) {
		c.head = head
	}
	for _, id := range ids {
		delete(c.changed, id)
	}
	c.changedIDs = slices.Collect(maps.Keys(c.changed))
	for n, base := range c.joinFiles() {
		c.views[n] = c.views[n].Rebase(base, ids)
	}
	return false, nil
}

// mostInBase returns the number of the shard in a generation that contains the most changes that
// the copy's own shard lacks, and the ids of the roles that changed.
func (c *Catalogue) mostInBase(head snapshot.Head) (number int, ids []string) {
	groups := make([][]string, len(head.Files))
	until := time.UnixMilli(head.Until)
	for id, at := range c.changed {
		if i := shardOf(id, len(groups)); head.Files[i] != c.files[i] && until.Sub(at) > inBaseAfter {
			groups[i] = append(groups[i], id)
		}
	}
	for i, group := range groups {
		if len(group) > len(groups[number]) {
			number = i
		}
	}
	return number, groups[number]
}
