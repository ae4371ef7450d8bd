package role

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/entity"
)

// Record is a role with everything that its detail and brief are made of.
type Record struct {
	// Raw has the company's facts; Complete adds the rest of the company.
	Raw
	Announcements []Announcement
	transcripts   []storedRow
}

// storedRow is an intake transcript as its row holds it.
type storedRow struct {
	id string
	shelved
}

// Record reads a role consistently, in one call; ok is false where there is none.
func (s *Store) Record(ctx context.Context, id string) (r Record, ok bool, err error) {
	all, err := s.entities.Partition(ctx, roleKey(id).PK)
	if err != nil {
		return r, false, err
	}
	parts := map[string]entity.Item{}
	for _, i := range all {
		parts[i.SK] = i
		if err := r.add(i); err != nil {
			return r, false, err
		}
	}
	r.Raw, ok, err = rawOf(id, parts["R"], parts["T"])
	return r, ok, err
}

// add takes up announcements and transcripts, newest first.
func (r *Record) add(i entity.Item) error {
	switch {
	case strings.HasPrefix(i.SK, "N#"):
		var a Announcement
		if err := content(i, "", &a); err != nil {
			return err
		}
		r.Announcements = slices.Insert(r.Announcements, 0, a)
	case strings.HasPrefix(i.SK, "I#"):
		t := storedRow{id: i.SK[strings.LastIndex(i.SK, "#")+1:]}
		if err := content(i, "", &t.shelved); err != nil {
			return err
		}
		r.transcripts = slices.Insert(r.transcripts, 0, t)
	}
	return nil
}

// Complete adds the whole company, and tells what a recruiter is to the role, in
// one call.
func (s *Store) Complete(ctx context.Context, r *Record, recruiterID string) (own Own, err error) {
	company, mine := companyKey(r.role.CompanyID), mineKey(recruiterID, r.id)
	found, err := s.entities.Batch(ctx, []entity.Key{company, mine}, true)
	if err != nil {
		return own, err
	}
	var whole Company
	if err := content(found[company], "", &whole); err != nil {
		return own, err
	}
	if whole.Name != "" {
		r.company = whole
	}
	return ownOf(found[mine])
}

// Submissions reads the newest applications of a recruiter to a role, and where an
// agency is named those of the whole agency too; newest first, as many as a detail lists.
func (s *Store) Submissions(ctx context.Context, roleID, recruiterID, agencyID string) ([]Application, error) {
	partitions := []string{"S#" + roleID + "#" + recruiterID}
	if agencyID != "" {
		partitions = append(partitions, "S#"+roleID+"#A#"+agencyID)
	}
	read := make([][]entity.Item, len(partitions))
	g, gctx := errgroup.WithContext(ctx)
	for i, pk := range partitions {
		g.Go(func() (err error) { read[i], err = s.entities.Last(gctx, pk, maxSubmissions); return err })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(read...)
	// A sort key is the time and the id: of two that are equal, one is a repeat.
	slices.SortFunc(all, func(a, b entity.Item) int { return strings.Compare(b.SK, a.SK) })
	all = slices.CompactFunc(all, func(a, b entity.Item) bool { return a.SK == b.SK })
	applications := make([]Application, min(len(all), maxSubmissions))
	for i := range applications {
		if err := content(all[i], "", &applications[i]); err != nil {
			return nil, err
		}
	}
	return applications, nil
}

// maxText bounds what is read of a transcript: what an event may bring, in bytes.
const maxText = 4 * 4 << 20

// Transcripts reads the intake transcripts that the reader may read, newest first.
func (s *Store) Transcripts(ctx context.Context, r Record, v View, reader Reader) ([]contract.IntakeTranscript, error) {
	var mine []StoredTranscript
	for _, t := range r.transcripts {
		if !t.Readers.include(reader) {
			continue
		}
		text, err := s.texts.Get(ctx, t.TextKey, maxText)
		if err != nil {
			return nil, err
		}
		t.Text = string(text)
		mine = append(mine, StoredTranscript{t.id, t.Transcript})
	}
	return v.Transcripts(mine, reader), nil
}
