package network

import (
	"cmp"
	"context"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// Place is where a candidate goes: an existing membership or a new one.
type Place struct {
	// ID is the candidateUserId.
	ID       string
	existing *Membership
	// linkedIn and email are the candidate's identities as they were read.
	linkedIn, email identityRecord
}

// HasNewer reports whether the existing membership was submitted later than c, or at the same time
// with a file that has the same or a greater key. Then at most the preferences are taken from c, and
// the file of c is not needed.
func (p Place) HasNewer(c Candidate) bool {
	return p.existing != nil && p.existing.hasNewer(c)
}

func (m *Membership) hasNewer(c Candidate) bool {
	return cmp.Or(m.SubmittedAt.Compare(c.submittedAt()), cmp.Compare(m.ResumeKey, c.ResumeKey)) >= 0
}

// ReplacedResume returns the key of the file that c's file replaces; "" if there is none.
func (p Place) ReplacedResume(c Candidate) string {
	if p.existing == nil || p.HasNewer(c) {
		return ""
	}
	return p.existing.ResumeKey
}

// NewerStatements names what is stored of the existing membership by statements that are newer than
// c, and that c therefore does not change: resume, preferences, market.
func (p Place) NewerStatements(c Candidate) (kinds []string) {
	if p.existing == nil {
		return nil
	}
	stated := Statement{At: c.submittedAt()}
	if p.HasNewer(c) {
		kinds = append(kinds, "resume")
	}
	if p.existing.PreferencesStated.after(stated) {
		kinds = append(kinds, "preferences")
	}
	if p.existing.Market.Stated.after(stated) {
		kinds = append(kinds, "market")
	}
	return kinds
}

// submittedAt returns the time in milliseconds, as stored times are, to compare them.
func (c Candidate) submittedAt() time.Time { return c.SubmittedAt.Truncate(time.Millisecond) }

// FindPlace returns where a candidate goes: the membership of the same owner to which the LinkedIn
// URL leads, or else a new one named newID. The e-mail address does not decide: every membership
// has a LinkedIn URL, and one with another URL is another person's. FindPlace reads consistently:
// two waves, at most three items.
func (s *Store) FindPlace(ctx context.Context, c Candidate, newID string) (_ Place, err error) {
	defer fault.Wrap(&err, "network.FindPlace(newID)")

	p := Place{ID: newID}
	err = s.readIdentities(ctx, c, &p)
	if err != nil {
		return Place{}, err
	}
	led := p.linkedIn.byOwner[c.OwnerID]
	if len(led) == 0 {
		return p, nil
	}
	p.ID = led[0]
	m, found, err := s.Membership(ctx, p.ID)
	if found {
		p.existing = &m
	}
	return p, err
}

// readIdentities reads both of the candidate's identities.
func (s *Store) readIdentities(ctx context.Context, c Candidate, p *Place) error {
	p.linkedIn = identityRecord{key: linkedInKey(c.Tenant, c.LinkedInURL), personHash: identity.Hash(c.LinkedInURL)}
	p.email = identityRecord{key: emailKey(c.Tenant, c.Email), personHash: identity.Hash(c.Email)}
	keys := []dynamo.Keyed{dynamo.Keys{p.linkedIn.key, identityKind}, dynamo.Keys{p.email.key, identityKind}}
	items, err := cloud.GetItems[dynamo.Item](ctx, s.table, keys, true)
	if err != nil {
		return err
	}
	for _, item := range items {
		k, err := parseIdentity(item)
		if err != nil {
			return err
		}
		if k.key == p.linkedIn.key {
			p.linkedIn = k
		} else {
			p.email = k
		}
	}
	return nil
}

// Ingest adds to a transaction the candidate's membership at its place, with its
// preferences, its list rows and its identities. The transaction fails on a condition if
// the place was taken or changed, or the person was pre-excluded, since the place was
// read; then find the place again. What was stated after the candidate was submitted stays.
func (s *Store) Ingest(tx *dynamo.WriteTx, c Candidate, p Place, w Write) (_ *dynamo.WriteTx, err error) {
	defer fault.Wrap(&err, "network.Ingest(membership)")

	expires := w.Now.Add(s.eligibility)
	before := Membership{}
	m := Membership{
		ID: p.ID, Tenant: c.Tenant, OwnerID: c.OwnerID, Source: contract.CandidateSourceExternalAPI, SourceAt: c.submittedAt(), AddedAt: w.Now,
		Market: Market{ExpiresAt: expires},
	}
	if p.existing != nil {
		before = *p.existing
		m = *p.existing
	}
	known := append(m.identityKeys(), p.linkedIn.key, p.email.key)
	m.ingest(c, laterOf(p.linkedIn.excluded, p.email.excluded), expires)
	m.UpdatedAt = laterOf(m.UpdatedAt, w.Now)
	m.setOthers(known)
	tx, err = s.putMembership(tx, before, m, w)
	if err != nil {
		return nil, err
	}
	return s.linkIdentities(tx, p, c.OwnerID, c.submittedAt()), nil
}

// ingest takes from a submission what is newer than what is stored. excluded is when its
// identities were pre-excluded; zero: not.
func (m *Membership) ingest(c Candidate, excluded, expires time.Time) {
	newest := !m.hasNewer(c)
	stated := Statement{At: c.submittedAt()}
	m.noteSubmission(contract.CandidateSourceExternalAPI, stated.At)
	if newest {
		m.Person = c.Person
		m.ScreeningCallLink = c.ScreeningCallLink
		m.ResumeKey = c.ResumeKey
		m.Resume = c.Resume
		m.SubmittedAt = stated.At
	}
	if stated.after(m.PreferencesStated) || stated == m.PreferencesStated && newest {
		m.Preferences = toSavedPreferences(c.Preferences)
		m.PreferencesStated = stated
	}
	m.Market = m.Market.Ingest(m.SubmittedAt, excluded, expires)
}

// linkIdentities adds the membership to both identities of a placed candidate.
func (s *Store) linkIdentities(tx *dynamo.WriteTx, p Place, ownerID string, submitted time.Time) *dynamo.WriteTx {
	linkedIn := s.noteSubmission(p.linkedIn, submitted).AddStringsToSet(ownerAttribute(ownerID), p.ID)
	tx.Update(ifLeadsAsRead(linkedIn, p.linkedIn, ownerID))
	s.linkEmail(tx, s.noteSubmission(p.email, submitted), p.email, ownerID, p.ID)
	return tx
}
