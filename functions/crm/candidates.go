package crm

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
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
		out.Candidates = append(out.Candidates, candidateRow(r))
	}
	out.NextCursor = optional.NonZero(page.Next)
	return out, nil
}

func candidateRow(r crm.Row) contract.CRMCandidateRow {
	return contract.CRMCandidateRow{
		CandidateID: r.ID, Name: r.Name, LinkedInURL: r.LinkedInURL, Location: r.Location, OneLiner: r.OneLiner,
		CurrentRole:        contract.Position{Company: optional.NonZero(r.Company), Title: optional.NonZero(r.Title)},
		RelationshipStatus: contract.RelationshipStatus(r.Status), Tags: r.Tags, AddedAt: contract.At(r.Added()),
		FurthestStatus: optional.NonZero(contract.ApplicationStatus(r.Furthest)),
	}
}
