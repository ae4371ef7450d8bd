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
func (s *Service) ListCandidates(
	ctx context.Context, call *gateway.Call, in contract.ListCandidatesRequest,
) (out contract.CandidateList, err error) {
	status := optional.Value(in.Status)
	recruiter, _ := identity.Email(optional.Value(in.RecruiterEmail)) // "" if it is not an address
	after, err := cursor.Read(call, in.Cursor, network.ValidSortKey, string(status), recruiter)
	if err != nil {
		return out, err
	}
	page := network.Page{After: after, Limit: int(in.Limit), Now: call.Now}
	owners := s.newOwners(call, page.Consistent())
	filter := network.Filter{Status: status}
	if in.RecruiterEmail != nil {
		owner, err := s.accounts.ActiveMember(ctx, call.Caller.Principal, recruiter)
		if err != nil {
			return out, err
		}
		filter.OwnerID = owner.ID
		owners.known[owner.ID] = owner
	}
	rows, next, err := s.network.List(ctx, call.Caller.Tenant(), filter, page, owners.check)
	if err != nil {
		return out, err
	}
	out.Candidates = make([]contract.CandidateRow, 0, len(rows))
	for _, r := range rows {
		out.Candidates = append(out.Candidates, candidateRow(r, owners.known[r.OwnerID], call.Now))
	}
	if next != "" {
		out.NextCursor = new(cursor.New(next, string(status), recruiter))
	}
	return out, nil
}

// candidateRow returns a membership as lists show it, with its owner's present name and
// address.
func candidateRow(r network.Row, owner account.Member, now time.Time) contract.CandidateRow {
	out := contract.CandidateRow{
		CandidateUserID: r.ID, Name: r.Name, Email: r.Email, LinkedInURL: r.LinkedInURL,
		Status: r.Status(now), FastTrack: r.FastTrack,
		Recruiter:    contract.OwningRecruiter{Name: owner.Name, Email: owner.Email},
		CurrentTitle: optional.NonZero(r.Title), CurrentCompany: optional.NonZero(r.Company), Location: optional.NonZero(r.Location),
		HasPreferences: r.HasPreferences, HasResume: r.HasResume, Source: r.Source, LastSubmissionSource: r.LastSubmissionSource,
		AddedAt: contract.At(r.AddedAt), UpdatedAt: contract.At(r.UpdatedAt),
	}
	if !r.ExpiresAt.IsZero() {
		out.MarketExpiresAt = new(contract.At(r.ExpiresAt))
	}
	return out
}
