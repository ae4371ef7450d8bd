package crm

import (
	"context"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// ListCandidates serves GET /recruiter/candidates.
func (s *Service) ListCandidates(
	ctx context.Context, call *gateway.Call, in contract.ListCRMCandidatesRequest,
) (out contract.CRMCandidateList, err error) {
	f := crm.Filter{Query: optional.Value(in.Query), Tags: in.Tags, Statuses: contract.ConvertValues[string](in.RelationshipStatus)}
	page, err := s.index.List(ctx, call.Caller.Principal, f, optional.Value(in.Cursor), int(in.Limit))
	if err != nil {
		return out, err
	}
	for _, r := range page.Rows {
		out.Candidates = append(out.Candidates, contract.CRMCandidateRow{
			CandidateID: r.ID, Name: r.Name, LinkedInURL: r.LinkedInURL, Location: r.Location, OneLiner: r.OneLiner,
			CurrentRole:        contract.Position{Company: optional.NonZero(r.Company), Title: optional.NonZero(r.Title)},
			RelationshipStatus: contract.RelationshipStatus(r.Status), Tags: r.Tags, AddedAt: contract.At(r.Added()),
			FurthestStatus: optional.NonZero(contract.ApplicationStatus(r.Furthest)),
		})
	}
	out.NextCursor = optional.NonZero(page.Next)
	return out, nil
}

// GetCandidate serves GET /recruiter/candidates/{candidateId}. It reads the candidate with its applications, then their roles.
func (s *Service) GetCandidate(
	ctx context.Context, call *gateway.Call, in contract.CRMCandidateRequest,
) (out contract.CRMCandidate, err error) {
	me := call.Caller.Principal
	c, items, err := s.crm.Candidate(ctx, me, in.CandidateID)
	if err != nil {
		return out, err
	}
	applications, err := role.ApplicationsIn(items)
	if err != nil {
		return out, err
	}
	// Those of one time stay in the order of their ids.
	slices.SortStableFunc(applications, func(a, b role.Application) int { return b.SubmittedAt.Compare(a.SubmittedAt.Time) })
	roles, err := s.roles.ReadForRecruiter(ctx, me, distinctIDs(applications, func(a role.Application) string { return a.RoleID }))
	if err != nil {
		return out, err
	}
	out = contract.CRMCandidate{
		ID: c.CandidateID, CandidateID: c.CandidateID, Name: c.Name, AddedAt: c.AddedAt,
		RelationshipStatus: contract.RelationshipStatus(c.RelationshipStatus),
		OneLiner:           c.OneLiner, Location: c.Location, LinkedInURL: c.LinkedInURL, PersonalURL: c.PersonalURL, GitHubURL: c.GitHubURL,
		YearsOfExperience: c.YearsOfExperience, Tags: c.Tags, Note: c.Note, Resume: contract.ResumeOnFile{OnFile: c.ResumeOnFile},
		Preferences: (*contract.CRMPreferences)(c.NewestPreferences()),
		Experiences: c.Experiences, Education: c.Education,
	}
	for _, a := range applications {
		shown, _ := roles.View(a.RoleID, false, call.Now) // shows nothing if the role does not exist
		summary := shown.Summary()
		out.Applications = append(out.Applications, contract.CRMApplication{
			RoleID: a.RoleID, RoleName: summary.Name, CompanyName: summary.Company.Name, URLs: summary.URLs,
			Status: contract.ApplicationStatus(a.Status), SubmittedAt: a.SubmittedAt,
			CurrentStage: (*contract.Stage)(a.CurrentStage), FurthestStage: (*contract.Stage)(a.FurthestStage),
		})
	}
	return out, nil
}
