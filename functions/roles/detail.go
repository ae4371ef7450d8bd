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
func (s *Service) GetRole(ctx context.Context, call *gateway.Call, in contract.RoleRequest) (contract.RoleDetail, error) {
	return cloud.PreferEventual(ctx, func(ctx context.Context) (contract.RoleDetail, error) { return s.readRole(ctx, call, in) })
}

func (s *Service) readRole(ctx context.Context, call *gateway.Call, in contract.RoleRequest) (out contract.RoleDetail, err error) {
	var standing account.Standing
	file, err := s.readFull(ctx, in.RoleID, func(ctx context.Context) (err error) {
		standing, err = s.readStanding(ctx, call)
		return err
	})
	if err != nil {
		return out, err
	}
	var own role.Involvement
	var submissions []role.Application
	err = cloud.InParallel(ctx,
		func(ctx context.Context) (err error) {
			own, err = s.roles.Complete(ctx, &file, standing.Recruiter.ID)
			return err
		},
		func(ctx context.Context) (err error) {
			submissions, err = s.roles.SubmissionsFor(ctx, in.RoleID, standing.Recruiter.ID, ownedAgencyID(standing))
			return err
		},
	)
	if err != nil {
		return out, err
	}
	view := role.Redact(file.Unredacted, role.Caller{
		Involvement: own, FeesHidden: standing.FeesHidden(), Now: call.Now,
	})
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
func (s *Service) readFull(
	ctx context.Context, roleID string, readCaller func(context.Context) error,
) (file role.FullRole, err error) {
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

// ownedAgencyID returns the id of the agency that the recruiter owns and sees submissions of,
// "" if the recruiter owns none.
func ownedAgencyID(standing account.Standing) string {
	if standing.Member.Owner {
		return standing.Agency.ID
	}
	return ""
}

// requireWorkable returns fault.Missing for a role that a recruiter cannot work on:
// neither browsable nor with an approved assignment, an application or a match.
func (s *Service) requireWorkable(ctx context.Context, v role.View, own role.Involvement, recruiterID, roleID string) error {
	if v.Browsable() || own.Involved() {
		return nil
	}
	matched, err := s.matches.WasSent(ctx, recruiterID, roleID)
	if err != nil {
		return err
	}
	if !matched {
		return fault.Missing()
	}
	return nil
}
