package network_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

// model is the contract of the talent network in plain memory, for one client
// whose persons are its own. It shares no code with what it is compared to.
type model struct {
	members []*modelMember
	// excluded is when identities were last pre-excluded, restored when the newest submission of
	// them was sent.
	excluded, restored map[string]time.Time
}

// modelMember is a membership.
type modelMember struct {
	id, owner string
	// identities lead here: "em1", "li1" and so on.
	identities  map[string]bool
	email, slug int
	salary      int64
	// marked is by off-market; pre is since when the person was pre-excluded.
	fast, marked  bool
	markedAt, pre time.Time
	expires       time.Time
	// stated is when the preferences were, submitted when the rest was.
	stated, submitted time.Time
	// key orders the submissions of one request, as their files' keys do.
	key            string
	added, updated time.Time
}

// modelRef is a reference: an id, or an identity ("em1", "li1"); "" for an unknown person.
type modelRef struct{ id, identity string }

func (m *model) find(r modelRef) (found []*modelMember) {
	for _, c := range m.members {
		if r.id != "" && c.id == r.id || r.identity != "" && c.identities[r.identity] {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *modelMember) int {
		return cmp.Or(b.expires.Compare(a.expires), cmp.Compare(a.id, b.id))
	})
	return found
}

// ingest is the arrival, now, of a submission of an earlier moment.
func (m *model) ingest(owner string, email, slug int, salary int64, newID string, submitted, now time.Time) string {
	em := fmt.Sprint("em", email)
	li := fmt.Sprint("li", slug)
	var c *modelMember
	for _, one := range m.find(modelRef{identity: li}) { // the e-mail address does not decide
		if one.owner == owner {
			c = one
		}
	}
	if c == nil {
		c = &modelMember{id: newID, owner: owner, identities: map[string]bool{}, added: now}
		m.members = append(m.members, c)
	}
	c.identities[em] = true
	c.identities[li] = true
	c.updated = now
	c.expires = now.AddDate(0, 0, 90)
	newer := c.submitted.Before(submitted) || c.submitted.Equal(submitted) && c.key < newID
	if newer {
		c.email = email
		c.slug = slug
		c.submitted = submitted
		c.key = newID
	}
	if c.stated.Before(submitted) || c.stated.Equal(submitted) && newer {
		c.salary = salary
		c.stated = submitted
	}
	if c.marked && c.markedAt.Before(submitted) {
		c.marked = false
	}
	if c.pre.Before(c.submitted) {
		c.pre = time.Time{}
	}
	for _, identity := range []string{em, li} {
		if at := m.excluded[identity]; at.After(c.pre) && !at.Before(c.submitted) {
			c.pre = at
		}
		if submitted.After(m.restored[identity]) {
			m.restored[identity] = submitted
		}
	}
	return c.id
}

// offMarket returns as testService.postMarket spells it.
func (m *model) offMarket(refs []modelRef, now time.Time) []string {
	return m.act(refs, func(r modelRef) string {
		if r.identity == "" {
			return "!not_found"
		}
		m.excluded[r.identity] = now
		return "pre_excluded"
	}, func(c *modelMember) string {
		was := c.off()
		c.marked = true
		c.markedAt = now
		if was {
			return "already_off_market"
		}
		c.updated = now
		return "off_market"
	})
}

func (m *model) reEnable(refs []modelRef, now time.Time) []string {
	return m.act(refs, func(r modelRef) string {
		if m.excluded[r.identity].After(m.restored[r.identity]) {
			return "!pre_excluded"
		}
		return "!not_found"
	}, func(c *modelMember) string {
		switch {
		case !c.pre.IsZero():
			return "!pre_excluded"
		case !c.marked && now.Before(c.expires):
			return "already_on_market"
		}
		c.marked = false
		c.expires = now.AddDate(0, 0, 90)
		c.updated = now
		return "on_market"
	})
}

// act resolves everything first, acts on everybody once, and then reports.
func (m *model) act(refs []modelRef, nobody func(modelRef) string, act func(*modelMember) string) []string {
	found := make([][]*modelMember, len(refs))
	results := map[*modelMember]string{}
	for i, r := range refs {
		found[i] = m.find(r)
	}
	out := make([]string, len(refs))
	for i, r := range refs {
		if len(found[i]) == 0 {
			out[i] = nobody(r)
			continue
		}
		var ids, statuses []string
		for _, c := range found[i] {
			if results[c] == "" {
				results[c] = act(c)
			}
			ids = append(ids, c.id)
			statuses = append(statuses, results[c])
		}
		for _, best := range []string{"off_market", "already_off_market", "on_market", "already_on_market", "!pre_excluded"} {
			if slices.Contains(statuses, best) {
				out[i] = best + " " + strings.Join(ids, " ")
				break
			}
		}
	}
	return out
}

// off reports whether the member is off the market.
func (c *modelMember) off() bool { return c.marked || !c.pre.IsZero() }

func (c *modelMember) row(now time.Time) contract.CandidateRow {
	status := contract.OnMarket
	if c.off() {
		status = contract.OffMarket
	} else if !now.Before(c.expires) {
		status = contract.Expired
	}
	who := newCandidate(c.owner, c.slug)
	owner := newAgency().Members[c.owner]
	found := profile.Invent(fmt.Sprint("person-", c.slug)) // as the sandbox verifies
	return contract.CandidateRow{
		CandidateUserID: c.id, Name: who.Name, Email: newCandidate(c.owner, c.email).Email, LinkedInURL: who.LinkedInURL, Status: status,
		MarketExpiresAt: new(contract.At(c.expires)), FastTrack: c.fast,
		Recruiter:    contract.OwningRecruiter{Name: owner.Name, Email: owner.Email},
		CurrentTitle: &found.Title, CurrentCompany: &found.Company, Location: &found.Location, HasPreferences: true, HasResume: true,
		Source: contract.CandidateSourceExternalAPI, LastSubmissionSource: contract.CandidateSourceExternalAPI, AddedAt: contract.At(c.added), UpdatedAt: contract.At(c.updated),
	}
}

// rows are the list, newest first.
func (m *model) rows(status string, now time.Time) []contract.CandidateRow {
	rows := []contract.CandidateRow{}
	for _, c := range m.members {
		if r := c.row(now); status == "" || status == string(r.Status) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b contract.CandidateRow) int {
		return cmp.Or(b.AddedAt.Compare(a.AddedAt.Time), cmp.Compare(a.CandidateUserID, b.CandidateUserID))
	})
	return rows
}
