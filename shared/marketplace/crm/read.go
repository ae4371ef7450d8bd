package crm

import "context"

// Candidate reads a recruiter's candidate. listed is false for one that does not exist
// or is hidden or archived.
func (s *Store) Candidate(ctx context.Context, recruiterID, candidateID string) (c Candidate, listed bool, err error) {
	stored, err := s.entities.Get(ctx, candidateKey(recruiterID, candidateID))
	if err != nil || !stored.Live() {
		return c, false, err
	}
	err = stored.Into(&c)
	return c, c.Listed(), err
}

// inferred is the source of preferences that no person entered.
const inferred = "INFERRED"

// NewestPreferences returns the newest preferences that a person entered, else the
// newest inferred ones, or nil if none are saved.
func (c Candidate) NewestPreferences() *Preferences {
	var newest *Preferences
	for i, p := range c.Preferences {
		if newest == nil || p.goesBefore(*newest) {
			newest = &c.Preferences[i]
		}
	}
	return newest
}

// goesBefore reports whether p is shown rather than q.
func (p Preferences) goesBefore(q Preferences) bool {
	if typed := p.Source != inferred; typed != (q.Source != inferred) {
		return typed
	}
	return p.UpdatedAt.After(q.UpdatedAt.Time)
}
