package crm

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

// ListCandidates serves GET /recruiter/candidates.
func (s *Service) ListCandidates(ctx context.Context, call *gateway.Call, in contract.ListCRMCandidatesRequest) (out contract.ListCRMCandidatesResponse, err error) {
	f := crm.Filter{Tags: in.Tags, Statuses: in.RelationshipStatus}
	if in.Query != nil {
		f.Query = *in.Query
	}
	page, err := s.index.List(ctx, call.Caller.Principal, f, orZero(in.Cursor), int(in.Limit))
	for _, r := range page.Rows {
		out.Candidates = append(out.Candidates, candidateRow(r))
	}
	out.NextCursor = nextCursor(page.Next)
	return out, err
}

func candidateRow(r crm.Row) contract.CRMCandidateRow {
	return contract.CRMCandidateRow{
		CandidateID: r.ID, Name: r.Name, LinkedInURL: r.LinkedInURL, Location: r.Location, OneLiner: r.OneLiner,
		CurrentRole:        contract.Position{Company: known(r.Company), Title: known(r.Title)},
		RelationshipStatus: r.Status, FurthestStatus: known(r.Furthest), Tags: r.Tags, AddedAt: contract.At(r.Added()),
	}
}

// known makes what is unknown null.
func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
