package network

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// ListCandidates serves GET /talent-network/candidates.
func (s *Service) ListCandidates(ctx context.Context, call *gateway.Call, in contract.ListCandidatesRequest) (out contract.ListCandidatesResponse, err error) {
	f := parseFilters(in)
	after, err := cursor.Read(call, in.Cursor, network.ValidSortKey, f.status, f.recruiter)
	if err != nil {
		return out, err
	}
	list := s.network.List(call.Caller.Tenant(), after, int(in.Limit))
	agency, err := s.readWithAgency(ctx, call, list.Read)
	if err != nil {
		return out, err
	}
	if in.RecruiterEmail != nil {
		if _, err := agency.ActiveMember(f.recruiter); err != nil {
			return out, err
		}
	}
	rows, next, err := list.Page(ctx, func(r network.Row) bool { return f.passesRow(r, agency, call.Now) })
	if err != nil {
		return out, err
	}
	for _, r := range rows {
		out.Candidates = append(out.Candidates, candidateRow(r, agency, call.Now))
	}
	if next != "" {
		out.NextCursor = new(cursor.New(next, f.status, f.recruiter))
	}
	return out, nil
}

// filters are those of the list; "" passes every row.
type filters struct{ status, recruiter string }

func parseFilters(in contract.ListCandidatesRequest) filters {
	f := filters{status: optional.Value(in.Status)}
	if in.RecruiterEmail != nil {
		f.recruiter, _ = identity.Email(*in.RecruiterEmail)
	}
	return f
}

func (f filters) passesRow(r network.Row, agency account.Agency, now time.Time) bool {
	owner := agency.Members[r.OwnerID]
	return owner.Active() &&
		(f.recruiter == "" || f.recruiter == owner.Email) &&
		(f.status == "" || f.status == string(r.Status(now)))
}

// candidateRow returns a membership as lists show it, with its owner's present name and
// address.
func candidateRow(r network.Row, agency account.Agency, now time.Time) contract.CandidateRow {
	owner := agency.Members[r.OwnerID]
	out := contract.CandidateRow{
		CandidateUserID: r.ID, Name: r.Name, Email: r.Email, LinkedInURL: r.LinkedInURL,
		Status: r.Status(now), FastTrack: r.FastTrack,
		Recruiter:    contract.OwningRecruiter{Name: owner.Name, Email: owner.Email},
		CurrentTitle: optional.NonZero(r.Title), CurrentCompany: optional.NonZero(r.Company), Location: optional.NonZero(r.Location),
		HasPreferences: r.HasPreferences, HasResume: r.HasResume, Source: string(r.Source), LastSubmissionSource: string(r.LastSubmissionSource),
		AddedAt: contract.At(r.AddedAt), UpdatedAt: contract.At(r.UpdatedAt),
	}
	if !r.ExpiresAt.IsZero() {
		out.MarketExpiresAt = new(contract.At(r.ExpiresAt))
	}
	return out
}
