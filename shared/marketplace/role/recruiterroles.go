package role

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// RecruiterRoles is a recruiter's involvement in all roles, and the saved preferences.
type RecruiterRoles struct {
	Preferences SavedPreferences
	// Roles has the involvements by role id; the recruiter is not involved in any other role. It
	// must not be modified.
	Roles map[string]Involvement
	// changes is the count of changes to Roles that was read with them; it is never newer than they
	// are.
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
	if err != nil {
		return err
	}
	return item.Into(&d.Preferences)
}

// Preferences reads a recruiter's saved preferences; empty when none are saved.
func (s *Store) Preferences(ctx context.Context, recruiterID string) (p SavedPreferences, err error) {
	defer fault.Wrap(&err, "role.Preferences(recruiterID)")

	state, err := s.entities.Get(ctx, preferencesKey(recruiterID))
	if err != nil {
		return p, err
	}
	return p, state.Into(&p)
}

// Complete adds the whole company to a role that was read, and returns the recruiter's involvement
// in the role, in one call.
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

// SubmissionsFor returns the newest applications that a recruiter sees on a role: the recruiter's
// own and, where an agency is named, those of the agency.
func (s *Store) SubmissionsFor(ctx context.Context, roleID, recruiterID, agencyID string) (_ []Application, err error) {
	defer fault.Wrap(&err, "role.SubmissionsFor(roleID, recruiterID, agencyID)")

	var own, agencys []entity.Item
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		own, err = s.newestSubmissions(gctx, itemkey.RecruiterApplication, roleID, recruiterID)
		return err
	})
	if agencyID != "" {
		g.Go(func() (err error) {
			agencys, err = s.newestSubmissions(gctx, itemkey.AgencyApplication, roleID, agencyID)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	// A sort key is time and id: of two that are equal one is a repeat.
	rows := slices.Concat(own, agencys)
	slices.SortFunc(rows, func(a, b entity.Item) int { return strings.Compare(b.SK, a.SK) })
	rows = slices.CompactFunc(rows, func(a, b entity.Item) bool { return a.SK == b.SK })
	all := make([]Application, min(len(rows), maxSubmissions))
	for i := range all {
		if err := rows[i].Into(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *Store) newestSubmissions(ctx context.Context, kind itemkey.Kind, roleID, ownerID string) ([]entity.Item, error) {
	newest := entity.QueryOf(kind, roleID, ownerID)
	newest.Descending = true
	found, _, err := s.entities.QueryPage(ctx, newest, maxSubmissions)
	return found, err
}
