package catalogue

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

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
	draft, _, err := c.rebuildShards(ctx, bases.Draft(c.formats[0]), rebuildOptions{isNew: true}, now, nonce)
	return draft.Members, err
}

type rebuildOptions struct {
	// isNew begins a draft in place of the given one, even if that one can be continued.
	isNew bool
	// limit is the time after which the draft is left to the next process; 0 is no limit.
	limit time.Duration
}

// rebuildShards makes the shards that a draft lacks, one after the other, and then publishes the draft. If it cannot continue
// the given one, it begins another in its place.
func (c *Catalogue) rebuildShards(
	ctx context.Context, draft snapshot.Draft, o rebuildOptions, now func() time.Time, nonce string,
) (_ snapshot.Draft, published bool, err error) {
	begun := now()
	isNew := o.isNew || draft.Nonce == "" || begun.Sub(time.UnixMilli(draft.Until)) > snapshot.MaxBehind
	if !isNew {
		draft, err = c.snapshots.Claim(ctx, draft, begun)
		if err != nil {
			return snapshot.Draft{}, false, err
		}
	}
	ids, err := c.roles.RoleIDs(ctx)
	if err != nil {
		return snapshot.Draft{}, false, err
	}
	if isNew {
		draft, err = c.snapshots.Begin(ctx, draft, nonce, c.countShards(len(ids)), begun)
		if err != nil {
			return snapshot.Draft{}, false, err
		}
	}
	groups := groupByShard(ids, len(draft.Files))
	read := 0
	for i, key := range draft.Files {
		if key != "" {
			read += len(groups[i])
			continue
		}
		if o.limit > 0 && now().Sub(begun) > o.limit {
			return draft, false, c.snapshots.Leave(ctx, draft)
		}
		file, members, err := c.buildShard(ctx, groups[i], func(some int) {
			read += some
			if c.Progress != nil {
				c.Progress(read, len(ids))
			}
		})
		if err != nil {
			return draft, false, err
		}
		groups[i] = nil
		draft, err = c.snapshots.AddFile(ctx, draft, i, file, members, now(), nonce)
		if err != nil {
			return draft, false, err
		}
	}
	_, err = c.snapshots.PublishDraft(ctx, draft, now, nonce)
	return draft, err == nil, err
}

// buildShard reads roles and returns the file of their shard, and how many of them there are. It calls
// report with the number of roles of each part that was read, one call at a time.
func (c *Catalogue) buildShard(ctx context.Context, ids []string, report func(some int)) (file []byte, members int, err error) {
	var docs [2][]roleindex.Doc
	err = c.readInParts(ctx, ids, func(some []roleindex.RoleDocs) {
		for _, d := range some {
			for n, doc := range [...]*roleindex.Doc{sharedIndex: d.Shared, approvedIndex: d.Approved} {
				if doc != nil {
					docs[n] = append(docs[n], *doc)
				}
			}
		}
		report(len(some))
	})
	if err != nil {
		return nil, 0, err
	}
	file, err = joinWhole([2][]byte{roleindex.Build(docs[sharedIndex]), roleindex.Build(docs[approvedIndex])})
	return file, len(docs[sharedIndex]), err
}
