package role

import (
	"context"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/entity"
)

// Mine is what a recruiter is to a role.
type Mine struct {
	// Assignment is nil for a recruiter without one.
	Assignment *Assignment
	Counts     Counts
}

// Active tells whether the role is one of the recruiter's active roles: a primary
// slot, or an active submission.
func (m Mine) Active() bool {
	return m.Assignment != nil && m.Assignment.Primary() || m.Counts.Active > 0
}

// Mine reads what a recruiter is to a role.
func (s *Store) Mine(ctx context.Context, recruiterID, roleID string) (Mine, error) {
	states, err := s.entities.Parts(ctx, mineKey(recruiterID, roleID), assignmentPart, countPart)
	if err != nil {
		return Mine{}, err
	}
	return mineOf(states[assignmentPart], states[countPart])
}

// AllMine reads what a recruiter is to all roles, by role: one query over thin items.
func (s *Store) AllMine(ctx context.Context, recruiterID string) (map[string]Mine, error) {
	items, err := s.entities.Under(ctx, mineKey(recruiterID, "").PK, minePrefix)
	if err != nil {
		return nil, err
	}
	all := map[string]Mine{}
	for _, item := range items {
		assignment, err := item.State(assignmentPart)
		if err != nil {
			return nil, err
		}
		counts, err := item.State(countPart)
		if err != nil {
			return nil, err
		}
		if all[strings.TrimPrefix(item.SK, minePrefix)], err = mineOf(assignment, counts); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func mineOf(assignment, counts entity.State) (m Mine, err error) {
	if assignment.Live() {
		m.Assignment = &Assignment{}
		if err := assignment.Into(m.Assignment); err != nil {
			return Mine{}, err
		}
	}
	return m, counts.Into(&m.Counts)
}

// Submissions are the newest applications of a recruiter to a role, newest first,
// as many as a detail lists.
func (s *Store) Submissions(ctx context.Context, roleID, recruiterID string) ([]Application, error) {
	return s.submissions(ctx, submissionsOf(roleID, recruiterID))
}

// AgencySubmissions are those of an agency.
func (s *Store) AgencySubmissions(ctx context.Context, roleID, agencyID string) ([]Application, error) {
	return s.submissions(ctx, agencySubmissionsOf(roleID, agencyID))
}

func (s *Store) submissions(ctx context.Context, pk string) ([]Application, error) {
	rows, err := s.entities.Last(ctx, pk, maxSubmissions)
	if err != nil {
		return nil, err
	}
	all := make([]Application, len(rows))
	for i, row := range rows {
		if err := row.Into(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Preferences reads a recruiter's saved preferences; empty when none are saved.
func (s *Store) Preferences(ctx context.Context, recruiterID string) (p SavedPreferences, err error) {
	state, err := s.entities.Get(ctx, preferencesKey(recruiterID))
	if err != nil {
		return p, err
	}
	return p, state.Into(&p)
}
