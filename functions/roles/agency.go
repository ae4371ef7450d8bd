package roles

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
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
) (contract.AgencyRolesResponse, error) {
	q := roleindex.Query{
		AnyOf: map[roleindex.Field][]string{roleindex.Status: {string(contract.RoleStatusActive)}},
		Flags: map[roleindex.Flag]bool{catalogue.OffBrowse: false}, Text: in.Query, Sort: searchSort(in), Limit: int(in.Limit),
	}
	catalogue.AddFilters(&q, contract.ListRolesRequest{
		Locations: in.Locations, RoleTypes: in.RoleTypes, Workplaces: in.Workplaces,
		Industries: in.Industries, MinSalary: in.MinSalary, MaxSalary: in.MaxSalary,
	}, call.Now)
	if len(in.Statuses) > 0 {
		q.AnyOf[roleindex.Status] = contract.ConvertValues[string](in.Statuses)
	}
	return s.agencyPage(ctx, call, in.AgencyRoleFilters, q)
}

// agencyPage returns a page of roles that a member may read.
func (s *Service) agencyPage(
	ctx context.Context, call *gateway.Call, in contract.AgencyRoleFilters, q roleindex.Query,
) (contract.AgencyRolesResponse, error) {
	out := contract.AgencyRolesResponse{Roles: []contract.AgencyRole{}}
	filters := cursorFilters(in.RecruiterEmail, q)
	if err := readStart(call, &q, in.Cursor, filters...); err != nil {
		return out, err
	}
	r, current, err := s.readMember(ctx, call, in)
	if err != nil {
		return out, err
	}
	p, err := s.searchPage(ctx, r, current, q)
	if err != nil {
		return out, err
	}
	for _, row := range p.rows {
		out.Roles = append(out.Roles, row.AgencyRow())
	}
	out.NextCursor = p.nextCursor(q.Sort, filters...)
	return out, nil
}

// cursorFilters returns what a cursor is bound to.
func cursorFilters(email *string, q roleindex.Query) []string {
	member := ""
	if email != nil {
		member, _ = identity.Email(*email)
	}
	salary := func(v *int64) string {
		if v == nil {
			return ""
		}
		return fmt.Sprint(*v)
	}
	all := []string{member, q.Text, salary(q.MinSalary), salary(q.MaxSalary)}
	for _, f := range []roleindex.Field{roleindex.Status, roleindex.Location, roleindex.RoleType, roleindex.Workplace, roleindex.Industry} {
		all = append(all, strings.Join(slices.Sorted(slices.Values(q.AnyOf[f])), ","))
	}
	return all
}

// readMember reads the member that the agency's request is for, and the catalogue. The
// member's id is known only when the member is read, so the member's roles are read at the
// same time for a guess: the member last found by this e-mail address, or the agency's primary
// owner, named by the key. A wrong guess costs one further call.
func (s *Service) readMember(
	ctx context.Context, call *gateway.Call, in contract.AgencyRoleFilters,
) (r reader, current catalogue.Roles, err error) {
	var m account.Member
	email := in.RecruiterEmail
	withMatches := len(in.Statuses) > 0
	reads := []func(context.Context) error{
		func(ctx context.Context) (err error) {
			m, err = s.actingMember(ctx, call, email)
			return err
		},
		func(ctx context.Context) (err error) { current, err = s.catalogue.Current(ctx, call.Now); return err },
	}
	guess := call.Caller.PrimaryOwner
	address := [2]string{call.Caller.Principal}
	if email != nil {
		address[1], _ = identity.Email(*email)
		last, _ := s.members.Load(address)
		guess, _ = last.(string)
	}
	if guess != "" {
		reads = append(reads, func(ctx context.Context) (err error) {
			r, err = s.readMemberRoles(ctx, guess, withMatches)
			return err
		})
	}
	if err := cloud.InParallel(ctx, reads...); err != nil {
		return r, current, err
	}
	if email != nil && m.ID != guess {
		s.members.Store(address, m.ID)
		r, err = s.readMemberRoles(ctx, m.ID, withMatches)
		if err != nil {
			return r, current, err
		}
	}
	if !m.Active() {
		r = reader{} // an owner who left is a stranger
	}
	r.feesHidden = true
	r.agency = true
	r.now = call.Now
	return r, current, nil
}

// readMemberRoles reads what the member may read although strangers may not: the member's roles, in
// one call, and in another one those that the member was sent a match on, only if they are asked for,
// because a member can have many matches.
func (s *Service) readMemberRoles(ctx context.Context, memberID string, withMatches bool) (r reader, err error) {
	reads := []func(context.Context) error{func(ctx context.Context) error {
		all, err := s.recruiters.Read(ctx, memberID)
		r.ownRoles = all.Roles
		return err
	}}
	if withMatches {
		reads = append(reads, func(ctx context.Context) (err error) {
			r.matchedIDs, err = s.matches.MatchedRoles(cloud.Eventually(ctx), memberID)
			return err
		})
	}
	err = cloud.InParallel(ctx, reads...)
	return r, err
}

// actingMember returns the member with the permissions that apply: that of the e-mail address,
// or the agency's primary owner if email is nil: the key acts for no person, so the answer does
// not depend on who made it.
func (s *Service) actingMember(ctx context.Context, call *gateway.Call, email *string) (account.Member, error) {
	if email == nil {
		return s.accounts.Member(ctx, call.Caller.Principal, call.Caller.PrimaryOwner)
	}
	canonical, _ := identity.Email(*email)
	return s.accounts.ActiveMember(ctx, call.Caller.Principal, canonical)
}

// GetAgencyRole serves GET /agency/roles/{roleId}.
func (s *Service) GetAgencyRole(ctx context.Context, call *gateway.Call, in contract.AgencyRoleRequest) (contract.RoleBrief, error) {
	return cloud.PreferEventual(ctx, func(ctx context.Context) (contract.RoleBrief, error) { return s.readBrief(ctx, call, in) })
}

func (s *Service) readBrief(ctx context.Context, call *gateway.Call, in contract.AgencyRoleRequest) (out contract.RoleBrief, err error) {
	var m account.Member
	file, err := s.readFull(ctx, in.RoleID, func(ctx context.Context) (err error) {
		m, err = s.actingMember(ctx, call, &in.RecruiterEmail)
		return err
	})
	if err != nil {
		return out, err
	}
	own, err := s.roles.Complete(ctx, &file, m.ID)
	if err != nil {
		return out, err
	}
	view := role.Redact(file.Unredacted, role.Caller{
		Involvement: own, FeesHidden: true, LinksOmitted: true, Now: call.Now,
	})
	if err := s.requireWorkable(ctx, view, own, m.ID, in.RoleID); err != nil {
		return out, err
	}
	reader := role.Reader{RecruiterID: m.ID, AgencyID: call.Caller.Principal}
	if !in.IncludeIntakeTranscripts {
		return view.Brief(file.Announcements, reader, nil), nil
	}
	all, err := s.roles.Transcripts(ctx, file, reader)
	if err != nil {
		return out, err
	}
	transcripts := view.Transcripts(all)
	return view.Brief(file.Announcements, reader, &transcripts), nil
}
