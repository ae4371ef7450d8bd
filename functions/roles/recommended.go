package roles

import (
	"context"
	"log/slog"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// ListRecommendedRoles serves GET /recruiter/candidates/{candidateId}/recommended-roles.
func (s *Service) ListRecommendedRoles(
	ctx context.Context, call *gateway.Call, in contract.CRMCandidateRequest,
) (out contract.RecommendedRolesResponse, err error) {
	out.CandidateID = in.CandidateID
	var r reader
	var candidate recommend.Candidate
	var takenRoles []string
	err = cloud.InParallel(ctx,
		cloud.Reading(&r, func(ctx context.Context) (reader, error) { return s.readRecruiter(ctx, call) }),
		func(ctx context.Context) (err error) {
			candidate, takenRoles, err = s.readProspect(ctx, call, in.CandidateID)
			return err
		},
	)
	if err != nil || !r.recommended {
		return out, err
	}
	query := openRolesQuery()
	query.Exclude = slices.Concat(takenRoles, r.ownRoleIDs(role.Involvement.RequestOnly))
	recommended, err := r.current.Rank(ctx, r.personalize(query), r.approvedIDs(), candidate, call.Now)
	if err != nil {
		return out, err
	}
	var found roleindex.Page
	ranked := map[string]recommend.Recommendation{}
	for _, r := range recommended {
		ranked[r.ID] = r
		found.Rows = append(found.Rows, r.Row)
	}
	p, err := s.readPage(ctx, r, query, found)
	if err != nil {
		return out, err
	}
	var reasons []slog.Attr // for operators: the response has no points
	for _, row := range p.rows {
		if row.Browsable() { // it may have closed since it was found
			r := ranked[row.ID()]
			out.Roles = append(out.Roles, contract.RecommendedRole{
				RoleSummary:    row.Summary(),
				Recommendation: contract.Recommendation{Band: r.Band(), Reasons: r.Reasons.Codes()},
			})
			reasons = append(reasons, slog.Any(row.ID(), r))
		}
	}
	call.Details = []slog.Attr{slog.GroupAttrs("recommended", reasons...)}
	return out, nil
}

// readProspect reads a candidate of the caller's CRM, and the roles to which the candidate was submitted or for which the
// candidate is being assessed. It returns fault.Missing if the CRM has none of the id, or hides it.
func (s *Service) readProspect(ctx context.Context, call *gateway.Call, id string) (sought recommend.Candidate, taken []string, err error) {
	var c crm.Candidate
	var items []entity.Item
	recruiterID := call.Caller.Principal
	err = cloud.InParallel(ctx,
		func(ctx context.Context) (err error) {
			c, items, err = s.crm.Candidate(ctx, recruiterID, id)
			return err
		},
		cloud.Reading(&taken, func(ctx context.Context) ([]string, error) {
			return s.matches.PendingRoles(ctx, recruiterID, id, call.Now)
		}))
	if err != nil {
		return sought, nil, err
	}
	applications, err := role.ApplicationsIn(items)
	if err != nil {
		return sought, nil, err
	}
	for _, a := range applications {
		taken = append(taken, a.RoleID)
	}
	return matcherCandidate(c), taken, nil
}

// matcherCandidate returns a candidate as package recommend takes one: the newest preferences, and what resume and
// profile say. Without a preferred role type, the current title says which it is.
func matcherCandidate(c crm.Candidate) recommend.Candidate {
	texts := []string{optional.Value(c.OneLiner)}
	for _, e := range c.Experiences {
		texts = append(texts, optional.Value(e.Title), optional.Value(e.Description))
	}
	out := recommend.Candidate{
		Skills: append(slices.Clone(c.Skills), recommend.SkillTerms(texts...)...), Years: c.YearsOfExperience,
	}
	if p := c.NewestPreferences(); p != nil {
		out.RoleTypes = p.RoleTypes
		out.Locations = p.Locations
		out.Workplaces = p.Workplace
		out.FundingRounds = p.FundingRounds
		out.CompanySizes = p.CompanySizes
		out.ExcludedIndustries = p.ExcludedIndustries
		out.SalaryFloor = optional.Value(p.SalaryMin)
		out.SalaryTarget = optional.Value(p.SalaryMax)
		out.VisaNeeded = slices.Contains(p.VisaAuthorization, string(contract.VisaAuthorizationNeedsNewVisaAuthorization))
	}
	if len(out.RoleTypes) == 0 {
		out.RoleTypes = recommend.RoleTypesOf(optional.Value(c.CurrentRole.Title))
	}
	return out
}
