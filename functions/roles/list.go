package roles

import (
	"context"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// ListRoles serves GET /recruiter/roles.
func (s *Service) ListRoles(ctx context.Context, call *gateway.Call, in contract.ListRolesRequest) (out contract.ListRolesResponse, err error) {
	out.Roles = []contract.RoleSummary{}
	r, desk, state, err := s.readRecruiter(ctx, call)
	if err != nil {
		return out, err
	}
	if r.feesHidden && in.MinFeePercent != nil {
		return out, nil // or what is listed would tell the fees
	}
	if in.MatchMyPreferences {
		addPreferences(&in, desk.Preferences)
	}
	p, err := s.searchPage(ctx, r, state, listRolesQuery(in, r))
	for _, row := range p.rows {
		out.Roles = append(out.Roles, row.Summary())
	}
	if p.more {
		out.NextCursor = new(int64(p.last.Key))
	}
	return out, err
}

// readRecruiter reads, side by side, who calls, what the caller is to roles, and the
// catalogue.
func (s *Service) readRecruiter(ctx context.Context, call *gateway.Call) (r reader, desk role.Desk, state catalogue.State, err error) {
	var is account.Standing
	err = cloud.InParallel(ctx,
		func(ctx context.Context) (err error) { is, err = s.readStanding(ctx, call); return err },
		func(ctx context.Context) (err error) {
			desk, err = s.roles.Desk(ctx, call.Caller.Principal)
			return err
		},
		func(ctx context.Context) (err error) { state, err = s.catalogue.Current(ctx, call.Now); return err },
	)
	return reader{
		ownRoles: desk.Roles, feesHidden: is.FeesHidden(), recommended: is.Recruiter.Recommendations, now: call.Now,
	}, desk, state, err
}

// addPreferences adds saved preferences to what was asked for (contract, matchMyPreferences).
func addPreferences(in *contract.ListRolesRequest, p role.SavedPreferences) {
	add := func(to *[]string, saved []string) {
		*to = append(slices.Clone(*to), saved...)
	}
	add(&in.RoleTypes, p.RoleTypes)
	add(&in.Locations, p.Locations)
	add(&in.Industries, p.Industries)
	add(&in.FundingRounds, p.FundingRounds)
	if p.MinSalary != nil && (in.MinSalary == nil || *in.MinSalary < *p.MinSalary) {
		in.MinSalary = p.MinSalary
	}
	if in.MinSalary != nil && in.MaxSalary != nil && *in.MaxSalary < *in.MinSalary {
		in.MaxSalary = nil
	}
}

// listRolesQuery is what the catalogue is asked.
func listRolesQuery(in contract.ListRolesRequest, r reader) roleindex.Query {
	q := roleindex.Query{
		AnyOf:     map[roleindex.Field][]string{roleindex.Status: {role.Active}},
		Flags:     map[roleindex.Flag]bool{roleindex.StoppedReviewing: false, roleindex.SelfServeClosed: false},
		MinSalary: toInt(in.MinSalary), MaxSalary: toInt(in.MaxSalary),
		MinYears: in.MinYearsExperience, MaxYears: in.MaxYearsExperience, MinFeePercent: in.MinFeePercent,
		MinCompanySize: toInt(in.MinCompanySize), MaxCompanySize: toInt(in.MaxCompanySize), Limit: int(in.Limit),
	}
	if in.Query != nil {
		q.Text = *in.Query
	}
	if in.Cursor != nil {
		q.After = uint64(*in.Cursor)
	}
	for field, values := range map[roleindex.Field][]string{
		roleindex.Location: in.Locations, roleindex.RoleType: in.RoleTypes, roleindex.Workplace: in.Workplaces,
		roleindex.Density: in.TalentDensities, roleindex.CompanyTier: in.CompanyTiers, roleindex.Industry: in.Industries,
		roleindex.FundingRound: in.FundingRounds, roleindex.TechStack: in.TechStack,
	} {
		if len(values) > 0 {
			q.AnyOf[field] = values
		}
	}
	if len(in.Investors) > 0 {
		q.Investors = in.Investors
	}
	if in.RecruiterAvailability != nil {
		q.Flags[roleindex.SelfServeClosed] = *in.RecruiterAvailability == "not_available"
	}
	if in.VisaSponsorship != nil {
		q.Flags[roleindex.VisaSponsorship] = *in.VisaSponsorship
	}
	if in.PostedWithinDays != nil {
		q.PostedSince = r.now.Add(-time.Duration(*in.PostedWithinDays) * 24 * time.Hour)
	}
	q.Only = restrictedIDs(in, r)
	return q
}

// restrictedIDs are the roles in question; nil means all.
func restrictedIDs(in contract.ListRolesRequest, r reader) []string {
	if !in.PrimaryOnly && !in.ApprovedOnly && !in.TrialOnly {
		return nil
	}
	return r.ownRoleIDs(func(o role.Mine) bool {
		return (!in.PrimaryOnly || o.Primary()) && (!in.ApprovedOnly || o.Approved()) &&
			(!in.TrialOnly || o.Primary() && o.Assignment.Trial != nil)
	})
}

// toInt is a number as the catalogue takes it.
func toInt(v *int64) *int {
	if v == nil {
		return nil
	}
	return new(int(*v))
}
