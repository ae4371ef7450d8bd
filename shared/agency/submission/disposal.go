package submission

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// disposalItem names files that nothing needs any more. It is written in the transaction
// that takes away what led to them, so that a file is never without an item that leads to
// it, and the sweeper removes the files and then the disposal.
type disposalItem struct {
	ID    string   `dynamo:"pk"`
	Kind  string   `dynamo:"sk"`
	Keys  []string `dynamo:"keys"`
	Shard string   `dynamo:"shard"`
	Due   int64    `dynamo:"due"`
}

// disposalDelay is how long a disposal waits: longer than a worker lives that may still
// be writing one of the files.
const disposalDelay = 10 * time.Minute

// disposalShard is the partition of the due index that holds disposals alone.
const disposalShard = "X"

var disposalKind = itemkey.Disposal.SK()

// putDisposal returns the write of a disposal; name is its own within the batch.
func (s *Store) putDisposal(batch uuid.UUID, name string, now time.Time, keys ...string) *dynamo.Put {
	pk, sk := itemkey.Disposal.Key(batch.String(), name)
	return s.table.Put(disposalItem{pk, sk, keys, disposalShard, now.Add(disposalDelay).UnixMilli()})
}

// putItemDisposal returns the write of the disposal of files that an item leaves behind.
func (s *Store) putItemDisposal(sub Submission, now time.Time, keys ...string) *dynamo.Put {
	return s.putDisposal(sub.BatchID, strconv.Itoa(sub.Index), now, keys...)
}

// disposalPage is how many disposals a turn processes, one after the other.
const disposalPage = 100

// RemoveFiles removes the files of the next disposals that are due. left reports whether
// another turn is needed.
func (w *Sweep) RemoveFiles(ctx context.Context, more func() bool) (left bool, err error) {
	defer fault.Wrap(&err, "submission.RemoveFiles")

	if w.store.discard == nil {
		return false, nil
	}
	return w.disposals.Turn(ctx, more, func(ctx context.Context, page []cloud.DueKey) (failed error) {
		for _, key := range page {
			failed = errors.Join(failed, w.store.dispose(ctx, key.PK))
		}
		return failed
	})
}

// dispose reads the disposal, because the index knows only its key.
func (s *Store) dispose(ctx context.Context, id string) error {
	var item disposalItem
	found, err := cloud.GetItem(ctx, s.table, id, disposalKind, &item)
	if !found {
		return err
	}
	for _, key := range item.Keys {
		err = errors.Join(err, s.discard(ctx, key))
	}
	if err != nil {
		return err
	}
	return s.table.Delete(topology.PK, id).Range(topology.SK, disposalKind).Run(ctx)
}
