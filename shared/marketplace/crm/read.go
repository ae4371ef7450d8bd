package crm

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Candidate reads a recruiter's candidate and, in the same call, the candidate's applications, as
// items. listed is false for one that does not exist or is hidden or archived.
func (s *Store) Candidate(ctx context.Context, recruiterID, candidateID string) (
	c Candidate, applications []entity.Item, listed bool, err error,
) {
	defer fault.Wrap(&err, "crm.Candidate(recruiterID, candidateID)")

	pk, first := itemkey.CandidateApplication.PartialKey(recruiterID, candidateID)
	for item, err := range s.entities.Query(ctx, entity.Query{PK: pk, From: first, To: itemkey.Candidate.SK()}) {
		if err != nil {
			return c, nil, false, err
		}
		if itemkey.CandidateApplication.Has(item.PK, item.SK) {
			applications = append(applications, item)
			continue
		}
		stored, err := item.State("")
		if err == nil && stored.Live() {
			err = stored.Into(&c)
			listed = c.Listed()
		}
		if err != nil {
			return c, nil, false, err
		}
	}
	return c, applications, listed, nil
}

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
	if typed := p.Source != contract.PreferenceSourceInferred; typed != (q.Source != contract.PreferenceSourceInferred) {
		return typed
	}
	return p.UpdatedAt.After(q.UpdatedAt.Time)
}
