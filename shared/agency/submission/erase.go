package submission

import (
	"context"
	"errors"
	"path"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// ErasedMessage is the public message of a submission after its file was erased, by
// itself or with the person.
const ErasedMessage = "The uploaded resume was erased. Upload it again and submit the candidate."

// ErrHeld is returned when a worker runs an item that an erasure has to end. The worker
// ends it, or its lease does.
var ErrHeld = errors.New("a worker holds a submission of the erased person")

// Erasure says what of a person is to be erased.
type Erasure struct {
	// Of reports whether a submission is the person's.
	Of func(Submission) bool
	// At is up to when what was accepted or uploaded is erased; Now is the time.
	At, Now time.Time
	// Drop removes a file of the bucket; a missing one is not an error.
	Drop func(ctx context.Context, key string) error
	// Forget removes what else was kept of the submission's person.
	Forget func(context.Context, Submission) error
}

// Erase ends what is in flight of a person, with its files and uploads, and returns how
// many items it has ended. It returns [ErrHeld] where a worker holds one: what the
// worker writes is not known, so the caller has to repeat it.
//
// It reads every live item that there is: they are few and live for hours, and an
// index of people would cost every submission something for the sake of rare erasures.
func (s *Store) Erase(ctx context.Context, e Erasure) (ended int, err error) {
	defer fault.Wrap(&err, "submission.Erase")

	var all atomic.Int64
	err = cloud.ForEach(4, shards.Names(), func(_ int, shard string) error {
		var found []cloud.DueKey
		err := s.table.Get(topology.DueIndex.Hash, shard).Index(topology.DueIndex.Name).All(ctx, &found)
		if err != nil {
			return err
		}
		var failed error
		for page := range slices.Chunk(found, livePage) {
			items, err := s.readLiveItems(ctx, page)
			if err != nil {
				return errors.Join(failed, err) // the next page would fail alike
			}
			for _, item := range items {
				over, err := s.eraseLive(ctx, item, e)
				failed = errors.Join(failed, err)
				if over {
					all.Add(1)
				}
			}
		}
		return failed
	})
	return int(all.Load()), err
}

// readLiveItems reads the items themselves, consistently, because an index may be stale.
func (s *Store) readLiveItems(ctx context.Context, page []cloud.DueKey) ([]liveItem, error) {
	keys := make([]dynamo.Keyed, len(page))
	for n, key := range page {
		keys[n] = dynamo.Keys{key.PK, liveKind}
	}
	return cloud.GetItems[liveItem](ctx, s.table, keys, true)
}

// eraseLive ends an item if it is the person's. The item goes last, because it is
// what leads to the files.
func (s *Store) eraseLive(ctx context.Context, item liveItem, e Erasure) (ended bool, err error) {
	sub, err := item.decodeSubmission()
	if err != nil || sub.SubmittedAt.After(e.At) || !e.Of(sub) {
		return false, err
	}
	if item.Lease > e.Now.UnixMilli() {
		return false, ErrHeld
	}
	err = errors.Join(e.Forget(ctx, sub), e.Drop(ctx, sub.CopyKey()), s.EraseSource(ctx, sub.Tenant(), sub.CopyKey(), e))
	if err == nil && sub.UploadID != uuid.Nil {
		err = s.deleteSent(ctx, uploadKey(sub.Tenant(), sub.UploadID), uploadKind, e.At)
	}
	if err != nil {
		return false, err
	}
	err = s.endLive(ctx, item, contract.InvalidResumeReference, ErasedMessage, e.Now)
	if dynamo.IsCondCheckFailed(err) {
		return false, ErrHeld
	}
	return err == nil, err
}

// EraseSource removes what is left of the submission that a copied file came with: the client
// reference, the file that was copied, and its upload, unless the same file was uploaded again
// after the erasure.
func (s *Store) EraseSource(ctx context.Context, t tenant.ID, copyKey string, e Erasure) (err error) {
	defer fault.Wrap(&err, "submission.EraseSource(tenant, copyKey)")

	_, err = s.eraseSource(ctx, t, copyKey, e)
	return err
}

// eraseSource is EraseSource. committed is false if the submission is in no batch: it has expired,
// or is not committed yet.
func (s *Store) eraseSource(ctx context.Context, t tenant.ID, copyKey string, e Erasure) (committed bool, err error) {
	if place, ok := ParseCopyKey(copyKey); ok {
		committed, err = s.eraseReference(ctx, place)
	}
	return committed, errors.Join(err, s.eraseFile(ctx, t, copyKey, e))
}

func (s *Store) eraseFile(ctx context.Context, t tenant.ID, copyKey string, e Erasure) (err error) {
	u := Upload{Tenant: t, SHA256: path.Base(copyKey)}
	var item uploadItem
	stored, err := cloud.GetItem(ctx, s.table, u.contentKey(), contentKind, &item)
	switch {
	case err != nil:
		return err
	case !stored:
		return e.Drop(ctx, u.Key())
	case item.SentAt > e.At.UnixMilli():
		return nil
	}
	err = errors.Join(e.Drop(ctx, u.Key()), s.deleteSent(ctx, uploadKey(t, item.ID), uploadKind, e.At))
	if err != nil {
		return err
	}
	return s.deleteSent(ctx, u.contentKey(), contentKind, e.At)
}

// deleteSent deletes an item of an upload, unless the upload was sent again after a time.
func (s *Store) deleteSent(ctx context.Context, pk, sk string, upTo time.Time) error {
	err := s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("sent <= ?", upTo.UnixMilli()).Run(ctx)
	return cloud.IgnoreCondition(err)
}
