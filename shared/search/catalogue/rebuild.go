package catalogue

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// rebuildTime is the part of a publisher invocation that is spent on a rebuild. A fill may follow
// the rebuild.
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
	draft, ids, err := c.beginDraft(ctx, bases.Draft(c.formats[0]), now, nonce)
	if err != nil {
		return 0, err
	}
	draft, _, err = c.rebuildShards(ctx, draft, ids, now, nonce, func() bool { return false })
	return draft.Members, err
}

func (c *Catalogue) reportProgress(read, roles int) {
	if c.Progress != nil {
		c.Progress(read, roles)
	}
}

// goOnRebuilding makes the shards that the draft lacks, or all shards if no draft can be continued,
// for at most rebuildTime. It reports whether they are published.
func (c *Catalogue) goOnRebuilding(
	ctx context.Context, draft snapshot.Draft, now func() time.Time, nonce string,
) (published bool, err error) {
	begun := now()
	var ids []string
	if draft.Nonce == "" || begun.Sub(time.UnixMilli(draft.Until)) > snapshot.MaxBehind {
		draft, ids, err = c.beginDraft(ctx, draft, now, nonce)
	} else {
		draft, ids, err = c.continueDraft(ctx, draft, begun)
	}
	if err == nil {
		_, published, err = c.rebuildShards(ctx, draft, ids, now, nonce, func() bool { return now().Sub(begun) > rebuildTime })
	}
	if errors.Is(err, snapshot.ErrSuperseded) {
		return false, nil
	}
	return published, err
}

// continueDraft claims a draft and returns it with the ids of all roles.
func (c *Catalogue) continueDraft(ctx context.Context, draft snapshot.Draft, now time.Time) (snapshot.Draft, []string, error) {
	draft, err := c.snapshots.Claim(ctx, draft, now)
	if err != nil {
		return draft, nil, err
	}
	ids, err := c.roles.RoleIDs(ctx)
	return draft, ids, err
}

// beginDraft begins a draft and returns it with the ids of all roles.
func (c *Catalogue) beginDraft(
	ctx context.Context, was snapshot.Draft, now func() time.Time, nonce string,
) (snapshot.Draft, []string, error) {
	begun := now()
	ids, err := c.roles.RoleIDs(ctx)
	if err != nil {
		return was, nil, err
	}
	draft, err := c.snapshots.Begin(ctx, was, nonce, c.countShards(len(ids)), begun)
	return draft, ids, err
}

// rebuildShards makes the shards that a draft lacks, one after the other, and then publishes the
// draft. If isOver returns true first, it leaves the draft to the next process.
func (c *Catalogue) rebuildShards(
	ctx context.Context, draft snapshot.Draft, ids []string, now func() time.Time, nonce string, isOver func() bool,
) (_ snapshot.Draft, published bool, err error) {
	groups := groupByShard(ids, len(draft.Files))
	read := 0
	for i, key := range draft.Files {
		if key != "" {
			read += len(groups[i])
			continue
		}
		if isOver() {
			return draft, false, c.snapshots.Leave(ctx, draft)
		}
		file, members, err := c.buildShard(ctx, groups[i], func(some int) {
			read += some
			c.reportProgress(read, len(ids))
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
	err = c.readInParts(ctx, ids, func(some []RoleDocs) {
		for n := range docs {
			for _, d := range some {
				if doc := d.in(n); doc != nil {
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
