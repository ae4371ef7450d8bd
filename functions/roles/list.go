package roles

import (
	"context"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
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

// readRecruiter reads, in parallel, the recruiter who calls, what the recruiter is to
// roles, and the catalogue.
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

// activeStatus returns the condition that a role is active.
func activeStatus() map[roleindex.Field][]string {
	return map[roleindex.Field][]string{roleindex.Status: {string(contract.RoleStatusActive)}}
}

// restrictedIDs returns the ids of the caller's own roles to which the request is limited, or nil
// if it is not limited to them. A request for roles that cannot be joined is limited to those of
// them that the caller is on (contract, Role terms).
func restrictedIDs(in contract.ListRolesRequest, r reader) []string {
	approved := in.ApprovedOnly || optional.Value(in.RecruiterAvailability) == "not_available"
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
