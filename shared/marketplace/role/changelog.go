package role

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// ChangeLog records changes to the data by which roles are found.
type ChangeLog struct {
	// Now is the clock of the entries.
	Now func() time.Time
	// NewEntry returns the action that adds an entry with the present time.
	NewEntry func(Changed) entity.Action
}

// Changed identifies roles that changed: one by its id, or roles of a company by the first and last
// of their ids.
type Changed struct {
	RoleID                 string
	CompanyID, First, Last string
}

// WithChangeLog returns the store that records in log each change to the data by which a role is
// found; nil records none. The entry of one role is in the transaction of the change. The entry of
// a company's roles follows their changes; if the writer is interrupted before that, its repeat
// makes all of them again.
func (s *Store) WithChangeLog(log *ChangeLog) *Store {
	return &Store{entities: s.entities, texts: s.texts, log: log}
}

func (s *Store) logChange(roleID string) []entity.Action {
	if s.log == nil {
		return nil
	}
	return []entity.Action{s.log.NewEntry(Changed{RoleID: roleID})}
}

// applyInTime commits a change to the data by which a role is found, in time or not at all. If the
// commit took long, readers may no longer have asked for the entry each time when it became
// visible, so the entry is added again.
func (s *Store) applyInTime(ctx context.Context, roleID string, c entity.Change) error {
	if s.log == nil {
		_, err := s.entities.Apply(ctx, c)
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, entity.CommitBound)
	defer cancel()
	begun := s.log.Now()
	if _, err := s.entities.Apply(ctx, c); err != nil || s.log.Now().Sub(begun) <= entity.PromptCommit {
		return err
	}
	return s.entities.Run(ctx, s.logChange(roleID)...)
}

// setIndexed is [entity.Store.Set] for the data by which a role is found.
func setIndexed[T any](ctx context.Context, s *Store, roleID string, k entity.Key, version int64, body *T) error {
	if s.log == nil {
		_, err := s.entities.Set(ctx, k, version, body)
		return err
	}
	with := func(entity.State) ([]entity.Action, error) { return s.logChange(roleID), nil }
	c := entity.Change{Key: k, Stamp: entity.Stamp{Version: version}, OnDelete: with}
	if body != nil {
		c.Next = func(entity.State) (entity.NewState, error) {
			return entity.NewState{Body: body, Actions: s.logChange(roleID)}, nil
		}
	}
	return s.applyInTime(ctx, roleID, c)
}
