package role

import (
	"context"
	"strconv"

	"github.com/recruiting-marketplace/external-api/shared/entity"
)

// PutTranscript stores an intake transcript, its text in the bucket; nil deletes
// both.
func (s *Store) PutTranscript(ctx context.Context, id string, at entity.Stamp, t *Transcript) error {
	c := entity.Change{Key: transcriptKey(id), Stamp: at}
	var text *entity.Text
	if t != nil {
		row := shelved{*t, "transcripts/intake/" + id + "/" + strconv.FormatInt(at.Version, 10)}
		row.Text = ""
		text = &entity.Text{Key: row.TextKey, Type: "text/plain; charset=utf-8", Content: []byte(t.Text)}
		c.Live = func(entity.State) (entity.Next, error) { return entity.Next{Rows: row.rows(id)}, nil }
	}
	_, err := entity.Shelf{Entities: s.entities, Bucket: s.texts}.Apply(ctx, c, text)
	return err
}
