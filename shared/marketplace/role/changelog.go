package role

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// ChangeLog is where changes to what roles are found by are noted.
type ChangeLog struct {
	// Now is the clock of the entries.
	Now func() time.Time
	// NewEntry returns an entry that is made now.
	NewEntry func(Changed) entity.Action
}

// Changed names roles that changed: one by its id, or those of a company by the first and
// last of their ids.
type Changed struct {
	RoleID                 string
	CompanyID, First, Last string
}

// WithChangeLog is the store that notes each change to what a role is found by; nil notes
// none. The entry of one role is in the transaction of the change. That of a company's roles
// follows the changes: a writer that is interrupted before it repeats them all.
func (s *Store) WithChangeLog(log *ChangeLog) *Store {
	return &Store{entities: s.entities, texts: s.texts, log: log}
}

// logChange is what goes with a change to a role.
func (s *Store) logChange(roleID string) []entity.Action {
	if s.log == nil {
		return nil
	}
	return []entity.Action{s.log.NewEntry(Changed{RoleID: roleID})}
}

// applyInTime commits a change to what a role is found by, in time or not at all. Of one that
// took long the entry may have become visible when readers no longer ask for it each time.
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

// setIndexed is set for what a role is found by.
func setIndexed[T any](ctx context.Context, s *Store, roleID string, k entity.Key, version int64, body *T) error {
	if s.log == nil {
		return setBody(ctx, s, k, version, body)
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
