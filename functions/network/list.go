package network

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
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
	out.Candidates = make([]contract.CandidateRow, 0, len(rows))
	for _, r := range rows {
		out.Candidates = append(out.Candidates, candidateRow(r, owners.known[r.OwnerID], call.Now))
	}
	if next != "" {
		out.NextCursor = new(cursor.New(next, string(status), recruiter))
	}
	return out, err
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

const (
	// latest, in place of a cursor, is the position after all changes.
	latest = "latest"
	// changesPause is how long a client that has read everything waits before it asks again.
	changesPause = 3 * time.Second
)

// ListChanges serves GET /talent-network/changes.
func (s *Service) ListChanges(
	ctx context.Context, call *gateway.Call, in contract.ListChangesRequest,
) (out contract.ChangeList, err error) {
	filter := ""
	for _, t := range slices.Compact(slices.Sorted(slices.Values(in.Types))) {
		filter += string(t) + ","
	}
	filter = strings.TrimSuffix(filter, ",")
	var page changefeed.Page
	if optional.Value(in.Cursor) == latest {
		page.Next, err = s.changes.Latest(ctx, call.Caller.Tenant())
	} else {
		page.Next, err = readPosition(call, in.Cursor, filter)
		if err == nil {
			page, err = s.changes.Read(ctx, call.Caller.Tenant(), page.Next, int(in.Limit), in.Types)
		}
	}
	if err != nil {
		return out, err
	}
	references, err := s.submissions.ReferencesOf(ctx, page.Changes)
	if err != nil {
		return out, err
	}
	for i, c := range page.Changes {
		out.Changes = append(out.Changes, toChange(c, references[i]))
	}
	if len(out.Changes) == 0 && !page.More {
		call.SetRetryAfter(changesPause)
	}
	out.NextCursor = cursor.New(page.Next.Format(call.Caller.Tenant()), filter)
	out.HasMore = page.More
	return out, nil
}

func readPosition(call *gateway.Call, sent *string, filter string) (p changefeed.Position, err error) {
	_, err = cursor.Read(call, sent, func(text string) (ok bool) {
		p, ok = changefeed.ParsePosition(call.Caller.Tenant(), text)
		return ok
	}, filter)
	if err == nil && p.Expired(call.Now) {
		err = fault.Field(contract.CursorExpired, "cursor",
			"cursor: is older than the retained changes; list the candidates again, then follow the changes from latest.")
	}
	return p, err
}

func toChange(c changefeed.Change, reference string) contract.Change {
	return contract.Change{
		ID: strconv.FormatInt(c.Number, 10), Type: c.Type, OccurredAt: contract.At(time.UnixMilli(c.At)),
		BatchID: c.BatchID, SubmissionID: c.SubmissionID,
		ClientReferenceID: reference, CandidateUserID: c.CandidateUserID, Status: c.Status, ErrorCode: c.ErrorCode,
	}
}
