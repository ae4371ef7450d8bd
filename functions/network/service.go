// Package network serves the endpoints of an agency's Talent Network.
//
// Only memberships that a currently approved member owns exist for any
// of them; every other one is treated as an id that never existed. A request
// reads the owners of the memberships it encounters, and no other member.
package network

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// Service holds what the handlers work with.
type Service struct {
	accounts *account.Store
	network  reader
	// readReferences returns the client references of changes.
	readReferences func(context.Context, []changefeed.Change) ([]string, error)
}

// reader reads the store of the network.
type reader interface {
	Membership(ctx context.Context, id string) (network.Membership, bool, error)
	List(context.Context, tenant.ID, network.Filter, network.Page, network.OwnerCheck) ([]network.Row, string, error)
	Resolve(context.Context, tenant.ID, []contract.CandidateReference, network.OwnerCheck) ([]network.Found, error)
}

// New opens the function's tables and mounts its handlers. It fails on a missing or malformed setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	store := network.Open(o)
	guarded := tenant.Guard(store)
	s := &Service{account.Open(o), store, submission.Open(o).ReferencesOf}
	return gateway.Open(o, contract.Network, map[string]gateway.Handler{
		"listCandidates":    gateway.Handle(s.ListCandidates).BeginEarly(),
		"getCandidate":      gateway.Handle(s.GetCandidate).BeginEarly(),
		"lookupCandidates":  gateway.Handle(s.LookupCandidates).BeginEarly(),
		"getPreferences":    gateway.Handle(s.GetPreferences).BeginEarly(),
		"lookupPreferences": gateway.Handle(s.LookupPreferences).BeginEarly(),
		"putPreferences":    gateway.HandleWrite(guarded, s.PutPreferences),
		"getFastTrack":      gateway.Handle(s.GetFastTrack).BeginEarly(),
		"putFastTrack":      gateway.HandleWrite(guarded, s.PutFastTrack),
		"offMarket":         gateway.HandleWrite(guarded, s.OffMarket),
		"reEnable":          gateway.HandleWrite(guarded, s.ReEnable),
		"listChanges":       gateway.HandleWrite(tenant.Guard(changefeed.Open(o)), s.ListChanges),
	})
}

// readVisible returns a membership that exists for the caller, its tenant's own of an owner who is active now, and
// that owner.
func (s *Service) readVisible(ctx context.Context, call *gateway.Call, id string) (m network.Membership, owner account.Member, err error) {
	m, found, err := s.network.Membership(ctx, id)
	if err == nil && (!found || m.Tenant != call.Caller.Tenant()) {
		err = fault.Missing()
	}
	if err == nil {
		owner, err = s.accounts.Member(ctx, call.Caller.Principal, m.OwnerID)
	}
	if err == nil && !owner.Active() {
		err = fault.Missing()
	}
	if err != nil {
		return network.Membership{}, account.Member{}, err
	}
	return m, owner, nil
}

func newWrite(call *gateway.Call) network.Write {
	return network.Write{Now: call.Now, ID: call.RequestID}
}

// owners are the members of the caller's agency who own the memberships of a request. Each is read once.
type owners struct {
	read func(ctx context.Context, ids []string) (account.Members, error)
	// known has the zero Member for an id that is not a member's.
	known map[string]account.Member
}

func (s *Service) newOwners(call *gateway.Call) owners {
	return owners{func(ctx context.Context, ids []string) (account.Members, error) {
		return s.accounts.Members(ctx, call.Caller.Principal, ids)
	}, map[string]account.Member{}}
}

// check is a [network.OwnerCheck].
func (o owners) check(ctx context.Context, ids []string) (active func(string) bool, err error) {
	var unread []string
	for _, id := range ids {
		if _, ok := o.known[id]; !ok {
			unread = append(unread, id)
		}
	}
	members, err := o.read(ctx, unread)
	for _, id := range unread {
		o.known[id] = members.ByID(id)
	}
	return func(id string) bool { return o.known[id].Active() }, err
}

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
	owners := s.newOwners(call)
	filter := network.Filter{Status: status}
	if in.RecruiterEmail != nil {
		owner, err := s.accounts.ActiveMember(ctx, call.Caller.Principal, recruiter)
		if err != nil {
			return out, err
		}
		filter.OwnerID = owner.ID
		owners.known[owner.ID] = owner
	}
	if !page.Consistent() {
		ctx = cloud.Eventually(ctx)
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

// candidateRow returns a membership as lists show it, with its owner's present name and address.
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
	ctx context.Context, call *gateway.Call, changes *changefeed.Feed, in contract.ListChangesRequest,
) (out contract.ChangeList, err error) {
	types := slices.Compact(slices.Sorted(slices.Values(in.Types)))
	filter := strings.Join(contract.ConvertValues[string](types), ",")
	var page changefeed.Page
	if optional.Value(in.Cursor) == latest {
		page.Next, err = changes.Latest(ctx, call.Caller.Tenant())
	} else {
		var position changefeed.Position
		_, err = cursor.Read(call, in.Cursor, func(text string) (ok bool) {
			position, ok = changefeed.ParsePosition(call.Caller.Tenant(), text)
			return ok
		}, filter)
		if err == nil && position.Expired(call.Now) {
			err = fault.Field(contract.CursorExpired, "cursor",
				"cursor: is older than the retained changes; list the candidates again, then follow the changes from latest.")
		}
		if err == nil {
			page, err = changes.Read(ctx, call.Caller.Tenant(), position, int(in.Limit), in.Types)
		}
	}
	if err != nil {
		return out, err
	}
	references, err := s.readReferences(ctx, page.Changes)
	if err != nil {
		return out, err
	}
	for i, c := range page.Changes {
		out.Changes = append(out.Changes, contract.Change{
			ID: strconv.FormatInt(c.Number, 10), Type: c.Type, OccurredAt: contract.At(time.UnixMilli(c.At)),
			BatchID: c.BatchID, SubmissionID: c.SubmissionID,
			ClientReferenceID: references[i], CandidateUserID: c.CandidateUserID, Status: c.Status, ErrorCode: c.ErrorCode,
		})
	}
	if len(out.Changes) == 0 && !page.More {
		call.SetRetryAfter(changesPause)
	}
	out.NextCursor = cursor.New(page.Next.Format(call.Caller.Tenant()), filter)
	out.HasMore = page.More
	return out, nil
}
