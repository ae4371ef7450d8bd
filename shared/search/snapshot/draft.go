package snapshot

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Begin begins a draft with the given number of files and claims it. The new draft replaces was, and
// the files of was are removed. Begin returns ErrSuperseded if was is no longer the draft.
func (s *Store) Begin(ctx context.Context, was Draft, nonce string, files int, now time.Time) (_ Draft, err error) {
	defer fault.Wrap(&err, "snapshot.Begin")

	next := Draft{was.Format, nonce, make([]string, files), 0, now.UnixMilli(), now.UnixMilli()}
	tx := s.write().Idempotent(true).Put(s.putDraft(was, next))
	s.dispose(tx, was.Files, nil)
	return next, supersededIfFailed(tx.Run(ctx))
}

// Claim records that this process works on a draft from now on. It returns ErrSuperseded if another
// process has claimed or replaced the draft since it was read.
func (s *Store) Claim(ctx context.Context, d Draft, now time.Time) (_ Draft, err error) {
	defer fault.Wrap(&err, "snapshot.Claim")

	next := d
	next.ClaimedAt = now.UnixMilli()
	return next, supersededIfFailed(s.putDraft(d, next).Run(ctx))
}

// Leave gives up the claim to a draft, so that the next process can claim it at once.
func (s *Store) Leave(ctx context.Context, d Draft) (err error) {
	defer fault.Wrap(&err, "snapshot.Leave")

	_, err = s.Claim(ctx, d, time.UnixMilli(0))
	return err
}

// AddFile stores a file of a draft and renews the claim. nonce is different in every process. It
// returns ErrSuperseded if another process has claimed or replaced the draft.
func (s *Store) AddFile(
	ctx context.Context, d Draft, number int, content []byte, members int, now time.Time, nonce string,
) (_ Draft, err error) {
	defer fault.Wrap(&err, "snapshot.AddFile")

	key, err := s.PutFile(ctx, d.Format, nonce, number, content)
	if err != nil {
		return d, err
	}
	next := d
	next.Files = slices.Clone(d.Files)
	next.Members = d.Members + members
	next.ClaimedAt = now.UnixMilli()
	next.Files[number] = key
	tx := s.write().Idempotent(true).Put(s.putDraft(d, next))
	s.objects.Keep(key)(tx)
	return next, supersededIfFailed(tx.Run(ctx))
}

// putDraft returns the write that replaces a draft, provided that it is unchanged since it was
// read.
func (s *Store) putDraft(was, next Draft) *dynamo.Put {
	pk, sk := itemkey.SnapshotDraft.Key(s.name, strconv.Itoa(next.Format))
	put := s.table.Put(draftItem{pk, sk, next})
	if was.Nonce == "" {
		return put.If("attribute_not_exists(pk)")
	}
	return put.If("nonce = ? AND claimed = ?", was.Nonce, was.ClaimedAt)
}

// maxPublications bounds the publications by others that PublishDraft tolerates.
const maxPublications = 20

// PublishDraft makes a complete draft the base, whatever else was published since it was begun: the
// log has those changes. An entry of the log announces the base to readers who do not look at the
// head, because the base may have changes that the log does not have. now is the clock; nonce is
// different in every call. PublishDraft returns ErrSuperseded if another process has claimed or
// replaced the draft.
func (s *Store) PublishDraft(ctx context.Context, d Draft, now func() time.Time, nonce string) (_ Head, err error) {
	defer fault.Wrap(&err, "snapshot.PublishDraft")

	for range maxPublications {
		b, err := s.Bases(ctx)
		if err != nil {
			return Head{}, err
		}
		if current := b.Draft(d.Format); current.Nonce != d.Nonce || current.ClaimedAt != d.ClaimedAt {
			return Head{}, ErrSuperseded
		}
		next := Head{d.Format, 1, d.Files, d.Until}
		if len(b.Heads) > 0 {
			next.Generation = b.Heads[0].Generation + 1
		}
		err = s.replaceByDraft(ctx, b.Head(d.Format), next, d, now, nonce)
		if !dynamo.IsCondCheckFailed(err) {
			return next, err
		}
	}
	return Head{}, ErrSuperseded
}

// replaceByDraft replaces a head by a draft and announces the new base in the log.
func (s *Store) replaceByDraft(ctx context.Context, was, next Head, d Draft, now func() time.Time, nonce string) error {
	ctx, cancel := context.WithTimeout(ctx, entity.CommitBound)
	defer cancel()
	pk, sk := itemkey.SnapshotDraft.Key(s.name, strconv.Itoa(d.Format))
	entry := s.logEntry(now(), "", nonce)
	entry.Generation = next.Generation
	return s.replaceHead(was, next).Put(s.log.Put(entry)).
		Delete(s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("nonce = ? AND claimed = ?", d.Nonce, d.ClaimedAt)).
		Run(ctx)
}

func supersededIfFailed(err error) error {
	if dynamo.IsCondCheckFailed(err) {
		return ErrSuperseded
	}
	return err
}
