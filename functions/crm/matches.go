package crm

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// ListMatches serves GET /recruiter/recommendations and its second spelling: the
// recruiter and the matches in parallel, then the agency and the roles of the matches.
func (s *Service) ListMatches(ctx context.Context, call *gateway.Call, in contract.ListMatchesRequest) (out contract.MatchList, err error) {
	status := optional.Or(in.Status, contract.MatchFilterPending)
	me := call.Caller.Principal
	after, err := cursor.Read(call, in.Cursor, match.ValidSortKey, string(status))
	if err != nil {
		return out, err
	}
	var recruiter account.Recruiter
	var page []match.Listed
	var next string
	err = cloud.InParallel(ctx,
		cloud.Reading(&recruiter, func(ctx context.Context) (account.Recruiter, error) { return s.accounts.Recruiter(ctx, me) }),
		func(ctx context.Context) (err error) {
			page, next, err = s.matches.List(ctx, me, status, after, int(in.Limit), call.Now)
			return err
		})
	if err != nil {
		return out, err
	}
	var standing account.Standing
	var roles role.RolesForRecruiter
	err = cloud.InParallel(ctx,
		cloud.Reading(&standing, func(ctx context.Context) (account.Standing, error) { return s.accounts.StandingOf(ctx, recruiter) }),
		cloud.Reading(&roles, func(ctx context.Context) (role.RolesForRecruiter, error) {
			return s.roles.ReadForRecruiter(ctx, me, distinctIDs(page, func(m match.Listed) string { return m.RoleID }))
		}))
	if err != nil {
		return out, err
	}
	for _, m := range page {
		view, there := roles.View(m.RoleID, standing.FeesHidden(), call.Now)
		if m.StatusAt(call.Now) != contract.MatchStatusPending || there && view.Status() != contract.RoleStatusClosed {
			out.Recommendations = append(out.Recommendations, matchRow(m, view, call.Now))
		}
	}
	if next != "" {
		out.NextCursor = new(cursor.New(next, string(status)))
	}
	return out, nil
}

// matchRow returns the row of a match at a time, with its role as the caller may see it.
func matchRow(m match.Listed, v role.View, now time.Time) contract.Match {
	summary := v.Summary()
	out := contract.Match{
		ID: m.ID, SentAt: m.SentAt, DaysUntilExpiry: m.DaysLeft(now),
		Status: m.StatusAt(now), ActionBucket: m.ActionBucket(now),
		ReachedOutToCandidate: m.ReachedOut, HiringManagerNote: v.RedactText(m.HiringManagerNote), HiringManagerName: m.HiringManagerName,
		Candidate: contract.MatchCandidate{
			CandidateID: m.Candidate.CandidateID, Name: m.Candidate.Name, Title: m.Candidate.Title, OneLiner: m.Candidate.OneLiner,
			Location: m.Candidate.Location, LinkedInURL: m.Candidate.LinkedInURL,
		},
		Role: contract.MatchRole{
			ID: m.RoleID, Name: summary.Name, URLs: summary.URLs, Locations: summary.Locations,
			Company: contract.MatchCompany{
				Name: summary.Company.Name, ConfidentialSearch: summary.Company.ConfidentialSearch, AnonymizedName: summary.Company.AnonymizedName,
			},
			Compensation: contract.MatchCompensation{Currency: summary.Compensation.Currency},
			FeePercent:   summary.Fee.PercentOfSalary,
		},
		Application: m.Application(),
	}
	if pay := v.ActiveRow().BaseSalary; pay != nil {
		out.Role.Compensation.SalaryLowerBound = pay.Min
		out.Role.Compensation.SalaryUpperBound = pay.Max
	}
	return out
}
