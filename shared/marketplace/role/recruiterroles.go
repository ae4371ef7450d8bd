package role

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// RecruiterRoles is a recruiter's involvement in all roles, and the saved preferences.
type RecruiterRoles struct {
	Preferences SavedPreferences
	// Roles has all the recruiter's involvements, by role id. It must not be modified.
	Roles map[string]Involvement
	// changes is the count of changes to Roles that was read with them, which is never newer than they are.
	changes int64
}

// RecruiterRoles reads a recruiter's involvement and preferences, consistently, in one call for
// some 5,000 roles. The saved preferences, with the count of changes, are the first item.
func (s *Store) RecruiterRoles(ctx context.Context, recruiterID string) (_ RecruiterRoles, err error) {
	defer fault.Wrap(&err, "role.RecruiterRoles(recruiterID)")

	d := RecruiterRoles{Roles: map[string]Involvement{}}
	saved := preferencesKey(recruiterID)
	for i, err := range s.entities.Query(ctx, entity.Query{PK: saved.PK, Prefix: saved.SK}) {
		if err != nil {
			return d, err
		}
		if values, ok := itemkey.RecruiterRole.ParseSK(i.SK); ok {
			d.Roles[values[0]], err = involvementIn(i)
		} else {
			err = d.addPreferences(i)
		}
		if err != nil {
			return d, err
		}
	}
	return d, nil
}

func (d *RecruiterRoles) addPreferences(item entity.Item) error {
	counted, err := item.State(changesPart)
	d.changes = counted.Version
	return errors.Join(err, item.Into(&d.Preferences))
}

// Preferences reads a recruiter's saved preferences; empty when none are saved.
func (s *Store) Preferences(ctx context.Context, recruiterID string) (p SavedPreferences, err error) {
	defer fault.Wrap(&err, "role.Preferences(recruiterID)")

	_, p, err = entity.Read[SavedPreferences](ctx, s.entities, preferencesKey(recruiterID))
	return p, err
}

// Complete adds the whole company to a role that was read and returns the recruiter's involvement in it, in one call.
func (s *Store) Complete(ctx context.Context, f *FullRole, recruiterID string) (mine Involvement, err error) {
	defer fault.Wrap(&err, "role.Complete(recruiterID)")

	items, err := s.entities.Items(ctx, []entity.Key{companyKey(f.role.CompanyID), involvementKey(recruiterID, f.id)}, true)
	if err != nil {
		return mine, err
	}
	f.company = Company{}
	for _, i := range items {
		if i.PK == companyKey(f.role.CompanyID).PK {
			err = i.Into(&f.company)
		} else {
			mine, err = involvementIn(i)
		}
		if err != nil {
			return mine, err
		}
	}
	return mine, nil
}

// SubmissionsFor returns the newest applications on a role of a recruiter and, where one is named, of an agency.
func (s *Store) SubmissionsFor(ctx context.Context, roleID, recruiterID, agencyID string) (_ []Application, err error) {
	defer fault.Wrap(&err, "role.SubmissionsFor(roleID, recruiterID, agencyID)")

	lists := []entity.Query{entity.QueryOf(itemkey.RecruiterApplication, roleID, recruiterID)}
	if agencyID != "" {
		lists = append(lists, entity.QueryOf(itemkey.AgencyApplication, roleID, agencyID))
	}
	found := make([][]entity.Item, len(lists))
	err = cloud.EachUntilError(ctx, len(lists), lists, func(ctx context.Context, n int, newest entity.Query) (err error) {
		newest.Descending = true
		found[n], _, err = s.entities.QueryPage(ctx, newest, maxSubmissions)
		return err
	})
	if err != nil {
		return nil, err
	}
	// A sort key is time and id: of two that are equal one is a repeat.
	rows := slices.Concat(found...)
	slices.SortFunc(rows, func(a, b entity.Item) int { return strings.Compare(b.SK, a.SK) })
	rows = slices.CompactFunc(rows, func(a, b entity.Item) bool { return a.SK == b.SK })
	return ApplicationsIn(rows[:min(len(rows), maxSubmissions)])
}

// RecruiterCache reads the involvement of recruiters in roles ([Store.RecruiterRoles]) and keeps it
// for recruiters with many roles. One item says whether it is still current, so the roles are read
// again only after a change. It is safe for concurrent use.
type RecruiterCache struct {
	store *Store
	kept  *cloud.Cache[RecruiterRoles]
}

const (
	// minKept is the smallest number of roles that is kept for a recruiter: a read unit, and a call's processor time.
	minKept = 16
	// maxKept bounds the roles that are kept for all recruiters together: about 10 MB.
	maxKept = 20_000
)

// NewRecruiterCache returns an empty cache.
func NewRecruiterCache(store *Store) *RecruiterCache {
	return &RecruiterCache{store, cloud.NewCache[RecruiterRoles](maxKept)}
}

// Read returns a recruiter's current involvement in all roles, in one call; in two after a change.
func (c *RecruiterCache) Read(ctx context.Context, recruiterID string) (_ RecruiterRoles, err error) {
	defer fault.Wrap(&err, "role.Read(recruiterID)")

	if kept, there := c.kept.Get(recruiterID); there {
		item, _, err := c.store.entities.Item(ctx, preferencesKey(recruiterID))
		now := RecruiterRoles{Roles: kept.Roles}
		if err == nil {
			err = now.addPreferences(item)
		}
		if err != nil || now.changes == kept.changes {
			return now, err
		}
	}
	read, err := c.store.RecruiterRoles(ctx, recruiterID)
	switch {
	case err != nil:
	case len(read.Roles) < minKept:
		c.kept.Remove(recruiterID)
	default:
		c.kept.Put(recruiterID, read, len(read.Roles))
	}
	return read, err
}
