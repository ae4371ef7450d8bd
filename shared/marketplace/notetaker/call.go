// Package notetaker stores recruiters' recorded calls: rows for the list, details, and
// transcripts in the bucket.
//
// The type is the payload of the feed's events. Only calls with a transcript are listed.
// URLs of recordings and other media are not stored at all.
package notetaker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Call is a call that a recruiter recorded.
type Call struct {
	RecruiterID     string                     `json:"recruiterId" check:"required,format=id"`
	Title           string                     `json:"title" check:"max=500"`
	ScheduledAt     contract.Time              `json:"scheduledAt" check:"required"`
	Platform        string                     `json:"platform" check:"max=100"`
	URL             string                     `json:"url" check:"required,format=uri,max=2048" doc:"The call's page in the app; no recording."`
	DurationSeconds *float64                   `json:"durationSeconds" check:"nullable,min=0"`
	Participants    []contract.CallParticipant `json:"participants" check:"max=30" doc:"At most 30; an erasure removes each of them."`
	Candidate       *Candidate                 `json:"candidate" check:"nullable"`
	RoleID          *string                    `json:"roleId" check:"nullable,format=id"`
	Summary         *string                    `json:"summary" check:"nullable,max=2000" doc:"A short preview."`
	SummaryFull     *string                    `json:"summaryFull" check:"nullable,max=100000"`
	UpdatedAt       contract.Time              `json:"updatedAt" check:"required"`
	// Transcript is stored in the bucket, not in the item.
	Transcript *Transcript `json:"transcript" check:"nullable"`
}

// Candidate is the candidate that the call was about.
type Candidate struct {
	CandidateID string `json:"candidateId" check:"required,format=id"`
	Name        string `json:"name" check:"required,max=300"`
}

// Transcript is what was said.
type Transcript struct {
	Language *string   `json:"language" check:"nullable,max=35"`
	Segments []Segment `json:"segments" check:"required,max=50000"`
}

// Segment is one speaker's turn.
type Segment struct {
	Speaker      *string  `json:"speaker" check:"nullable,max=300"`
	SpeakerEmail *string  `json:"speakerEmail" check:"nullable,max=320" doc:"Can be erased, too. Beyond 45 persons of a call the address is not stored."`
	StartSeconds *float64 `json:"startSeconds" check:"nullable,min=0"`
	EndSeconds   *float64 `json:"endSeconds" check:"nullable,min=0"`
	Text         string   `json:"text" check:"required"`
}

// Key returns the key of a call's item.
func Key(id string) entity.Key { return entity.KeyOf(itemkey.Call, id) }

// Store stores calls. A change is dropped unless it is newer than what is stored, and may be repeated (package entity).
type Store struct {
	entities    *entity.Store
	transcripts objectstore.Bucket
}

// NewStore returns a store in the marketplace table, with the bucket of the transcripts.
func NewStore(entities *entity.Store, transcripts objectstore.Bucket) *Store {
	return &Store{entities, transcripts}
}

// Put stores a call and its transcript; nil deletes both.
func (s *Store) Put(ctx context.Context, id string, at entity.Stamp, c *Call) (err error) {
	defer fault.Wrap(&err, "notetaker.Put(id)")

	// An assistant that records calls may take part in all of them.
	change := entity.Change{Key: Key(id), Stamp: at, PersonsUnconditional: true}
	var text *entity.Text
	if c != nil {
		persons, transcript := c.findPersons()
		change.Persons = persons
		stored := Recorded{Call: *c}
		stored.Transcript = nil
		if transcript != nil {
			var content bytes.Buffer
			encoder := json.NewEncoder(&content)
			encoder.SetEscapeHTML(false) // which would take six bytes for "<"
			if err := encoder.Encode(transcript); err != nil {
				return err
			}
			stored.TranscriptKey = "transcripts/calls/" + id + "/" + strconv.FormatInt(at.Version, 10)
			text = &entity.Text{Key: stored.TranscriptKey, Type: "application/json", Content: content.Bytes()}
		}
		change.Next = func(entity.State) (entity.NewState, error) { return entity.NewState{Rows: stored.entityRows(id)}, nil }
	}
	_, err = s.entities.Objects(s.transcripts).Apply(ctx, change, text)
	return err
}

// Erase deletes a call of an erased person, with its transcript, and reports whether it did: a call with events after
// at stays.
func (s *Store) Erase(ctx context.Context, id string, at time.Time) (erased bool, err error) {
	defer fault.Wrap(&err, "notetaker.Erase(id)")

	return s.entities.Objects(s.transcripts).Erase(ctx, entity.Change{Key: Key(id), Stamp: entity.Stamp{At: at}})
}

// Recorded is a call as the item with its details has it, or as the list shows it: without its full summary and
// without what is needed to read its transcript.
type Recorded struct {
	ID string `json:"-"`
	Call
	// TranscriptKey is the object that holds the transcript.
	TranscriptKey string `json:"transcriptKey,omitempty"`
}

func (c Recorded) entityRows(id string) []entity.Row {
	all := []entity.Row{entity.RowOf(itemkey.CallDetail, c, id)}
	if c.TranscriptKey != "" {
		thin := c.Call
		thin.SummaryFull = nil
		place := entity.RankOf(c.ScheduledAt.Time, id)
		all = append(all, entity.RowOf(itemkey.RecruiterCall, thin, c.RecruiterID, place.Key(), id))
	}
	return all
}

// maxPersons bounds the persons of a call. Each is an action of its transaction, and another one where a change replaces them all;
// with those of the call itself there may be 100.
const maxPersons = 45

// findPersons returns the hashes of the persons whom an erasure has to find: the participants, and who speaks. From the
// transcript that is stored it removes the addresses of speakers beyond maxPersons.
func (c Call) findPersons() (hashes []string, stored *Transcript) {
	var participants []*string
	for _, p := range c.Participants {
		participants = append(participants, &p.Email)
	}
	hashes = entity.PersonHashes(participants...)
	if c.Transcript == nil {
		return hashes, nil
	}
	transcript := Transcript{c.Transcript.Language, slices.Clone(c.Transcript.Segments)}
	for i, segment := range transcript.Segments {
		speaker := entity.PersonHashes(segment.SpeakerEmail)
		switch {
		case len(speaker) == 0 || slices.Contains(hashes, speaker[0]):
		case len(hashes) < maxPersons:
			hashes = append(hashes, speaker[0])
		default:
			transcript.Segments[i].SpeakerEmail = nil
		}
	}
	return hashes, &transcript
}

// List returns the page of at most limit of a recruiter's calls after a position, newest
// first; 0 is before the first. next is the position after which the next page begins, 0
// on the last page. A position is a rank ([entity.Rank]); the page ends between two
// ranks ([paging.End]). List takes one request, unless more than a few calls share a rank.
func (s *Store) List(ctx context.Context, recruiterID string, after int64, limit int) (page []Recorded, next int64, err error) {
	defer fault.Wrap(&err, "notetaker.List(recruiterID)")

	const together = 16 // more than usually share a rank
	query := entity.QueryOf(itemkey.RecruiterCall, recruiterID).AfterRank(entity.Rank(after))
	rows, more, err := s.entities.QueryRanks(ctx, query, limit+together, limit)
	if err != nil {
		return nil, 0, err
	}
	for _, row := range rows {
		values, _ := itemkey.RecruiterCall.ParseSK(row.SK)
		c := Recorded{ID: values[1]}
		if err := row.Into(&c); err != nil {
			return nil, 0, err
		}
		page = append(page, c)
	}
	end := paging.End(page, limit, func(c Recorded) (entity.Rank, bool) { return c.listRank(), true })
	if more || end < len(page) {
		next = int64(page[end-1].listRank())
	}
	return page[:end], next, nil
}

func (c Recorded) listRank() entity.Rank { return entity.RankOf(c.ScheduledAt.Time, c.ID) }

// Call reads a recruiter's call without its transcript. there is false for another's call and one that has no transcript.
func (s *Store) Call(ctx context.Context, recruiterID, id string) (f Recorded, there bool, err error) {
	defer fault.Wrap(&err, "notetaker.Call(recruiterID, id)")

	row, _, err := s.entities.Item(ctx, entity.KeyOf(itemkey.CallDetail, id))
	if err != nil {
		return f, false, err
	}
	err = row.Into(&f)
	f.ID = id
	return f, f.RecruiterID == recruiterID && f.TranscriptKey != "", err
}

// maxTranscript bounds a transcript that is read from the bucket, in bytes.
const maxTranscript = 64 << 20

// Transcript reads the transcript of a call; if it has been replaced since the call was read, and so does not exist any
// more, the new one. It returns fault.Missing if the call was deleted.
func (s *Store) Transcript(ctx context.Context, f Recorded) (t Transcript, err error) {
	defer fault.Wrap(&err, "notetaker.Transcript(callID)")

	content, err := s.transcripts.Get(ctx, f.TranscriptKey, maxTranscript)
	if err != nil {
		now, there, readErr := s.Call(cloud.Live(ctx), f.RecruiterID, f.ID) // consistently, as the first read may not have been
		switch {
		case readErr == nil && !there:
			return t, fault.Missing()
		case readErr != nil, now.TranscriptKey == f.TranscriptKey:
			return t, errors.Join(err, readErr)
		}
		content, err = s.transcripts.Get(ctx, now.TranscriptKey, maxTranscript)
	}
	if err != nil {
		return t, err
	}
	return t, json.Unmarshal(content, &t)
}
