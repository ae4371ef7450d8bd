package network

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Place is where a candidate goes: an existing membership or a new one.
type Place struct {
	// ID is the candidateUserId.
	ID string
	// HasNewer says that the existing membership was submitted later than the candidate, or at the same time
	// with a file that has the same or a greater key. Then at most the preferences are taken from the candidate, and
	// the candidate's file is not needed.
	HasNewer bool
	// ReplacedResume is the key of the file that the candidate's file replaces; "" if there is none.
	ReplacedResume string
	// NewerStatements names what is stored of the existing membership by statements that are newer than
	// the candidate, who therefore does not change it: resume, preferences, market.
	NewerStatements []string
	existing        *Membership
	// linkedIn and email are the candidate's identities as they were read.
	linkedIn, email identityRecord
}

func (m *Membership) hasNewer(c Candidate) bool {
	return cmp.Or(m.SubmittedAt.Compare(c.submittedAt()), cmp.Compare(m.ResumeKey, c.ResumeKey)) >= 0
}

// submittedAt returns the time in milliseconds, as stored times are, to compare them.
func (c Candidate) submittedAt() time.Time { return c.SubmittedAt.Truncate(time.Millisecond) }

// FindPlace returns where a candidate goes: the membership of the same owner to which the LinkedIn
// URL leads, or else a new one named newID. The e-mail address does not decide: every membership
// has a LinkedIn URL, and one with another URL is another person's. FindPlace reads consistently:
// two waves, at most three items.
func (s *Store) FindPlace(ctx context.Context, c Candidate, newID string) (_ Place, err error) {
	defer fault.Wrap(&err, "network.FindPlace(newID)")

	p := Place{
		ID:       newID,
		linkedIn: identityRecord{Key: linkedInKey(c.Tenant, c.LinkedInURL)}, email: identityRecord{Key: emailKey(c.Tenant, c.Email)},
	}
	found, err := s.readIdentities(ctx, p.linkedIn.Key, p.email.Key)
	if err != nil {
		return Place{}, err
	}
	for _, k := range found {
		if k.Key == p.linkedIn.Key {
			p.linkedIn = k
		} else {
			p.email = k
		}
	}
	led := p.linkedIn.byOwner[c.OwnerID]
	if len(led) == 0 {
		return p, nil
	}
	p.ID = led[0]
	m, isThere, err := s.Membership(ctx, p.ID)
	if !isThere {
		return p, err
	}
	p.existing = &m
	p.HasNewer = m.hasNewer(c)
	if p.HasNewer {
		p.NewerStatements = append(p.NewerStatements, "resume")
	} else {
		p.ReplacedResume = m.ResumeKey
	}
	stated := Statement{At: c.submittedAt()}
	if m.PreferencesStated.after(stated) {
		p.NewerStatements = append(p.NewerStatements, "preferences")
	}
	if m.Market.Stated.after(stated) {
		p.NewerStatements = append(p.NewerStatements, "market")
	}
	return p, nil
}

// Ingest adds to a transaction the candidate's membership at its place, with its
// preferences, its list rows and its identities. The transaction fails on a condition if
// the place was taken or changed, or the person was pre-excluded, since the place was
// read; then find the place again. What was stated after the candidate was submitted stays.
func (s *Store) Ingest(tx *dynamo.WriteTx, c Candidate, p Place, w Write) *dynamo.WriteTx {
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
	known := append(m.identityKeys(), p.linkedIn.Key, p.email.Key)
	m.ingest(c, cloud.FromMillis(max(p.linkedIn.Excluded, p.email.Excluded)), expires)
	m.UpdatedAt = laterOf(m.UpdatedAt, w.Now)
	slices.Sort(known)
	m.others = slices.DeleteFunc(slices.Compact(known), func(key string) bool {
		return key == linkedInKey(m.Tenant, m.LinkedInURL) || key == emailKey(m.Tenant, m.Email)
	})
	return s.linkIdentities(s.putMembership(tx, before, m, w), p, c.OwnerID, c.submittedAt())
}

// linkIdentities adds the membership to both identities of a placed candidate, on the condition that the LinkedIn URL
// still leads to the owner's memberships that were read.
func (s *Store) linkIdentities(tx *dynamo.WriteTx, p Place, ownerID string, submitted time.Time) *dynamo.WriteTx {
	owner := ownerAttribute(ownerID)
	linkedIn := s.noteSubmission(p.linkedIn, submitted).AddStringsToSet(owner, p.ID)
	if led := p.linkedIn.byOwner[ownerID]; len(led) == 0 {
		linkedIn.If("attribute_not_exists(" + owner + ")")
	} else {
		linkedIn.If(owner+" = ?", &types.AttributeValueMemberSS{Value: led})
	}
	tx.Update(linkedIn)
	email := s.noteSubmission(p.email, submitted)
	ids := p.email.allMemberships()
	hasRoom := !p.email.Shared && len(ids) < maxOwnLinks // where an address is shared, the membership may have a link already
	if hasRoom || slices.Contains(ids, p.ID) {
		return tx.Update(email.AddStringsToSet(owner, p.ID))
	}
	return tx.Update(email.Set("shared", true)).Put(s.table.Put(sharedLink{p.email.Key, itemkey.EmailLink.SK(p.ID), ownerID}))
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

// ErrOtherPerson says that the membership with an ID is of another person or another member.
var ErrOtherPerson = errors.New("the membership is of another person or member")

// AddByRoleSubmission stores a membership named newID for a candidate that a member submitted to a
// role, without preferences and without an end of eligibility. An existing membership only records
// the time and source of the submission. That is not a new submission, so a pre-exclusion of the
// person stays. It returns [ErrOtherPerson] if the candidate is new and newID is the
// membership of another person or member.
func (s *Store) AddByRoleSubmission(ctx context.Context, c Candidate, newID string, w Write) (err error) {
	defer fault.Wrap(&err, "network.AddByRoleSubmission(newID)")

	for range maxRounds {
		p, err := s.FindPlace(ctx, c, newID)
		if err != nil {
			return err
		}
		if p.existing != nil {
			_, err = s.changeMembership(ctx, *p.existing, w, func(m *Membership) { m.noteSubmission(contract.CandidateSourceRoleSubmission, w.Now) })
			return err
		}
		added := Membership{
			ID: p.ID, Tenant: c.Tenant, OwnerID: c.OwnerID, Person: c.Person,
			Source: contract.CandidateSourceRoleSubmission, SourceAt: w.Now, RoleSubmittedAt: w.Now, AddedAt: w.Now, UpdatedAt: w.Now,
			Market: Market{ExcludedAt: laterOf(p.linkedIn.exclusion(), p.email.exclusion())},
		}
		var none time.Time // clears no exclusion
		err = s.linkIdentities(s.putMembership(s.write(), Membership{}, added, w), p, c.OwnerID, none).Run(ctx)
		if !dynamo.IsCondCheckFailed(err) {
			return err
		}
		m, found, err := s.Membership(ctx, newID)
		isSame := m.OwnerID == c.OwnerID && slices.Contains(m.identityKeys(), linkedInKey(c.Tenant, c.LinkedInURL))
		switch {
		case err != nil:
			return err
		case found && !isSame:
			return ErrOtherPerson
		}
	}
	return errContention
}
