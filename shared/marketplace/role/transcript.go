package role

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

const (
	// maxConcurrentReads bounds the texts that are read at one time, of up to 16 MB each.
	maxConcurrentReads = 2
	// maxTexts bounds the texts of one role's transcripts together, in bytes: Lambda accepts no such response.
	maxTexts = 6 << 20
)

// Transcripts returns the intake transcripts that the reader may read, with texts. It fails if these fit no response.
func (s *Store) Transcripts(ctx context.Context, f FullRole, reader Reader) (_ []StoredTranscript, err error) {
	defer fault.Wrap(&err, "role.Transcripts")

	isHidden := func(t StoredTranscript) bool { return !t.Readers.includeReader(reader) }
	mine := slices.DeleteFunc(slices.Clone(f.transcripts), isHidden)
	var total atomic.Int64
	err = cloud.EachUntilError(ctx, maxConcurrentReads, mine, func(ctx context.Context, n int, _ StoredTranscript) error {
		err := s.readText(ctx, f.id, &mine[n])
		if total.Add(int64(len(mine[n].Text))) > maxTexts {
			err = fmt.Errorf("the transcripts of role %s have more than %d bytes", f.id, maxTexts)
		}
		return err
	})
	return slices.DeleteFunc(mine, func(t StoredTranscript) bool { return t.TextKey == "" || isHidden(t) }), err
}

// readText reads the text of a transcript. If that has been replaced since the row was read, its text does not exist any
// more, and readText reads the new one, with its row; without a row it clears the transcript.
func (s *Store) readText(ctx context.Context, roleID string, t *StoredTranscript) error {
	text, err := s.texts.Get(ctx, t.TextKey, 4*MaxText)
	if err != nil {
		now, readErr := s.readTranscript(ctx, roleID, t.ID)
		if readErr != nil || now.TextKey == t.TextKey {
			return errors.Join(err, readErr)
		}
		*t = now
		if now.TextKey == "" {
			return nil
		}
		text, err = s.texts.Get(ctx, now.TextKey, 4*MaxText)
	}
	t.Text = string(text)
	return err
}

// readTranscript reads the row of a role's transcript, consistently; the zero value if there is none.
func (s *Store) readTranscript(ctx context.Context, roleID, id string) (t StoredTranscript, err error) {
	for row, err := range s.entities.Query(cloud.Live(ctx), entity.QueryOf(itemkey.RoleTranscript, roleID)) {
		if err != nil {
			return t, err
		}
		if values, _ := itemkey.RoleTranscript.ParseSK(row.SK); values[1] == id {
			err := row.Into(&t)
			t.ID = id
			return t, err
		}
	}
	return t, nil
}
