package notetaker

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Listed is a call of a list, without its full summary.
type Listed struct {
	ID string
	Call
}

// List reads, in one call, the page of at most limit of a recruiter's calls behind
// a position, newest first; 0 is before the first. next is the position to go on
// behind, 0 when there is no more. Positions are places (entity.Place): a page ends
// between them, so it may be shorter than the limit, and it is longer only when
// more calls than the limit share one.
func (s *Store) List(ctx context.Context, recruiterID string, after int64, limit int) (page []Listed, next int64, err error) {
	const together = 16 // far more than share a place
	found, more, err := s.shelf.Entities.List(ctx, "U#"+recruiterID, rows, entity.AfterPlace(rows, entity.Place(after)), limit+together)
	if err != nil {
		return nil, 0, err
	}
	ends := 0 // the longest page that ends between places and is within the limit
	var last entity.Place
	for i, row := range found {
		var c Listed
		if err := row.Into(&c.Call); err != nil {
			return nil, 0, err
		}
		_, c.ID, _ = strings.Cut(row.SK[len(rows):], "#")
		at := entity.PlaceOf(c.ScheduledAt.Time, c.ID)
		if i > 0 && at != last {
			if next, ends = int64(last), i; ends >= limit {
				return page, next, nil
			}
		}
		if i >= limit && ends > 0 {
			return page[:ends], next, nil
		}
		page, last = append(page, c), at
	}
	if more {
		return page, int64(last), nil
	}
	return page, 0, nil
}

// Found is a call as its detail shows it.
type Found struct {
	Call
	id, transcriptKey string
}

// Call reads a recruiter's call, but not its transcript; false for another's, and
// for one without a transcript.
func (s *Store) Call(ctx context.Context, recruiterID, id string) (f Found, there bool, err error) {
	row, there, err := s.shelf.Entities.Row(ctx, "L#"+id, detailSK)
	if err != nil || !there {
		return f, false, err
	}
	var d detail
	if err := row.Into(&d); err != nil {
		return f, false, err
	}
	return Found{d.Call, id, d.TranscriptKey}, d.RecruiterID == recruiterID && d.TranscriptKey != "", nil
}

// maxTranscript bounds what is read of the bucket, in bytes.
const maxTranscript = 64 << 20

// Transcript reads the transcript of a call. One that was replaced since the call
// was read is gone: the new one is read then.
func (s *Store) Transcript(ctx context.Context, f Found) (t Transcript, err error) {
	content, err := s.shelf.Bucket.Get(ctx, f.transcriptKey, maxTranscript)
	if err != nil {
		now, there, readErr := s.Call(ctx, f.RecruiterID, f.id)
		if readErr != nil || !there || now.transcriptKey == f.transcriptKey {
			return t, errors.Join(err, readErr)
		}
		content, err = s.shelf.Bucket.Get(ctx, now.transcriptKey, maxTranscript)
	}
	if err != nil {
		return t, err
	}
	return t, json.Unmarshal(content, &t)
}
