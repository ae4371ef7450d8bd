package feed

import (
	"context"
	"slices"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/account"
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

// eventKinds returns the table of all events.
func (s *Service) eventKinds() []event.Kind {
	return slices.Concat(
		event.NewEntityKinds("agency", withID(s.putAgency)),
		event.NewEntityKinds("member", s.putMember),
		event.NewEntityKinds("recruiter", withID(s.putRecruiter)),
		event.NewEntityKinds("company", withStamp(s.roles.PutCompany)),
		event.NewEntityKinds("role", withID(s.putRole)),
		event.NewEntityKinds("roleAssignment", s.putAssignment),
		event.NewEntityKinds("hiringManagerMetrics", withVersion(s.roles.PutMetrics)),
		event.NewEntityKinds("rolePipeline", withVersion(s.roles.PutPipeline)),
		event.NewEntityKinds("announcement", withStamp(s.roles.PutAnnouncement)),
		event.NewEntityKinds("intakeTranscript", withStamp(s.roles.PutTranscript)),
		event.NewEntityKinds("savedPreferences", withVersion(s.roles.PutPreferences)),
		event.NewEntityKinds("application", withID(s.putApplication)),
		event.NewEntityKinds("crmCandidate", s.putCandidate),
		event.NewEntityKinds("match", withStamp(s.matches.Put)),
		event.NewEntityKinds("call", withStamp(s.calls.Put)),
		[]event.Kind{
			event.NewKind("person.erased", withID(s.applyErasure)),
			event.NewKind("membership.preferencesSet", s.setPreferences),
			event.NewKind("membership.offMarketSet", s.setOffMarket),
			event.NewKind("membership.locked", s.setLocked),
			event.NewKind("membership.addedByRoleSubmission", withID(s.addMember)),
		},
	)
}

// apply applies an event with a payload of type T; nil stands for the deletion of its entity.
type apply[T any] = func(context.Context, event.Envelope, *T) error

// withID applies the events of an entity with one id.
func withID[T any](put func(ctx context.Context, id string, e event.Envelope, data *T) error) apply[T] {
	return func(ctx context.Context, e event.Envelope, data *T) error {
		id, err := e.SingleID()
		if err != nil {
			return err
		}
		return put(ctx, id, e, data)
	}
}

// withStamp applies the events of an entity that is stored with the stamp of the last one.
func withStamp[T any](put func(ctx context.Context, id string, at entity.Stamp, data *T) error) apply[T] {
	return withID(func(ctx context.Context, id string, e event.Envelope, data *T) error {
		return put(ctx, id, e.Stamp(), data)
	})
}

// withVersion applies the events of an entity that is stored with the version of the last one.
func withVersion[T any](put func(ctx context.Context, id string, version int64, data *T) error) apply[T] {
	return withID(func(ctx context.Context, id string, e event.Envelope, data *T) error {
		return put(ctx, id, e.Version, data)
	})
}

func (s *Service) putRole(ctx context.Context, id string, e event.Envelope, r *role.Role) error {
	if id == itemkey.Call.SK() || id == itemkey.CallDetail.SK() { // the row of a role with this id would have the key of a call
		return event.Invalidf("entityId: %s is no id of a role.", id)
	}
	if r == nil {
		return s.roles.Delete(ctx, id, e.Stamp())
	}
	return s.roles.Put(ctx, id, e.Stamp(), *r)
}

// putAssignment goes by role and recruiter.
func (s *Service) putAssignment(ctx context.Context, e event.Envelope, a *role.Assignment) error {
	roleID, recruiterID, err := e.IDPair()
	if err != nil {
		return err
	}
	if a != nil {
		err = e.CheckIDPair("roleId", a.RoleID, "recruiterId", a.RecruiterID)
	}
	if err != nil {
		return err
	}
	return s.roles.PutAssignment(ctx, roleID, recruiterID, e.Version, a)
}

// putCandidate goes by recruiter and candidate.
func (s *Service) putCandidate(ctx context.Context, e event.Envelope, c *crm.Candidate) error {
	recruiterID, candidateID, err := e.IDPair()
	if err != nil {
		return err
	}
	if c != nil {
		err = e.CheckIDPair("recruiterId", c.RecruiterID, "candidateId", c.CandidateID)
	}
	if err != nil {
		return err
	}
	if err := s.crm.Put(ctx, recruiterID, candidateID, e.Stamp(), c); err != nil {
		return err
	}
	return s.followUps.noteCRMChange(ctx, recruiterID, e)
}

// putApplication stores an application with its counts, and with the candidate's furthest status,
// on which no search of the CRM depends.
func (s *Service) putApplication(ctx context.Context, id string, e event.Envelope, a *role.Application) error {
	return s.roles.PutApplication(ctx, id, e.Stamp(), a, s.updateCandidate)
}

// updateCandidate lets the candidate's row in the recruiter's CRM follow an application.
func (s *Service) updateCandidate(ctx context.Context, was, is *role.Application) ([]entity.Action, error) {
	var steps []crm.ApplicationChange
	if was != nil {
		steps = append(steps, applicationChange(*was, -1))
	}
	if is != nil {
		steps = append(steps, applicationChange(*is, 1))
	}
	return s.crm.ProgressActions(ctx, steps)
}

func applicationChange(a role.Application, n int) crm.ApplicationChange {
	reached := crm.ReachedStatus(a.Status, a.CurrentStage, a.FurthestStage)
	return crm.ApplicationChange{RecruiterID: a.RecruiterID, CandidateID: a.CandidateID, Status: reached, Delta: n}
}

func (s *Service) putAgency(ctx context.Context, id string, e event.Envelope, a *event.Agency) error {
	if a == nil {
		return s.accounts.ApplyAgency(ctx, id, e.Version, nil)
	}
	return s.accounts.ApplyAgency(ctx, id, e.Version, &account.Agency{
		Name: a.Name, APIAccess: a.APIAccess, TalentNetworkAccess: a.TalentNetworkAccess,
		TalentNetworkManagement: a.TalentNetworkManagement, HidesPayment: a.HidesPayment, PrimaryOwner: a.PrimaryOwner,
	})
}

// putMember goes by agency and recruiter.
func (s *Service) putMember(ctx context.Context, e event.Envelope, m *event.Member) error {
	agencyID, id, err := e.IDPair()
	if err != nil {
		return err
	}
	if m == nil {
		return s.accounts.ApplyMember(ctx, agencyID, id, e.Version, nil)
	}
	email, _ := identity.Email(m.Email)
	return s.accounts.ApplyMember(ctx, agencyID, id, e.Version, &account.Member{
		ID: id, Name: m.Name, Email: email, Owner: m.Owner, Approved: m.Approved,
		Deactivated: m.Deactivated, FastTrack: m.FastTrack,
	})
}

func (s *Service) putRecruiter(ctx context.Context, id string, e event.Envelope, r *event.Recruiter) error {
	if r == nil {
		return s.accounts.ApplyRecruiter(ctx, id, e.Version, nil)
	}
	email, _ := identity.Email(r.Email)
	return s.accounts.ApplyRecruiter(ctx, id, e.Version, &account.Recruiter{
		ID: id, Name: r.Name, Email: email, AgencyID: optional.Value(r.AgencyID), CanRecruit: r.CanRecruit,
		PersonalKeys: r.PersonalKeys, Recommendations: r.Recommendations,
	})
}
