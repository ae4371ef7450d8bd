package catalogue

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// NewChangeLog returns the change log of a catalogue, for the writers of its roles.
func NewChangeLog(snapshots *snapshot.Store, now func() time.Time, newID func() uuid.UUID) *role.ChangeLog {
	return &role.ChangeLog{Now: now, NewEntry: func(c role.Changed) entity.Action {
		nonce := newID().String()[24:] // 48 random bits: readers pay for every byte
		if c.CompanyID != "" {
			return snapshots.MarkGroup(now(), snapshot.Group{Name: c.CompanyID, First: c.First, Last: c.Last}, nonce)
		}
		return snapshots.Mark(now(), c.RoleID, nonce)
	}}
}

// ListChangedIDs returns the ids of the roles that the log entries name, sorted.
func ListChangedIDs(ctx context.Context, roles *role.Store, changes []snapshot.Change) (ids []string, err error) {
	for _, change := range changes {
		if change.Base != 0 {
			continue
		}
		c := role.Changed{RoleID: change.ID, CompanyID: change.Group.Name, First: change.Group.First, Last: change.Group.Last}
		some, err := roles.ChangedIDs(ctx, c)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}
