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
	var is account.Standing
	var file role.File
	found := false
	err = cloud.InParallel(ctx,
		func(ctx context.Context) (err error) { is, err = s.readStanding(ctx, call); return err },
		func(ctx context.Context) (err error) {
			file, found, err = s.roles.Read(ctx, in.RoleID)
			return err
		},
	)
	if err != nil {
		return out, err
	}
	if !found {
		return out, fault.Missing()
	}
	var own role.Mine
	var submissions []role.Application
	err = cloud.InParallel(ctx,
		func(ctx context.Context) (err error) {
			own, err = s.roles.Complete(ctx, &file, is.Recruiter.ID)
			return err
		},
		func(ctx context.Context) (err error) {
			submissions, err = s.roles.SubmissionsFor(ctx, in.RoleID, is.Recruiter.ID, ownedAgencyID(is))
			return err
		},
	)
	if err != nil {
		return out, err
	}
	view := role.Redact(file.Raw, role.Caller{Assignment: own.Assignment, Counts: own.Counts, FeesHidden: is.FeesHidden(), Now: call.Now})
	if err := s.requireWorkable(ctx, view, own, is.Recruiter.ID, in.RoleID); err != nil {
		return out, err
	}
	reader := role.Reader{RecruiterID: is.Recruiter.ID}
	if is.Member().Active() {
		reader.AgencyID = is.Agency.ID
	}
	return view.Detail(submissions, file.Announcements, reader), nil
}

// ownedAgencyID is the agency whose submissions the recruiter sees; "" for no owner.
func ownedAgencyID(is account.Standing) string {
	if is.Member().Owner {
		return is.Agency.ID
	}
	return ""
}

// requireWorkable answers fault.Missing for a role that a recruiter cannot work on:
// neither browsable nor with an assignment, application or match.
func (s *Service) requireWorkable(ctx context.Context, v role.View, own role.Mine, recruiterID, roleID string) error {
	if v.Listing().Browsable() || own.Involved() {
		return nil
	}
	matched, err := s.matches.WasSent(ctx, recruiterID, roleID)
	if err == nil && !matched {
		err = fault.Missing()
	}
	return err
}
