package role

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/entity"
)

// Store keeps roles and what belongs to them. Every Put and Delete drops what is
// not newer than what is stored and may be repeated (package entity).
type Store struct {
	entities *entity.Store
	texts    cloud.Bucket
}

// NewStore works on the marketplace table; texts holds the transcripts.
func NewStore(entities *entity.Store, texts cloud.Bucket) *Store { return &Store{entities, texts} }

// Put stores a role with its prose, and a copy of its company's facts as far as
// they are known.
func (s *Store) Put(ctx context.Context, id string, at entity.Stamp, r Role) error {
	_, err := s.entities.Apply(ctx, entity.Change{Key: roleKey(id), Stamp: at, Live: func(entity.State) (entity.Next, error) {
		return entity.Next{Body: r.Card, Rows: r.rows(id)}, nil
	}})
	if err != nil {
		return err
	}
	// The role is in its company's list by now, so a company that changes later
	// finds it there; what the company is at this moment is copied here. A repeat
	// of the event does it again.
	return s.copyFacts(ctx, id, r.CompanyID)
}

// Delete removes a role. What others sent about it stays: it may come back.
func (s *Store) Delete(ctx context.Context, id string, at entity.Stamp) error {
	_, err := s.entities.Apply(ctx, entity.Change{Key: roleKey(id), Stamp: at})
	return err
}

// PutMetrics stores a role's metrics; nil deletes them.
func (s *Store) PutMetrics(ctx context.Context, roleID string, version int64, m *Metrics) error {
	return set(ctx, s, part(roleKey(roleID), metricsPart), version, m)
}

// PutPipeline stores a role's pipeline; nil deletes it.
func (s *Store) PutPipeline(ctx context.Context, roleID string, version int64, p *Pipeline) error {
	return set(ctx, s, part(roleKey(roleID), pipelinePart), version, p)
}

// PutAssignment stores what a recruiter is to a role; nil deletes it.
func (s *Store) PutAssignment(ctx context.Context, roleID, recruiterID string, version int64, a *Assignment) error {
	return set(ctx, s, part(mineKey(recruiterID, roleID), assignmentPart), version, a)
}

// PutPreferences stores a recruiter's saved preferences; nil deletes them.
func (s *Store) PutPreferences(ctx context.Context, recruiterID string, version int64, p *SavedPreferences) error {
	return set(ctx, s, preferencesKey(recruiterID), version, p)
}

func set[T any](ctx context.Context, s *Store, k entity.Key, version int64, body *T) error {
	var content any // a nil *T in an interface is not nil
	if body != nil {
		content = body
	}
	_, err := s.entities.Set(ctx, k, version, content)
	return err
}

// PutAnnouncement stores an announcement; nil deletes it.
func (s *Store) PutAnnouncement(ctx context.Context, id string, at entity.Stamp, a *Announcement) error {
	c := entity.Change{Key: announcementKey(id), Stamp: at}
	if a != nil {
		c.Live = func(entity.State) (entity.Next, error) { return entity.Next{Rows: a.rows(id)}, nil }
	}
	_, err := s.entities.Apply(ctx, c)
	return err
}
