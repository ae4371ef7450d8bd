package notetaker

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Listed is a call with its id, without its full summary.
type Listed struct {
	ID string
	Call
}

// List returns the page of at most limit of a recruiter's calls after a position, newest
// first; 0 is before the first. next is the position after which the next page begins, 0
// on the last page. A position is a rank ([entity.Rank]); the page ends between two
// ranks ([paging.End]). List takes one request, unless more than a few calls share a rank.
func (s *Store) List(ctx context.Context, recruiterID string, after int64, limit int) (page []Listed, next int64, err error) {
	defer fault.Wrap(&err, "notetaker.List(recruiterID)")

	const together = 16 // more than usually share a rank
	query := entity.QueryOf(itemkey.RecruiterCall, recruiterID).AfterRank(entity.Rank(after))
	rows, more, err := s.shelf.Entities.QueryRanks(ctx, query, limit+together, limit)
	if err != nil {
		return nil, 0, err
	}
	for _, row := range rows {
		values, _ := itemkey.RecruiterCall.ParseSK(row.SK)
		c := Listed{ID: values[1]}
		if err := row.Into(&c.Call); err != nil {
			return nil, 0, err
		}
		page = append(page, c)
	}
	end := paging.End(page, limit, func(c Listed) (entity.Rank, bool) { return c.listRank(), true })
	if more || end < len(page) {
		next = int64(page[end-1].listRank())
	}
	return page[:end], next, nil
}

func (c Listed) listRank() entity.Rank { return entity.RankOf(c.ScheduledAt.Time, c.ID) }

// Detail is a call with the data needed to read its transcript.
type Detail struct {
	Call
	id, transcriptKey string
}

// Call reads a recruiter's call, but not its transcript. there is false for a call of
// another recruiter and for one without a transcript.
func (s *Store) Call(ctx context.Context, recruiterID, id string) (f Detail, there bool, err error) {
	defer fault.Wrap(&err, "notetaker.Call(recruiterID, id)")

	row, _, err := s.shelf.Entities.Item(ctx, entity.KeyOf(itemkey.CallDetail, id))
	if err != nil {
		return f, false, err
	}
	d, err := entity.Decode[storedCall](row)
	return Detail{d.Call, id, d.TranscriptKey}, d.RecruiterID == recruiterID && d.TranscriptKey != "", err
}

// maxTranscript bounds a transcript that is read from the bucket, in bytes.
const maxTranscript = 64 << 20

// Transcript reads the transcript of a call. If it has been replaced since the call was
// read, it does not exist any more, and Transcript reads the new one, consistently. It returns fault.Missing if the call
// was deleted.
func (s *Store) Transcript(ctx context.Context, f Detail) (t Transcript, err error) {
	defer fault.Wrap(&err, "notetaker.Transcript")

	content, err := s.shelf.Bucket.Get(ctx, f.transcriptKey, maxTranscript)
	if err != nil {
		now, there, readErr := s.Call(cloud.Live(ctx), f.RecruiterID, f.id)
		switch {
		case readErr == nil && !there:
			return t, fault.Missing()
		case readErr != nil, now.transcriptKey == f.transcriptKey:
			return t, errors.Join(err, readErr)
		}
		content, err = s.shelf.Bucket.Get(ctx, now.transcriptKey, maxTranscript)
	}
	if err != nil {
		return t, err
	}
	return t, json.Unmarshal(content, &t)
}
