package snapshot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Head names the files of a base. The zero value is that of a format never published.
type Head struct {
	// Format is that of the files.
	Format int `dynamo:"-"`
	// Generation is larger than that of the head before it; that of a draft is larger than
	// those of all formats.
	Generation int64 `dynamo:"generation"`
	// Files are the keys of the files. Those of the head before are kept for a while, for
	// readers that have read that one.
	Files []string `dynamo:"files"`
	// Until is when the changes in the files were read, in milliseconds since 1970.
	Until int64 `dynamo:"until"`
}

// Draft is a base that is being made of the members themselves, file by file: what one process
// has made, the next goes on from. There is at most one of a format.
type Draft struct {
	Format int `dynamo:"-"`
	// Nonce tells the draft from every other; "" is no draft.
	Nonce string `dynamo:"nonce"`
	// Files are the keys of the files, "" for one that is not made yet.
	Files []string `dynamo:"files,allowemptyelem"`
	// Members is the number of members in the files that are made.
	Members int `dynamo:"members"`
	// Until is when the draft was begun, in milliseconds since 1970.
	Until int64 `dynamo:"until"`
	// ClaimedAt is when a process last said that it works on the draft, in milliseconds since
	// 1970; 0 if it has left it to the next one.
	ClaimedAt int64 `dynamo:"claimed"`
}

// Bases are what is published and being made.
type Bases struct {
	// Heads has the newest generation first.
	Heads  []Head
	Drafts []Draft
}

// Head returns the head of a format.
func (b Bases) Head(format int) Head {
	i := slices.IndexFunc(b.Heads, func(h Head) bool { return h.Format == format })
	if i < 0 {
		return Head{Format: format}
	}
	return b.Heads[i]
}

// Draft returns the draft of a format.
func (b Bases) Draft(format int) Draft {
	i := slices.IndexFunc(b.Drafts, func(d Draft) bool { return d.Format == format })
	if i < 0 {
		return Draft{Format: format}
	}
	return b.Drafts[i]
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

// storedItem is a head or a draft, without what only the other has.
type storedItem struct {
	PK         string   `dynamo:"pk,hash"`
	SK         string   `dynamo:"sk,range"`
	Generation int64    `dynamo:"generation"`
	Files      []string `dynamo:"files"`
	Until      int64    `dynamo:"until"`
	Nonce      string   `dynamo:"nonce"`
	Members    int      `dynamo:"members"`
	ClaimedAt  int64    `dynamo:"claimed"`
}

// Bases reads the heads and drafts of all formats, consistently.
func (s *Store) Bases(ctx context.Context) (b Bases, err error) {
	var items []storedItem
	if err := s.table.Get(topology.PK, itemkey.SnapshotHead.PK(s.name)).Consistent(true).All(ctx, &items); err != nil {
		return b, err
	}
	for _, item := range items {
		if values, ok := itemkey.SnapshotHead.ParseSK(item.SK); ok {
			format, _ := strconv.Atoi(values[0])
			b.Heads = append(b.Heads, Head{format, item.Generation, item.Files, item.Until})
		}
		if values, ok := itemkey.SnapshotDraft.ParseSK(item.SK); ok {
			format, _ := strconv.Atoi(values[0])
			b.Drafts = append(b.Drafts, Draft{format, item.Nonce, item.Files, item.Members, item.Until, item.ClaimedAt})
		}
	}
	slices.SortFunc(b.Heads, func(a, b Head) int { return cmp.Compare(b.Generation, a.Generation) })
	return b, nil
}

// File reads a file.
func (s *Store) File(ctx context.Context, key string) ([]byte, error) {
	return s.bucket.Get(ctx, key, maxFile)
}

// PutFile stores a file, which goes to no base yet: one that does not within about ten minutes
// is removed. nonce is different in every process.
func (s *Store) PutFile(ctx context.Context, format int, nonce string, number int, content []byte) (key string, err error) {
	key = fmt.Sprintf("%s/%d/%s-%d", s.name, format, nonce, number)
	return key, s.objects.Put(ctx, key, "application/octet-stream", content)
}

// Publish replaces the head that a base was made from, and returns the new one. files are the
// base's, some of them those of was; until is when the changes in them were read. It returns
// ErrSuperseded if the head is no longer was.
func (s *Store) Publish(ctx context.Context, was Head, files []string, until time.Time) (Head, error) {
	next := Head{was.Format, was.Generation + 1, files, until.UnixMilli()}
	tx := s.replaceHead(was, next)
	for _, key := range files {
		if !slices.Contains(was.Files, key) {
			s.objects.Keep(key)(tx)
		}
	}
	err := tx.Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return was, ErrSuperseded
	}
	return next, err
}

// replaceHead returns the transaction that replaces a head, and with it what leads to the
// files that only the old one names.
func (s *Store) replaceHead(was, next Head) *dynamo.WriteTx {
	pk, sk := itemkey.SnapshotHead.Key(s.name, strconv.Itoa(next.Format))
	tx := s.write().Idempotent(true).
		Put(s.table.Put(headItem{pk, sk, next}).If("attribute_not_exists($) OR $ = ?", "generation", "generation", was.Generation))
	s.dispose(tx, was.Files, next.Files)
	return tx
}

// dispose leads to the files that nothing else leads to any more.
func (s *Store) dispose(tx *dynamo.WriteTx, files, kept []string) {
	for _, key := range files {
		if key != "" && !slices.Contains(kept, key) {
			s.objects.Dispose(key)(tx)
		}
	}
}

// Retire removes the bases of other formats that are older than the log: no reader of them can
// know what changed since.
func (s *Store) Retire(ctx context.Context, b Bases, format int, now time.Time) error {
	oldest := now.Add(-Retention).UnixMilli()
	for _, h := range b.Heads {
		if h.Format != format && h.Until < oldest {
			if err := s.remove(ctx, itemkey.SnapshotHead, h.Format, h.Until, h.Files); err != nil {
				return err
			}
		}
	}
	for _, d := range b.Drafts {
		if d.Format != format && d.Until < oldest {
			if err := s.remove(ctx, itemkey.SnapshotDraft, d.Format, d.Until, d.Files); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove removes a head or a draft, unless it has changed.
func (s *Store) remove(ctx context.Context, kind itemkey.Kind, format int, until int64, files []string) error {
	pk, sk := kind.Key(s.name, strconv.Itoa(format))
	tx := s.write().Delete(s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("$ = ?", "until", until))
	s.dispose(tx, files, nil)
	if err := tx.Run(ctx); err != nil && !dynamo.IsCondCheckFailed(err) {
		return err
	}
	return nil
}
