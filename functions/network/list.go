package network

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// ListCandidates serves GET /talent-network/candidates.
func (s *Service) ListCandidates(ctx context.Context, call *gateway.Call, in contract.ListCandidatesRequest) (out contract.CandidateList, err error) {
	f := parseFilters(in)
	after, err := cursor.Read(call, in.Cursor, network.ValidSortKey, f.status, f.recruiter)
	if err != nil {
		return out, err
	}
	list, owners := s.network.List(call.Caller.Tenant(), after, int(in.Limit)), s.newOwners(call, true)
	reads := []func(context.Context) error{list.Read}
	if in.RecruiterEmail != nil {
		reads = append(reads, func(ctx context.Context) error {
			m, err := s.accounts.ActiveMember(ctx, call.Caller.Principal, f.recruiter)
			f.ownerID, owners.known[m.ID] = m.ID, m
			return err
		})
	}
	if err := cloud.InParallel(ctx, reads...); err != nil {
		return out, err
	}
	rows, next, err := list.Page(ctx, owners.check, func(r network.Row) bool { return f.passesRow(r, call.Now) })
	if err != nil {
		return out, err
	}
	for _, r := range rows {
		out.Candidates = append(out.Candidates, candidateRow(r, owners.known[r.OwnerID], call.Now))
	}
	if next != "" {
		out.NextCursor = new(cursor.New(next, f.status, f.recruiter))
	}
	return out, nil
}

// filters are those of the list; "" passes every row. ownerID is the id of the member
// whose address recruiter is.
type filters struct{ status, recruiter, ownerID string }

func parseFilters(in contract.ListCandidatesRequest) filters {
	f := filters{status: optional.Value(in.Status)}
	if in.RecruiterEmail != nil {
		f.recruiter, _ = identity.Email(*in.RecruiterEmail)
	}
	return f
}

func (f filters) passesRow(r network.Row, now time.Time) bool {
	return (f.ownerID == "" || f.ownerID == r.OwnerID) && (f.status == "" || f.status == string(r.Status(now)))
}

// candidateRow returns a membership as lists show it, with its owner's present name and
// address.
func candidateRow(r network.Row, owner account.Member, now time.Time) contract.CandidateRow {
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
