package role

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Store keeps roles and what belongs to them. Every Put and Delete drops what is
// not newer than what is stored and may be repeated (package entity).
type Store struct {
	entities *entity.Store
	texts    objectstore.Bucket
	log      *ChangeLog // nil notes no changes
	// companies has the versionedFacts of companies that a bulk load knows, by id; nil without a load.
	companies *sync.Map
}

// NewStore works on the marketplace table; texts holds the transcripts.
func NewStore(entities *entity.Store, texts objectstore.Bucket) *Store {
	return &Store{entities: entities, texts: texts}
}

// maxListedSize bounds what every list reads of a role, its card, its pipeline and its
// company's facts each, in bytes of JSON. Together they fit an item.
const maxListedSize = 32 << 10

// checkListedSize refuses content that no list can read, as entity.ErrTooLarge.
func checkListedSize(body any) error {
	raw, err := json.Marshal(body)
	if err == nil && len(raw) > maxListedSize {
		err = fmt.Errorf("%w: %d bytes", entity.ErrTooLarge, len(raw))
	}
	return err
}

// Put stores a role with its prose, and a copy of its company's facts as far as
// they are known.
func (s *Store) Put(ctx context.Context, id string, at entity.Stamp, r Role) (err error) {
	defer fault.Wrap(&err, "role.Put(id)")

	if err := checkListedSize(r.Listing); err != nil {
		return err
	}
	if s.companies != nil {
		return s.putNew(ctx, id, at, r)
	}
	err = s.applyInTime(ctx, id, entity.Change{Key: roleKey(id), Stamp: at, Next: func(entity.State) (entity.NewState, error) {
		return entity.NewState{Body: r.Listing, Rows: r.newRows(id), Actions: s.logChange(id)}, nil
	}})
	if err != nil {
		return err
	}
	// The role is in its company's list by now, so a company that changes later
	// finds it there; what the company is at this moment is copied here. A repeat
	// of the event does it again.
	return s.copyFacts(ctx, id, r.CompanyID)
}

// Delete removes a role. Data from other events about it stays, because the role may return.
func (s *Store) Delete(ctx context.Context, id string, at entity.Stamp) (err error) {
	defer fault.Wrap(&err, "role.Delete(id)")

	return s.applyInTime(ctx, id, entity.Change{Key: roleKey(id), Stamp: at, OnDelete: func(entity.State) ([]entity.Action, error) {
		return s.logChange(id), nil
	}})
}

// PutMetrics stores a role's metrics; nil deletes them.
func (s *Store) PutMetrics(ctx context.Context, roleID string, version int64, m *Metrics) (err error) {
	defer fault.Wrap(&err, "role.PutMetrics(roleID)")

	return setIndexed(ctx, s, roleID, withPart(roleKey(roleID), metricsPart), version, m)
}

// PutPipeline stores a role's pipeline; nil deletes it.
func (s *Store) PutPipeline(ctx context.Context, roleID string, version int64, p *Pipeline) (err error) {
	defer fault.Wrap(&err, "role.PutPipeline(roleID)")

	if err := checkListedSize(p); err != nil {
		return err
	}
	_, err = s.entities.Set(ctx, withPart(roleKey(roleID), pipelinePart), version, p)
	return err
}

// PutAssignment stores a recruiter's assignment to a role; nil deletes it. The change is counted
// whether or not it is new: an earlier delivery may have died before it was counted.
func (s *Store) PutAssignment(ctx context.Context, roleID, recruiterID string, version int64, a *Assignment) (err error) {
	defer fault.Wrap(&err, "role.PutAssignment(roleID, recruiterID)")

	if a != nil {
		a = new(*a)
		a.RoleID = ""
		a.RecruiterID = "" // the key says it
	}
	if _, err := s.entities.Set(ctx, withPart(involvementKey(recruiterID, roleID), assignmentPart), version, a); err != nil {
		return err
	}
	return s.countInvolvementChange(ctx, recruiterID)
}

// countInvolvementChange counts a change to a recruiter's involvement in roles. It runs after the
// change, so a reader of the roles before the change also has the count before it, and reads the
// roles again.
func (s *Store) countInvolvementChange(ctx context.Context, recruiterID string) error {
	return s.entities.CountChange(ctx, withPart(preferencesKey(recruiterID), changesPart))
}

// PutPreferences stores a recruiter's saved preferences; nil deletes them.
func (s *Store) PutPreferences(ctx context.Context, recruiterID string, version int64, p *SavedPreferences) (err error) {
	defer fault.Wrap(&err, "role.PutPreferences(recruiterID)")

	_, err = s.entities.Set(ctx, preferencesKey(recruiterID), version, p)
	return err
}

// PutAnnouncement stores an announcement; nil deletes it.
func (s *Store) PutAnnouncement(ctx context.Context, id string, at entity.Stamp, a *Announcement) (err error) {
	defer fault.Wrap(&err, "role.PutAnnouncement(id)")

	c := entity.Change{Key: entity.KeyOf(itemkey.Announcement, id), Stamp: at}
	if a != nil {
		c.Next = func(entity.State) (entity.NewState, error) { return entity.NewState{Rows: a.newRows(id)}, nil }
	}
	_, err = s.entities.Apply(ctx, c)
	return err
}
