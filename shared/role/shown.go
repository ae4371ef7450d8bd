package role

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/entity"
)

// Shown are roles as lists of other things name them: card and company facts,
// redacted for one recruiter by what that one is to each.
type Shown struct{ roles map[string]shown }

// shown is a role with what the recruiter is to it.
type shown struct {
	raw        Raw
	assignment *Assignment
}

// Shown reads roles by their ids, and what a recruiter is to each, in one wave: 50
// of them in one call. Those that are not there, or not any more, are left out.
func (s *Store) Shown(ctx context.Context, recruiterID string, ids []string) (Shown, error) {
	keys := make([]entity.Key, 0, 2*len(ids))
	for _, id := range ids {
		keys = append(keys, roleKey(id), mineKey(recruiterID, id))
	}
	items, err := s.entities.Items(ctx, keys)
	all := Shown{map[string]shown{}}
	if err != nil {
		return all, err
	}
	for _, id := range ids {
		one, there, err := read(id, items[roleKey(id)], items[mineKey(recruiterID, id)])
		if err != nil {
			return all, err
		}
		if there {
			all.roles[id] = one
		}
	}
	return all, nil
}

// read puts a role's two items together.
func read(id string, role, mine entity.Item) (one shown, there bool, err error) {
	var r Role
	if there, err = into(role, "", &r.Card); err != nil || !there {
		return one, false, err
	}
	var c Company
	known, err := into(role, factsPart(r.CompanyID), &c.Facts)
	if err != nil {
		return one, false, err
	}
	company := &c
	if !known {
		company = nil
	}
	one.raw = NewRaw(id, r, company, nil, nil)
	var a Assignment
	if assigned, err := into(mine, assignmentPart, &a); err != nil {
		return one, false, err
	} else if assigned {
		one.assignment = &a
	}
	return one, true, nil
}

// into reads a part of an item, if it is live.
func into(item entity.Item, part string, out any) (live bool, err error) {
	state, err := item.Part(part)
	if err != nil || !state.Live() {
		return false, err
	}
	return true, state.Into(out)
}

// View is the role as the recruiter may see it; false if it was not there. It has
// the card's fields and the company's facts alone.
func (s Shown) View(id string, feesHidden bool, now time.Time) (View, bool) {
	one, ok := s.roles[id]
	if !ok {
		return View{}, false
	}
	return Redact(one.raw, Caller{Assignment: one.assignment, FeesHidden: feesHidden, Now: now}), true
}

// Closed is the status of a role that takes nobody any more.
const Closed = "CLOSED"

// CandidateApplication is an application with its id.
type CandidateApplication struct {
	ID string
	Application
}

// Of reads the applications of a recruiter's candidate, in no order that means
// anything.
func (s *Store) Of(ctx context.Context, recruiterID, candidateID string) ([]CandidateApplication, error) {
	var all []CandidateApplication
	prefix := "A#" + candidateID + "#"
	for row, err := range s.entities.Rows(ctx, "U#"+recruiterID, prefix, "") {
		if err != nil {
			return nil, err
		}
		one := CandidateApplication{ID: row.SK[len(prefix):]}
		if err := row.Into(&one.Application); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}
