package roles

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// ListAgencyRoles serves GET /agency/roles.
func (s *Service) ListAgencyRoles(
	ctx context.Context, call *gateway.Call, in contract.ListAgencyRolesRequest,
) (contract.AgencyRolesResponse, error) {
	return s.SearchAgencyRoles(ctx, call, contract.SearchAgencyRolesRequest{
		AgencyRoleFilters: in.AgencyRoleFilters, Limit: in.Limit, Sort: new(contract.AgencyRoleSortUpdated),
	})
}

// SearchAgencyRoles serves GET /agency/roles/search.
func (s *Service) SearchAgencyRoles(
	ctx context.Context, call *gateway.Call, in contract.SearchAgencyRolesRequest,
) (out contract.AgencyRolesResponse, err error) {
	q := roleindex.Query{
		AnyOf: activeStatus(),
		Flags: map[roleindex.Flag]bool{catalogue.OffBrowse: false}, Text: in.Query, Sort: roleindex.RelevanceOrder, Limit: int(in.Limit),
	}
	if optional.Value(in.Sort) == contract.AgencyRoleSortUpdated {
		q.Sort = roleindex.UpdateOrder
	}
	catalogue.AddFilters(&q, contract.ListRolesRequest{
		Locations: in.Locations, RoleTypes: in.RoleTypes, Workplaces: in.Workplaces,
		Industries: in.Industries, MinSalary: in.MinSalary, MaxSalary: in.MaxSalary,
	}, call.Now)
	if len(in.Statuses) > 0 {
		q.AnyOf[roleindex.Status] = contract.ConvertValues[string](in.Statuses)
	}
	member, _ := identity.Email(optional.Value(in.RecruiterEmail))
	salary := func(v *int64) string {
		if v == nil {
			return ""
		}
		return fmt.Sprint(*v)
	}
	filters := []string{member, q.Text, salary(q.MinSalary), salary(q.MaxSalary)} // what a cursor is bound to
	for _, f := range []roleindex.Field{roleindex.Status, roleindex.Location, roleindex.RoleType, roleindex.Workplace, roleindex.Industry} {
		filters = append(filters, strings.Join(slices.Sorted(slices.Values(q.AnyOf[f])), ","))
	}
	if err := readStart(call, &q, in.Cursor, filters...); err != nil {
		return out, err
	}
	r, err := s.readMember(ctx, call, in.AgencyRoleFilters)
	if err != nil {
		return out, err
	}
	p, err := s.searchPage(ctx, r, q)
	if err != nil {
		return out, err
	}
	for _, row := range p.rows {
		out.Roles = append(out.Roles, row.AgencyRow())
	}
	out.NextCursor = p.nextCursor(q.Sort, filters...)
	return out, nil
}

// readMember reads the member that the agency's request is for, and the catalogue. The
// member's id is known only when the member is read, so the member's roles are read at the
// same time for a guess: the member last found by this e-mail address, or the agency's primary
// owner, named by the key. A wrong guess costs one further call.
func (s *Service) readMember(ctx context.Context, call *gateway.Call, in contract.AgencyRoleFilters) (r reader, err error) {
	r.feesHidden = true
	r.agency = true
	r.now = call.Now
	var m account.Member
	email := in.RecruiterEmail
	withMatches := len(in.Statuses) > 0
	reads := []func(context.Context) error{
		cloud.Reading(&m, func(ctx context.Context) (account.Member, error) { return s.actingMember(ctx, call, email) }),
		cloud.Reading(&r.current, func(ctx context.Context) (catalogue.Roles, error) { return s.catalogue.Current(ctx, call.Now) }),
	}
	guess := call.Caller.PrimaryOwner
	address := [2]string{call.Caller.Principal}
	if email != nil {
		address[1], _ = identity.Email(*email)
		last, _ := s.members.Load(address)
		guess, _ = last.(string)
	}
	if guess != "" {
		reads = append(reads, s.memberReads(&r, guess, withMatches)...)
	}
	if err := cloud.InParallel(ctx, reads...); err != nil {
		return r, err
	}
	if email != nil && m.ID != guess {
		s.members.Store(address, m.ID)
		err = cloud.InParallel(ctx, s.memberReads(&r, m.ID, withMatches)...)
	}
	if !m.Active() { // an owner who left is a stranger
		r.own = role.RecruiterRoles{}
		r.matchedIDs = nil
	}
	return r, err
}

// memberReads returns the reads of what the member may read although strangers may not: the member's roles, in one call,
// and in another those that the member was sent a match on, only if asked for, because a member can have many matches.
func (s *Service) memberReads(r *reader, memberID string, withMatches bool) []func(context.Context) error {
	reads := []func(context.Context) error{
		cloud.Reading(&r.own, func(ctx context.Context) (role.RecruiterRoles, error) { return s.recruiters.Read(ctx, memberID) }),
	}
	if withMatches {
		reads = append(reads, cloud.Reading(&r.matchedIDs, func(ctx context.Context) ([]string, error) {
			return s.matches.MatchedRoles(cloud.Eventually(ctx), memberID)
		}))
	}
	return reads
}

// actingMember returns the member with the permissions that apply: that of the e-mail address, or the agency's primary
// owner if email is nil: the key acts for no person, so the answer does not depend on who made it.
func (s *Service) actingMember(ctx context.Context, call *gateway.Call, email *string) (account.Member, error) {
	if email == nil {
		return s.accounts.Member(ctx, call.Caller.Principal, call.Caller.PrimaryOwner)
	}
	canonical, _ := identity.Email(*email)
	return s.accounts.ActiveMember(ctx, call.Caller.Principal, canonical)
}

// GetAgencyRole serves GET /agency/roles/{roleId}.
func (s *Service) GetAgencyRole(
	ctx context.Context, call *gateway.Call, in contract.AgencyRoleRequest,
) (out contract.RoleBrief, err error) {
	var m account.Member
	file, err := s.readFull(ctx, in.RoleID, cloud.Reading(&m, func(ctx context.Context) (account.Member, error) {
		return s.actingMember(ctx, call, &in.RecruiterEmail)
	}))
	if err != nil {
		return out, err
	}
	own, err := s.roles.Complete(ctx, &file, m.ID)
	if err != nil {
		return out, err
	}
	view := role.Redact(file.Unredacted, role.Caller{Involvement: own, FeesHidden: true, LinksOmitted: true, Now: call.Now})
	if err := s.requireWorkable(ctx, view, own, m.ID, in.RoleID); err != nil {
		return out, err
	}
	reader := role.Reader{RecruiterID: m.ID, AgencyID: call.Caller.Principal}
	var transcripts *[]contract.IntakeTranscript
	if in.IncludeIntakeTranscripts {
		all, err := s.roles.Transcripts(ctx, file, reader)
		if err != nil {
			return out, err
		}
		transcripts = new(view.Transcripts(all))
	}
	return view.Brief(file.Announcements, reader, transcripts), nil
}
