// Package snapshot keeps a large collection that is read as a whole: a base, in files in a bucket,
// and a log of the changes since, in the table topology.Changes (itemkey.SnapshotChange). The head,
// in the table topology.Marketplace, names the files of the base and the time up to which they are
// current.
//
// An entry of the log says which members changed, not how, so entries may arrive in any order and
// repeatedly: a reader asks for those since its last read and reads these members again. Writers and
// readers follow the rule of [entity.CommitBound]. A change without an entry is in the next base,
// which the log announces to the readers of an older one.
//
// Only a publication changes the head. Each format of files has its own head, so that the readers of
// each of two formats find theirs while a deployment replaces one format by the other. The package
// knows neither the contents of the files nor the members.
package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// maxFile bounds a file of a base, in bytes.
const maxFile = 1 << 30

// ErrSuperseded reports that another process has replaced the head or the draft that a call started
// from.
var ErrSuperseded = errors.New("another generation was published meanwhile")

// Store is the snapshot of one collection.
type Store struct {
	table   dynamo.Table
	log     dynamo.Table
	bucket  objectstore.Bucket
	name    string
	write   func() *dynamo.WriteTx
	objects entity.Objects
}

// Open opens the store of one snapshot by the names in the function's environment. Its base files are in
// the bucket under "<name>/".
func Open(o *cloud.Opener, name string) *Store {
	table := o.Table(topology.Marketplace)
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	return &Store{table, o.Table(topology.Changes), bucket, name, o.Write, entity.NewStore(table, o.Write).Objects(bucket)}
}

// Head names the files of a base. The zero value is the head of a format that was never published.
type Head struct {
	// Format is the format of the files.
	Format int `dynamo:"-"`
	// Generation is larger than that of the previous head. A published draft gets a larger one than
	// the heads of all formats.
	Generation int64 `dynamo:"generation"`
	// Files are the keys of the files. The files of the previous head are kept for a while, for
	// readers that have read that head.
	Files []string `dynamo:"files"`
	// Until is the time at which the changes in the files were read, in milliseconds since 1970.
	Until int64 `dynamo:"until"`
}

// Draft is a base that is being made from the members themselves, file by file. If one process
// stops, the next one continues the draft. There is at most one draft of each format.
type Draft struct {
	Format int `dynamo:"-"`
	// Nonce distinguishes the draft from all others; "" means no draft.
	Nonce string `dynamo:"nonce"`
	// Files are the keys of the files; "" is that of a file that is not made yet.
	Files []string `dynamo:"files,allowemptyelem"`
	// Until is the time at which the draft was begun, in milliseconds since 1970.
	Until int64 `dynamo:"until"`
	// ClaimedAt is the time at which a process last claimed the draft, in milliseconds since 1970;
	// 0 if that process has left it to the next one.
	ClaimedAt int64 `dynamo:"claimed"`
}

// Bases holds the published heads and the unfinished drafts, by their formats.
type Bases struct {
	Heads  map[int]Head
	Drafts map[int]Draft
}

// Head returns the head of a format.
func (b Bases) Head(format int) Head {
	h := b.Heads[format]
	h.Format = format
	return h
}

// Draft returns the draft of a format.
func (b Bases) Draft(format int) Draft {
	d := b.Drafts[format]
	d.Format = format
	return d
}

type headItem struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	Head
}

type draftItem struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	Draft
}

// Bases reads the heads and drafts of all formats, consistently.
func (s *Store) Bases(ctx context.Context) (b Bases, err error) {
	defer fault.Wrap(&err, "snapshot.Bases")

	b = Bases{map[int]Head{}, map[int]Draft{}}
	var items []dynamo.Item
	if err := s.table.Get(topology.PK, itemkey.SnapshotHead.PK(s.name)).Consistent(true).All(ctx, &items); err != nil {
		return b, err
	}
	for _, item := range items {
		var head headItem
		var draft draftItem
		if err := errors.Join(dynamo.UnmarshalItem(item, &head), dynamo.UnmarshalItem(item, &draft)); err != nil {
			return b, err
		}
		if values, ok := itemkey.SnapshotHead.ParseSK(head.SK); ok {
			head.Format, _ = strconv.Atoi(values[0])
			b.Heads[head.Format] = head.Head
		}
		if values, ok := itemkey.SnapshotDraft.ParseSK(draft.SK); ok {
			draft.Format, _ = strconv.Atoi(values[0])
			b.Drafts[draft.Format] = draft.Draft
		}
	}
	return b, nil
}

// File reads a file.
func (s *Store) File(ctx context.Context, key string) (_ []byte, err error) {
	defer fault.Wrap(&err, "snapshot.File(key)")

	return s.bucket.Get(ctx, key, maxFile)
}

// PutFile stores a file that no head or draft names yet and returns its key. If none names it
// within about ten minutes, the file is removed. nonce is different in every process.
func (s *Store) PutFile(ctx context.Context, format int, nonce string, number int, content []byte) (key string, err error) {
	defer fault.Wrap(&err, "snapshot.PutFile(nonce)")

	key = fmt.Sprintf("%s/%d/%s-%d", s.name, format, nonce, number)
	return key, s.objects.Put(ctx, key, "application/octet-stream", content)
}

// Publish replaces was, the head from which a base was made, and returns the new head. files are
// the keys of all files of the base, including the ones it shares with was; until is the time at
// which the changes in them were read. Publish returns ErrSuperseded if was is no longer the head.
func (s *Store) Publish(ctx context.Context, was Head, files []string, until time.Time) (_ Head, err error) {
	defer fault.Wrap(&err, "snapshot.Publish(files)")

	next := Head{was.Format, was.Generation + 1, files, until.UnixMilli()}
	tx := s.replaceHead(was, next)
	for _, key := range files {
		if !slices.Contains(was.Files, key) {
			s.objects.Keep(key)(tx)
		}
	}
	return next, supersededIfFailed(tx.Run(ctx))
}

// replaceHead returns the transaction that replaces a head and disposes of the files that only the old one has.
func (s *Store) replaceHead(was, next Head) *dynamo.WriteTx {
	pk, sk := itemkey.SnapshotHead.Key(s.name, strconv.Itoa(next.Format))
	tx := s.write().Idempotent(true).
		Put(s.table.Put(headItem{pk, sk, next}).If("attribute_not_exists($) OR $ = ?", "generation", "generation", was.Generation))
	s.dispose(tx, was.Files, next.Files)
	return tx
}

// dispose adds to tx the disposal of those of files that are not in kept.
func (s *Store) dispose(tx *dynamo.WriteTx, files, kept []string) {
	for _, key := range files {
		if key != "" && !slices.Contains(kept, key) {
			s.objects.Dispose(key)(tx)
		}
	}
}

// Retire removes the heads and drafts of other formats that are older than the log: none of their
// readers can learn what has changed since.
func (s *Store) Retire(ctx context.Context, b Bases, format int, now time.Time) (err error) {
	defer fault.Wrap(&err, "snapshot.Retire(generations)")

	oldest := now.Add(-Retention).UnixMilli()
	for _, h := range b.Heads {
		if h.Format != format && h.Until < oldest {
			err = errors.Join(err, s.remove(ctx, itemkey.SnapshotHead, h.Format, h.Until, h.Files))
		}
	}
	for _, d := range b.Drafts {
		if d.Format != format && d.Until < oldest {
			err = errors.Join(err, s.remove(ctx, itemkey.SnapshotDraft, d.Format, d.Until, d.Files))
		}
	}
	return err
}

// remove removes a head or a draft unless it has changed.
func (s *Store) remove(ctx context.Context, kind itemkey.Kind, format int, until int64, files []string) error {
	pk, sk := kind.Key(s.name, strconv.Itoa(format))
	tx := s.write().Delete(s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("$ = ?", "until", until))
	s.dispose(tx, files, nil)
	if err := tx.Run(ctx); err != nil && !dynamo.IsCondCheckFailed(err) {
		return err
	}
	return nil
}

// Begin begins a draft with the given number of files and claims it. The new draft replaces was, and
// the files of was are removed. Begin returns ErrSuperseded if was is no longer the draft.
func (s *Store) Begin(ctx context.Context, was Draft, nonce string, files int, now time.Time) (_ Draft, err error) {
	defer fault.Wrap(&err, "snapshot.Begin(nonce)")

	next := Draft{was.Format, nonce, make([]string, files), now.UnixMilli(), now.UnixMilli()}
	tx := s.write().Idempotent(true).Put(s.putDraft(was, next))
	s.dispose(tx, was.Files, nil)
	return next, supersededIfFailed(tx.Run(ctx))
}

// Claim records that this process works on a draft from now on. It returns ErrSuperseded if another
// process has claimed or replaced the draft since it was read.
func (s *Store) Claim(ctx context.Context, d Draft, now time.Time) (_ Draft, err error) {
	defer fault.Wrap(&err, "snapshot.Claim(draft)")

	next := d
	next.ClaimedAt = now.UnixMilli()
	return next, supersededIfFailed(s.putDraft(d, next).Run(ctx))
}

// Leave gives up the claim to a draft, so that the next process can claim it at once.
func (s *Store) Leave(ctx context.Context, d Draft) (err error) {
	defer fault.Wrap(&err, "snapshot.Leave(draft)")

	_, err = s.Claim(ctx, d, time.UnixMilli(0))
	return err
}

// AddFile stores a file of a draft and renews the claim. nonce is different in every process. It
// returns ErrSuperseded if another process has claimed or replaced the draft.
func (s *Store) AddFile(ctx context.Context, d Draft, number int, content []byte, now time.Time, nonce string) (_ Draft, err error) {
	defer fault.Wrap(&err, "snapshot.AddFile(draft, nonce)")

	key, err := s.PutFile(ctx, d.Format, nonce, number, content)
	if err != nil {
		return d, err
	}
	next := d
	next.Files = slices.Clone(d.Files)
	next.ClaimedAt = now.UnixMilli()
	next.Files[number] = key
	tx := s.write().Idempotent(true).Put(s.putDraft(d, next))
	s.objects.Keep(key)(tx)
	return next, supersededIfFailed(tx.Run(ctx))
}

// putDraft returns the write that replaces a draft that is unchanged since it was read.
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
	defer fault.Wrap(&err, "snapshot.PublishDraft(draft, nonce)")

	for range maxPublications {
		b, err := s.Bases(ctx)
		if err != nil {
			return Head{}, err
		}
		if current := b.Draft(d.Format); current.Nonce != d.Nonce || current.ClaimedAt != d.ClaimedAt {
			return Head{}, ErrSuperseded
		}
		next := Head{d.Format, 1, d.Files, d.Until}
		for _, h := range b.Heads {
			next.Generation = max(next.Generation, h.Generation+1)
		}
		pk, sk := itemkey.SnapshotDraft.Key(s.name, strconv.Itoa(d.Format))
		commit, cancel := context.WithTimeout(ctx, entity.CommitBound)
		err = s.replaceHead(b.Head(d.Format), next).Put(s.putEntry(now(), Change{Base: next.Generation}, nonce)).
			Delete(s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("nonce = ? AND claimed = ?", d.Nonce, d.ClaimedAt)).
			Run(commit)
		cancel()
		if !dynamo.IsCondCheckFailed(err) {
			return next, err
		}
	}
	return Head{}, ErrSuperseded
}

func supersededIfFailed(err error) error {
	if dynamo.IsCondCheckFailed(err) {
		return ErrSuperseded
	}
	return err
}
