package roles

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// GetRole serves GET /recruiter/roles/{roleId}.
func (s *Service) GetRole(ctx context.Context, call *gateway.Call, in contract.RoleRequest) (out contract.RoleDetail, err error) {
	var standing account.Standing
	file, err := s.readFull(ctx, in.RoleID, cloud.Reading(&standing, func(ctx context.Context) (account.Standing, error) {
		return s.readStanding(ctx, call)
	}))
	if err != nil {
		return out, err
	}
	ownedID := "" // of the agency that the recruiter owns and sees submissions of
	if standing.Member.Owner {
		ownedID = standing.Agency.ID
	}
	var own role.Involvement
	var submissions []role.Application
	err = cloud.InParallel(ctx,
		cloud.Reading(&own, func(ctx context.Context) (role.Involvement, error) {
			return s.roles.Complete(ctx, &file, standing.Recruiter.ID)
		}),
		cloud.Reading(&submissions, func(ctx context.Context) ([]role.Application, error) {
			return s.roles.SubmissionsFor(ctx, in.RoleID, standing.Recruiter.ID, ownedID)
		}))
	if err != nil {
		return out, err
	}
	view := role.Redact(file.Unredacted, role.Caller{Involvement: own, FeesHidden: standing.FeesHidden(), Now: call.Now})
	if err := s.requireWorkable(ctx, view, own, standing.Recruiter.ID, in.RoleID); err != nil {
		return out, err
	}
	reader := role.Reader{RecruiterID: standing.Recruiter.ID}
	if standing.Member.Active() {
		reader.AgencyID = standing.Agency.ID
	}
	return view.Detail(submissions, file.Announcements, reader), nil
}

// readFull reads a role and, at the same time, who asks for it. It returns fault.Missing if there is no
// such role.
func (s *Service) readFull(ctx context.Context, roleID string, readCaller func(context.Context) error) (file role.FullRole, err error) {
	found := false
	err = cloud.InParallel(ctx, readCaller, func(ctx context.Context) (err error) {
		file, found, err = s.roles.ReadFull(ctx, roleID)
		return err
	})
	if err == nil && !found {
		err = fault.Missing()
	}
	return file, err
}

// requireWorkable returns fault.Missing for a role that a recruiter cannot work on:
// neither browsable nor with an approved assignment, an application or a match.
func (s *Service) requireWorkable(ctx context.Context, v role.View, own role.Involvement, recruiterID, roleID string) error {
	if v.Browsable() || own.Involved() {
		return nil
	}
	matched, err := s.matches.WasSent(ctx, recruiterID, roleID)
	if err == nil && !matched {
		err = fault.Missing()
	}
	return err
}
