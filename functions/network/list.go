package network

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// ListCandidates serves GET /talent-network/candidates.
func (s *Service) ListCandidates(ctx context.Context, call *gateway.Call, in contract.ListCandidatesRequest) (out contract.ListCandidatesResponse, err error) {
	f := parseFilters(in)
	after, err := cursor.Read(call, in.Cursor, network.ValidPosition, f.status, f.recruiter)
	if err != nil {
		return out, err
	}
	list := s.network.List(call.Caller.Principal, after, int(in.Limit))
	agency, err := s.readWithAgency(ctx, call, list.Read)
	if err != nil {
		return out, err
	}
	if f.excludesAll(agency) {
		return out, nil
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

// filters of the list; "" passes everybody.
type filters struct{ status, recruiter string }

func parseFilters(in contract.ListCandidatesRequest) (f filters) {
	if in.Status != nil {
		f.status = *in.Status
	}
	if in.RecruiterEmail != nil {
		f.recruiter, _ = identity.Email(*in.RecruiterEmail)
	}
	return f
}

// excludesAll tells that no row can pass, so that none has to be read to know it.
func (f filters) excludesAll(agency account.Agency) bool {
	m, _ := agency.MemberByEmail(f.recruiter)
	return f.recruiter != "" && !m.Active()
}

func (f filters) passesRow(r network.Row, agency account.Agency, now time.Time) bool {
	owner := agency.Members[r.OwnerID]
	return owner.Active() &&
		(f.recruiter == "" || f.recruiter == owner.Email) &&
		(f.status == "" || f.status == string(r.Status(now)))
}

// candidateRow is a membership as lists show it, with its owner as the agency says now.
func candidateRow(r network.Row, agency account.Agency, now time.Time) contract.CandidateRow {
	owner := agency.Members[r.OwnerID]
	out := contract.CandidateRow{
		CandidateUserID: r.ID, Name: r.Name, Email: r.Email, LinkedInURL: r.LinkedInURL,
		Status: r.Status(now), FastTrack: r.FastTrack,
		Recruiter:    contract.OwningRecruiter{Name: owner.Name, Email: owner.Email},
		CurrentTitle: known(r.Title), CurrentCompany: known(r.Company), Location: known(r.Location),
		HasPreferences: r.HasPreferences, HasResume: r.HasResume, Source: string(r.Source),
		AddedAt: contract.At(r.AddedAt), UpdatedAt: contract.At(r.UpdatedAt),
	}
	if !r.ExpiresAt.IsZero() {
		out.MarketExpiresAt = new(contract.At(r.ExpiresAt))
	}
	return out
}

// known makes what is unknown null.
func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
