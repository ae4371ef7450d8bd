package soak

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// queries are what recruiters look for, some with typos.
var queries = []string{"engineer", "enginer", "designer", "product manager", "backend", "data scientst", "sales", "staff engineer platform"}

// recruiterActions are the requests of a personal key; crmActions are those of the recruiter who
// has a CRM.
var (
	recruiterActions = []action{
		{"roles", true, 5, listRoles},
		{"search roles", true, 5, searchRoles},
		{"role", true, 4, readRole},
		{"active roles", true, 2, listActiveRoles},
		{"saved preferences", true, 1, readSavedPreferences},
	}
	crmActions = append([]action{
		{"crm candidates", true, 5, listCRM},
		{"crm candidate", true, 4, readCRMCandidate},
		{"recommended roles", true, 2, listRecommendedRoles},
		{"matches", true, 2, listMatches},
		{"calls", true, 2, listCalls},
		{"call", true, 2, readCall},
	}, recruiterActions...)
)

func listRoles(ctx context.Context, a *actor) error {
	return a.findRoles(ctx, contract.ListRolesRequest{Locations: []contract.Location{"europe"}})
}

func searchRoles(ctx context.Context, a *actor) error {
	return a.findRoles(ctx, contract.ListRolesRequest{Query: new(a.drawOne(queries))})
}

func (a *actor) findRoles(ctx context.Context, in contract.ListRolesRequest) error {
	out, err := a.api.Roles(ctx, in)
	for _, row := range out.Roles {
		a.roles = appendRecent(a.roles, row.ID)
	}
	return err
}

func readRole(ctx context.Context, a *actor) error {
	return a.withKnown(ctx, &a.roles, listRoles, func(id string) error { return onlyError(a.api.Role(ctx, id)) })
}

func listActiveRoles(ctx context.Context, a *actor) error {
	return onlyError(a.api.ActiveRoles(ctx, contract.ActiveRolesRequest{}))
}

func readSavedPreferences(ctx context.Context, a *actor) error {
	return onlyError(a.api.SavedPreferences(ctx))
}

func listCRM(ctx context.Context, a *actor) error {
	in := contract.ListCRMCandidatesRequest{}
	if a.random.IntN(2) == 0 {
		in.Query = new(a.drawOne(queries))
	}
	out, err := a.api.CRMCandidates(ctx, in)
	for _, row := range out.Candidates {
		a.crm = appendRecent(a.crm, row.CandidateID)
	}
	return err
}

func readCRMCandidate(ctx context.Context, a *actor) error {
	return a.withKnown(ctx, &a.crm, listCRM, func(id string) error { return onlyError(a.api.CRMCandidate(ctx, id)) })
}

func listRecommendedRoles(ctx context.Context, a *actor) error {
	return a.withKnown(ctx, &a.crm, listCRM, func(id string) error { return onlyError(a.api.RecommendedRoles(ctx, id)) })
}

func listMatches(ctx context.Context, a *actor) error {
	return onlyError(a.api.Matches(ctx, contract.ListMatchesRequest{}))
}

func listCalls(ctx context.Context, a *actor) error {
	out, err := a.api.Calls(ctx, contract.ListCallsRequest{})
	for _, row := range out.Calls {
		a.calls = appendRecent(a.calls, row.CallID)
	}
	return err
}

func readCall(ctx context.Context, a *actor) error {
	return a.withKnown(ctx, &a.calls, listCalls, func(id string) error { return onlyError(a.api.Call(ctx, id)) })
}
