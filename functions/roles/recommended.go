package roles

import (
	"context"
	"log/slog"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// ListRecommendedRoles serves GET /recruiter/candidates/{candidateId}/recommended-roles.
func (s *Service) ListRecommendedRoles(ctx context.Context, call *gateway.Call, in contract.CRMCandidateRequest) (out contract.RecommendedRolesResponse, err error) {
	out = contract.RecommendedRolesResponse{CandidateID: in.CandidateID, Roles: []contract.RecommendedRole{}}
	var r reader
	var state catalogue.State
	var sought prospect
	err = cloud.InParallel(ctx,
		func(ctx context.Context) (err error) { r, _, state, err = s.readRecruiter(ctx, call); return err },
		func(ctx context.Context) (err error) {
			sought, err = s.readProspect(ctx, call, in.CandidateID)
			return err
		},
	)
	if err != nil || !r.recommended {
		return out, err
	}
	ranked := map[string]recommend.Recommendation{}
	p, err := s.searchPageBy(ctx, r, state, openRolesQuery(sought.takenRoles), func(v *roleindex.View, q roleindex.Query) (found roleindex.Page) {
		for _, r := range recommend.Rank(v, q, sought.candidate, call.Now) {
			ranked[r.ID], found.Rows = r, append(found.Rows, r.Row)
		}
		return found
	})
	var why []slog.Attr // for operators: the answer does not tell
	for _, row := range p.rows {
		if row.Listing().Browsable() { // it may have closed since it was found
			out.Roles = append(out.Roles, contract.RecommendedRole{
				RoleSummary: row.Summary(), Recommendation: contract.Recommendation{Band: ranked[row.ID].Band()},
			})
			why = append(why, slog.Any(row.ID, ranked[row.ID]))
		}
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "recommended", slog.String("request_id", call.RequestID), slog.GroupAttrs("roles", why...))
	return out, err
}

// openRolesQuery are those that the list of roles shows, some aside.
func openRolesQuery(except []string) roleindex.Query {
	return roleindex.Query{
		AnyOf:   map[roleindex.Field][]string{roleindex.Status: {role.Active}},
		Flags:   map[roleindex.Flag]bool{roleindex.StoppedReviewing: false, roleindex.SelfServeClosed: false},
		Exclude: except,
	}
}

// prospect is whom roles are sought for.
type prospect struct {
	candidate recommend.Candidate
	// takenRoles are the roles submitted to and those being assessed.
	takenRoles []string
}

// readProspect reads a candidate of the caller's book; fault.Missing if it has none, or
// hides it.
func (s *Service) readProspect(ctx context.Context, call *gateway.Call, id string) (p prospect, err error) {
	var c crm.Candidate
	var listed bool
	var applications []role.CandidateApplication
	me := call.Caller.Principal
	err = cloud.InParallel(ctx,
		func(ctx context.Context) (err error) { c, listed, err = s.crm.Candidate(ctx, me, id); return err },
		func(ctx context.Context) (err error) { applications, err = s.roles.Of(ctx, me, id); return err },
		func(ctx context.Context) (err error) {
			p.takenRoles, err = s.matches.PendingRoles(ctx, me, id, call.Now)
			return err
		},
	)
	if err == nil && !listed {
		err = fault.Missing()
	}
	for _, a := range applications {
		p.takenRoles = append(p.takenRoles, a.RoleID)
	}
	p.candidate = matcherCandidate(c)
	return p, err
}
