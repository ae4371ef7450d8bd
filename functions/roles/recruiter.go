package roles

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// ListRoles serves GET /recruiter/roles.
func (s *Service) ListRoles(ctx context.Context, call *gateway.Call, in contract.ListRolesRequest) (out contract.RoleList, err error) {
	q := openRolesQuery()
	if optional.Value(in.Sort) == contract.RoleSortRelevance {
		if in.Query == nil {
			return out, fault.Field(contract.ValidationFailed, "query", "query: is required with sort=relevance.")
		}
		q.Sort = roleindex.RelevanceOrder
	}
	r, err := s.readRecruiter(ctx, call)
	if err != nil {
		return out, err
	}
	if r.feesHidden && in.MinFeePercent != nil {
		return out, nil // the roles that pass would disclose their fees
	}
	if in.MatchMyPreferences {
		addPreferences(&in, r.own.Preferences)
	}
	catalogue.AddFilters(&q, in, r.now)
	q.Text = optional.Value(in.Query)
	q.After = uint64(optional.Value(in.Cursor))
	q.Limit = int(in.Limit)
	q.Only = restrictedIDs(in, r)
	p, err := s.searchPage(ctx, r, q)
	if err != nil {
		return out, err
	}
	for _, row := range p.rows {
		if row.Browsable() { // the role may have closed since the search
			out.Roles = append(out.Roles, row.Summary())
		}
	}
	if p.more {
		out.NextCursor = new(int64(q.Sort.Position(p.last)))
	}
	return out, nil
}

func (s *Service) readRecruiter(ctx context.Context, call *gateway.Call) (r reader, err error) {
	var standing account.Standing
	err = cloud.InParallel(ctx,
		cloud.Reading(&standing, func(ctx context.Context) (account.Standing, error) { return s.readStanding(ctx, call) }),
		cloud.Reading(&r.own, func(ctx context.Context) (role.RecruiterRoles, error) {
			return s.recruiters.Read(ctx, call.Caller.Principal)
		}),
		cloud.Reading(&r.current, func(ctx context.Context) (catalogue.Roles, error) { return s.catalogue.Current(ctx, call.Now) }))
	r.feesHidden = standing.FeesHidden()
	r.recommended = standing.Recruiter.Recommendations
	r.now = call.Now
	return r, err
}

// addPreferences adds saved preferences to the filters of a request (contract, matchMyPreferences).
func addPreferences(in *contract.ListRolesRequest, p role.SavedPreferences) {
	in.RoleTypes = slices.Concat(in.RoleTypes, p.RoleTypes)
	in.Locations = slices.Concat(in.Locations, p.Locations)
	in.Industries = slices.Concat(in.Industries, p.Industries)
	in.FundingRounds = slices.Concat(in.FundingRounds, p.FundingRounds)
	if p.MinSalary != nil && (in.MinSalary == nil || *in.MinSalary < *p.MinSalary) {
		in.MinSalary = p.MinSalary
	}
	if in.MinSalary != nil && in.MaxSalary != nil && *in.MaxSalary < *in.MinSalary {
		in.MaxSalary = nil
	}
}

// openRolesQuery returns a query for the roles that accept recruiters and review submissions.
func openRolesQuery() roleindex.Query {
	return roleindex.Query{
		AnyOf: activeStatus(),
		Flags: map[roleindex.Flag]bool{roleindex.StoppedReviewing: false, roleindex.SelfServeClosed: false},
	}
}

func activeStatus() map[roleindex.Field][]string {
	return map[roleindex.Field][]string{roleindex.Status: {string(contract.RoleStatusActive)}}
}

// restrictedIDs returns the ids of the caller's own roles to which the request is limited, or nil
// if it is not limited to them. A request for roles that cannot be joined is limited to those of
// them that the caller is on (contract, Role terms).
func restrictedIDs(in contract.ListRolesRequest, r reader) []string {
	approved := in.ApprovedOnly || optional.Value(in.RecruiterAvailability) == contract.RecruiterAvailabilityNotAvailable
	isLimited := in.PrimaryOnly || approved || in.TrialOnly
	if !isLimited {
		return nil
	}
	return r.ownRoleIDs(func(o role.Involvement) bool {
		isPrimary := o.Primary() || !in.PrimaryOnly
		isApproved := o.Approved() || !approved
		isOnTrial := o.Primary() && o.Assignment.Trial != nil || !in.TrialOnly
		return isPrimary && isApproved && isOnTrial
	})
}

// ListActiveRoles serves GET /recruiter/active-roles. Without a filter, it lists the roles with a primary slot or an active
// submission.
func (s *Service) ListActiveRoles(
	ctx context.Context, call *gateway.Call, in contract.ActiveRolesRequest,
) (out contract.ActiveRolesResponse, err error) {
	q := roleindex.Query{AnyOf: activeStatus(), Sort: roleindex.UpdateOrder, Limit: int(in.Limit)}
	filters := fmt.Sprint(in.PrimaryOnly, in.ActiveTrialOnly, in.SingleSubmissionsOnly, in.AutoMatchOnly)
	if err := readStart(call, &q, in.Cursor, filters); err != nil {
		return out, err
	}
	r, err := s.readRecruiter(ctx, call)
	if err != nil {
		return out, err
	}
	q.Only = r.ownRoleIDs(func(own role.Involvement) bool {
		switch {
		case in.PrimaryOnly && own.Primary(), in.ActiveTrialOnly && own.TrialActive(r.now):
			return true
		case in.SingleSubmissionsOnly && own.ActiveSingle() > 0, in.AutoMatchOnly && own.Counts.AutoMatch > 0:
			return true
		case in.PrimaryOnly || in.ActiveTrialOnly || in.SingleSubmissionsOnly || in.AutoMatchOnly:
			return false
		}
		return own.Primary() || own.Counts.Active > 0
	})
	p, err := s.searchPage(ctx, r, q)
	if err != nil {
		return out, err
	}
	for _, row := range p.rows {
		out.Roles = append(out.Roles, row.ActiveRow())
	}
	out.NextCursor = p.nextCursor(q.Sort, filters)
	return out, nil
}

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

// readFull reads a role and, at the same time, who asks for it. It returns fault.Missing if there is no such role.
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
	recommended, err := r.current.Rank(ctx, r.personalize(query), r.approvedIDs(), candidate.Criteria(call.Now))
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
	defer fault.Wrap(&err, "roles.readProspect(candidateID)")

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
