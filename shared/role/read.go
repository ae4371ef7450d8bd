package role

import (
	"context"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/entity"
)

// Own is what a recruiter is to one role.
type Own struct {
	// Assignment is nil for a stranger.
	Assignment *Assignment
	// Counts are the recruiter's own applications.
	Counts Counts
}

// Involved tells whether the recruiter has anything to do with the role.
func (o Own) Involved() bool { return o.Assignment != nil || o.Counts.Total > 0 }

// Desk is what a recruiter is to all roles, and the saved preferences.
type Desk struct {
	Preferences SavedPreferences
	// Roles are by id; a role that is not there is a stranger's.
	Roles map[string]Own
}

// Desk reads, consistently, what a recruiter is to roles.
func (s *Store) Desk(ctx context.Context, recruiterID string) (Desk, error) {
	d := Desk{Roles: map[string]Own{}}
	// "$" follows "#".
	all, err := s.entities.Between(ctx, preferencesKey(recruiterID).PK, "P", "R$")
	if err != nil {
		return d, err
	}
	for _, i := range all {
		if i.SK == "P" {
			if err := content(i, "", &d.Preferences); err != nil {
				return d, err
			}
		} else if id, ok := strings.CutPrefix(i.SK, "R#"); ok {
			own, err := ownOf(i)
			if err != nil {
				return d, err
			}
			d.Roles[id] = own
		}
	}
	return d, nil
}

// Preferences reads a recruiter's saved preferences; empty when nothing is saved.
func (s *Store) Preferences(ctx context.Context, recruiterID string) (p SavedPreferences, err error) {
	state, err := s.entities.Get(ctx, preferencesKey(recruiterID))
	if err != nil || !state.Live() {
		return p, err
	}
	return p, state.Into(&p)
}

func ownOf(i entity.Item) (own Own, err error) {
	state, err := i.Part(assignmentPart)
	if err != nil {
		return own, err
	}
	if state.Live() {
		own.Assignment = &Assignment{}
		if err := state.Into(own.Assignment); err != nil {
			return own, err
		}
	}
	return own, content(i, countPart, &own.Counts)
}

// content reads what an item's entity holds, nothing from a deleted one.
func content(i entity.Item, part string, out any) error {
	state, err := i.Part(part)
	if err != nil || state.Gone {
		return err
	}
	return state.Into(out)
}

// Reading says how to read roles.
type Reading struct {
	// Prose tells of which roles the prose is needed; nil of none.
	Prose func(id string) bool
	// Consistent reads what is stored at this moment.
	Consistent bool
}

// Raws reads roles as lists need them, with their companies' facts; what is not
// there, or was deleted, is left out.
func (s *Store) Raws(ctx context.Context, ids []string, how Reading) (map[string]Raw, error) {
	var keys []entity.Key
	for _, id := range ids {
		keys = append(keys, roleKey(id))
		if how.Prose != nil && how.Prose(id) {
			keys = append(keys, proseKey(id))
		}
	}
	found, err := s.entities.Batch(ctx, keys, how.Consistent)
	if err != nil {
		return nil, err
	}
	raws := map[string]Raw{}
	for _, id := range ids {
		raw, ok, err := rawOf(id, found[roleKey(id)], found[proseKey(id)])
		if err != nil {
			return nil, err
		}
		if ok {
			raws[id] = raw
		}
	}
	return raws, nil
}

func proseKey(id string) entity.Key { return entity.Key{PK: "R#" + id, SK: "T"} }

// rawOf puts a role together from its items; ok is false for one that is not there.
func rawOf(id string, card, prose entity.Item) (raw Raw, ok bool, err error) {
	state, err := card.Part("")
	if err != nil || !state.Live() {
		return Raw{}, false, err
	}
	raw.id = id
	if err := state.Into(&raw.role.Card); err != nil {
		return Raw{}, false, err
	}
	if err := content(prose, "", &raw.role.Prose); err != nil {
		return Raw{}, false, err
	}
	if err := content(card, factsPart(raw.role.CompanyID), &raw.company.Facts); err != nil {
		return Raw{}, false, err
	}
	if err := content(card, pipelinePart, &raw.pipeline); err != nil {
		return Raw{}, false, err
	}
	metrics, err := card.Part(metricsPart)
	if err == nil && metrics.Live() {
		raw.metrics = &Metrics{}
		err = metrics.Into(raw.metrics)
	}
	return raw, err == nil, err
}

// IDs lists all roles that there are.
func (s *Store) IDs(ctx context.Context) ([]string, error) {
	var ids []string
	for n := range listShards {
		rows, err := s.entities.Partition(ctx, listKey(n))
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			ids = append(ids, r.SK)
		}
	}
	return ids, nil
}
