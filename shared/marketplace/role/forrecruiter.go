package role

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// RolesForRecruiter are roles as lists of other things name them: card and company facts,
// redacted for one recruiter by the recruiter's assignment to each.
type RolesForRecruiter struct {
	roles map[string]Unredacted
	mine  map[string]Involvement
}

// ReadForRecruiter reads roles by their ids, and what a recruiter is to each, in one wave: 50
// of them in one call. Those that are not there, or not any more, are left out.
func (s *Store) ReadForRecruiter(ctx context.Context, recruiterID string, ids []string) (_ RolesForRecruiter, err error) {
	defer fault.Wrap(&err, "role.ReadForRecruiter(recruiterID, ids)")

	keys := make([]entity.Key, 0, 2*len(ids))
	for _, id := range ids {
		keys = append(keys, roleKey(id), involvementKey(recruiterID, id))
	}
	items, err := s.entities.Items(ctx, keys, true)
	if err != nil {
		return RolesForRecruiter{}, err
	}
	all := RolesForRecruiter{map[string]Unredacted{}, map[string]Involvement{}}
	for _, item := range items {
		if values, isMine := itemkey.RecruiterRole.Parse(item.PK, item.SK); isMine {
			all.mine[values[1]], err = involvementIn(item)
			if err != nil {
				return RolesForRecruiter{}, err
			}
			continue
		}
		unredacted, found, err := unredactedIn(item)
		if err != nil {
			return RolesForRecruiter{}, err
		}
		if found {
			all.roles[unredacted.id] = unredacted
		}
	}
	return all, nil
}

// View is the role as the recruiter may see it; false if it was not there. It has
// the card's fields and the company's facts alone.
func (s RolesForRecruiter) View(id string, feesHidden bool, now time.Time) (View, bool) {
	unredacted, there := s.roles[id]
	if !there {
		return View{}, false
	}
	return Redact(unredacted, Caller{Involvement: s.mine[id], FeesHidden: feesHidden, Now: now}), true
}

// RedactText is a further text about the role as the caller may read it; nil where the role
// is not there, because it is not known what to hide.
func (v View) RedactText(s *string) *string {
	if v.text == nil {
		return nil
	}
	return v.redactOptional(s)
}

// CandidateApplication is an application with its id.
type CandidateApplication struct {
	ID string
	Application
}

// CandidateApplications returns the applications in items of a recruiter's candidate, in no order
// that means anything.
func CandidateApplications(items []entity.Item) ([]CandidateApplication, error) {
	var all []CandidateApplication
	for _, row := range items {
		values, _ := itemkey.CandidateApplication.ParseSK(row.SK)
		one := CandidateApplication{ID: values[0]}
		if err := row.Into(&one.Application); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}
