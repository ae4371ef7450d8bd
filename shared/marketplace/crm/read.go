package crm

import "context"

// Candidate reads a candidate of a recruiter's book; false for one that is not in
// it, hidden or archived.
func (s *Store) Candidate(ctx context.Context, recruiterID, candidateID string) (c Candidate, listed bool, err error) {
	stored, err := s.entities.Get(ctx, candidateKey(recruiterID, candidateID))
	if err != nil || !stored.Live() {
		return c, false, err
	}
	err = stored.Into(&c)
	return c, c.Listed(), err
}

// inferred are preferences that nobody typed.
const inferred = "INFERRED"

// NewestPreferences are the newest preferences that somebody typed, else the newest inferred
// ones; nil when none are saved.
func (c Candidate) NewestPreferences() *Preferences {
	var newest *Preferences
	for i, p := range c.Preferences {
		if newest == nil || p.goesBefore(*newest) {
			newest = &c.Preferences[i]
		}
	}
	return newest
}

// goesBefore tells whether p goes before q.
func (p Preferences) goesBefore(q Preferences) bool {
	if typed := p.Source != inferred; typed != (q.Source != inferred) {
		return typed
	}
	return p.UpdatedAt.After(q.UpdatedAt.Time)
}
