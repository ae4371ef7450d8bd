package feed

import (
	"context"
	"errors"
	"slices"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

//go:generate go run ./schemas

// Kinds lists every event and command that there is, to publish their schemas.
func Kinds() []event.Kind { return (&Service{}).eventKinds() }

// eventKinds returns the table of all events, with the number of ids of each entity.
func (s *Service) eventKinds() []event.Kind {
	return slices.Concat(
		event.NewEntityKinds("agency", 1, s.putAgency),
		event.NewEntityKinds("member", 2, s.putMember),
		event.NewEntityKinds("recruiter", 1, s.putRecruiter),
		event.NewEntityKinds("company", 1, withStamp(s.roles.PutCompany)),
		event.NewEntityKinds("role", 1, s.putRole),
		event.NewEntityKinds("roleAssignment", 2, s.putAssignment),
		event.NewEntityKinds("hiringManagerMetrics", 1, withStamp(s.roles.PutMetrics)),
		event.NewEntityKinds("rolePipeline", 1, withStamp(s.roles.PutPipeline)),
		event.NewEntityKinds("announcement", 1, withStamp(s.roles.PutAnnouncement)),
		event.NewEntityKinds("intakeTranscript", 1, withStamp(s.roles.PutTranscript)),
		event.NewEntityKinds("savedPreferences", 1, withStamp(s.roles.PutPreferences)),
		event.NewEntityKinds("application", 1, func(ctx context.Context, e event.Envelope, a *role.Application) error {
			return s.roles.PutApplication(ctx, e.EntityID, e.Stamp(), a, s.updateCandidate)
		}),
		event.NewEntityKinds("crmCandidate", 2, s.putCandidate),
		event.NewEntityKinds("match", 1, withStamp(s.matches.Put)),
		event.NewEntityKinds("call", 1, withStamp(s.calls.Put)),
		[]event.Kind{
			event.NewKind("person.erased", s.applyErasure),
			event.NewKind("membership.preferencesSet", runCommand(s, s.network.SetPreferences,
				func(c *event.PreferencesSet) contract.WorkPreferences { return c.Preferences })),
			event.NewKind("membership.offMarketSet", runCommand(s, s.network.SetOffMarket,
				func(c *event.OffMarketSet) bool { return c.OffMarket })),
			event.NewKind("membership.locked", runCommand(s, s.network.SetLocked, func(c *event.Locked) bool { return c.Locked })),
			event.NewKind("membership.addedByRoleSubmission", s.addMember),
		},
	)
}

// apply applies an event with a payload of type T; nil stands for the deletion of its entity.
type apply[T any] = func(context.Context, event.Envelope, *T) error

// withStamp applies the events of an entity that is stored with the stamp of the last one.
func withStamp[T any](put func(ctx context.Context, id string, at entity.Stamp, data *T) error) apply[T] {
	return func(ctx context.Context, e event.Envelope, data *T) error {
		return put(ctx, e.EntityID, e.Stamp(), data)
	}
}

func (s *Service) putRole(ctx context.Context, e event.Envelope, r *role.Role) error {
	if e.EntityID == itemkey.Call.SK() || e.EntityID == itemkey.CallDetail.SK() { // as the role's row would have the key of a call
		return event.Invalidf("entityId: %s is not the id of a role.", e.EntityID)
	}
	if r == nil {
		return s.roles.Delete(ctx, e.EntityID, e.Stamp())
	}
	return s.roles.Put(ctx, e.EntityID, e.Stamp(), *r)
}

func (s *Service) putAssignment(ctx context.Context, e event.Envelope, a *role.Assignment) error {
	if a != nil {
		if err := e.CheckIDPair("roleId", a.RoleID, "recruiterId", a.RecruiterID); err != nil {
			return err
		}
	}
	roleID, recruiterID := e.IDPair()
	return s.roles.PutAssignment(ctx, roleID, recruiterID, e.Version, a)
}

func (s *Service) putCandidate(ctx context.Context, e event.Envelope, c *crm.Candidate) error {
	if c != nil {
		if err := e.CheckIDPair("recruiterId", c.RecruiterID, "candidateId", c.CandidateID); err != nil {
			return err
		}
	}
	recruiterID, candidateID := e.IDPair()
	err := s.crm.Put(ctx, recruiterID, candidateID, e.Stamp(), c)
	if err != nil {
		return err
	}
	if s.noted == nil && !crm.WorthNotice(e.EntityID, e.Version) {
		return nil
	}
	return s.noteCRM(ctx, recruiterID)
}

// updateCandidate lets the candidate's row in the recruiter's CRM follow an application.
func (s *Service) updateCandidate(ctx context.Context, was, is *role.Application) ([]entity.Action, error) {
	var steps []crm.ApplicationChange
	add := func(a *role.Application, n int) {
		if a != nil {
			reached := crm.ReachedStatus(a.Status, a.CurrentStage, a.FurthestStage)
			steps = append(steps, crm.ApplicationChange{RecruiterID: a.RecruiterID, CandidateID: a.CandidateID, Status: reached, Delta: n})
		}
	}
	add(was, -1)
	add(is, 1)
	return s.crm.ProgressActions(ctx, steps)
}

func (s *Service) putAgency(ctx context.Context, e event.Envelope, a *event.Agency) error {
	if a == nil {
		return s.accounts.ApplyAgency(ctx, e.EntityID, e.Version, nil)
	}
	return s.accounts.ApplyAgency(ctx, e.EntityID, e.Version, &account.Agency{
		Name: a.Name, APIAccess: a.APIAccess, TalentNetworkAccess: a.TalentNetworkAccess,
		TalentNetworkManagement: a.TalentNetworkManagement, HidesPayment: a.HidesPayment, PrimaryOwner: a.PrimaryOwner,
	})
}

func (s *Service) putMember(ctx context.Context, e event.Envelope, m *event.Member) error {
	agencyID, id := e.IDPair()
	if m == nil {
		return s.accounts.ApplyMember(ctx, agencyID, id, e.Version, nil)
	}
	email, _ := identity.Email(m.Email)
	return s.accounts.ApplyMember(ctx, agencyID, id, e.Version, &account.Member{
		Name: m.Name, Email: email, Owner: m.Owner, Approved: m.Approved, Deactivated: m.Deactivated, FastTrack: m.FastTrack,
	})
}

func (s *Service) putRecruiter(ctx context.Context, e event.Envelope, r *event.Recruiter) error {
	if r == nil {
		return s.accounts.ApplyRecruiter(ctx, e.EntityID, e.Version, nil)
	}
	email, _ := identity.Email(r.Email)
	return s.accounts.ApplyRecruiter(ctx, e.EntityID, e.Version, &account.Recruiter{
		Name: r.Name, Email: email, AgencyID: optional.Value(r.AgencyID), CanRecruit: r.CanRecruit,
		PersonalKeys: r.PersonalKeys, Recommendations: r.Recommendations,
	})
}

// runCommand applies a command to a membership: set stores the value of its payload, unless a newer statement of its
// kind is stored. Commands are ordered by time, and within a millisecond by version.
func runCommand[T, V any](
	s *Service, set func(context.Context, network.Membership, V, network.Write) (network.Membership, error), valueOf func(*T) V,
) apply[T] {
	return func(ctx context.Context, e event.Envelope, c *T) error {
		m, found, err := s.network.Membership(ctx, e.EntityID)
		switch {
		case err != nil:
			return err
		case !found:
			return errors.New("the membership does not exist yet") // the command comes back
		case !m.Tenant.IsLive():
			return event.Invalidf("entityId: names a membership of another environment than the app's.")
		}
		_, err = set(ctx, m, valueOf(c), newWrite(e))
		return err
	}
}

func newWrite(e event.Envelope) network.Write {
	return network.Write{Now: e.OccurredAt.Time, Version: e.Version, ID: e.ID}
}

// addMember makes a member of the network of a candidate, unless the person was erased since.
func (s *Service) addMember(ctx context.Context, e event.Envelope, c *event.AddedByRoleSubmission) error {
	email, _ := identity.Email(c.Email)
	linkedIn, _ := identity.LinkedIn(c.LinkedInURL)
	persons := entity.PersonHashes(&email, &linkedIn)
	if erased, err := s.entities.IsErased(ctx, persons, e.OccurredAt.Time); erased || err != nil {
		return err
	}
	w := newWrite(e)
	for _, p := range persons {
		w.With = append(w.With, s.entities.CheckNotErased(p, e.OccurredAt.Time))
	}
	person := network.Person{
		Name: c.Name, Email: email, LinkedInURL: linkedIn,
		Title: optional.Value(c.Title), Company: optional.Value(c.Company), Location: optional.Value(c.Location),
	}
	candidate := network.Candidate{Tenant: tenant.Of(c.AgencyID, tenant.Live), OwnerID: c.RecruiterID, Person: person}
	err := s.network.AddByRoleSubmission(ctx, candidate, e.EntityID, w)
	if errors.Is(err, network.ErrOtherPerson) {
		return event.Invalidf("entityId: names a membership of another person or recruiter.")
	}
	return err
}
