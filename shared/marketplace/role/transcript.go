package role

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// PutTranscript stores an intake transcript, its text in the bucket; nil deletes
// both.
func (s *Store) PutTranscript(ctx context.Context, id string, at entity.Stamp, t *Transcript) (err error) {
	defer fault.Wrap(&err, "role.PutTranscript(id)")

	c := entity.Change{Key: entity.KeyOf(itemkey.Transcript, id), Stamp: at}
	var text *entity.Text
	if t != nil {
		row := StoredTranscript{Transcript: *t, TextKey: "transcripts/intake/" + id + "/" + strconv.FormatInt(at.Version, 10)}
		row.Text = ""
		text = &entity.Text{Key: row.TextKey, Type: "text/plain; charset=utf-8", Content: []byte(t.Text)}
		c.Next = func(entity.State) (entity.NewState, error) { return entity.NewState{Rows: row.newRows(id)}, nil }
	}
	_, err = entity.TextStore{Entities: s.entities, Bucket: s.texts}.Apply(ctx, c, text)
	return err
}

const (
	// maxConcurrentReads bounds the texts that are read at one time, of up to 16 MB each.
	maxConcurrentReads = 2
	// maxTexts bounds the texts of one role's transcripts together, in bytes. Lambda accepts no
	// response of that size.
	maxTexts = 6 << 20
)

// Transcripts returns those of the role's intake transcripts that the reader may read, with
// their texts. It fails if these are too large for a response.
func (s *Store) Transcripts(ctx context.Context, f FullRole, reader Reader) (_ []StoredTranscript, err error) {
	defer fault.Wrap(&err, "role.Transcripts")

	mine := slices.DeleteFunc(slices.Clone(f.transcripts), func(t StoredTranscript) bool { return !t.Readers.includeReader(reader) })
	var total atomic.Int64
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(maxConcurrentReads)
	for i, t := range mine {
		g.Go(func() error {
			text, err := s.texts.Get(gctx, t.TextKey, 4*MaxText)
			if err == nil && total.Add(int64(len(text))) > maxTexts {
				err = fmt.Errorf("the transcripts of role %s have more than %d bytes", f.id, maxTexts)
			}
			mine[i].Text = string(text)
			return err
		})
	}
	return mine, g.Wait()
}

// MaxText is the longest text of an intake transcript, in characters.
const MaxText = 4 << 20
