// Package platform serves what belongs to no domain: whether the service is up, the
// reference as page and as OpenAPI document, and who a key acts as. The deployment
// also sends it every path without a route; the gateway responds to those.
package platform

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// Service holds what the handlers work with.
type Service struct {
	version   string
	accounts  *account.Store
	reference reference
}

// New opens the function's table and mounts its handlers. It fails on a missing
// or malformed setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	s := &Service{
		version: cmp.Or(h.Getenv("VERSION"), "dev"), accounts: account.Open(o),
		reference: newReference(h.Getenv(topology.SettingPublicURL)),
	}
	routes, err := gateway.Open(o, contract.Platform, map[string]gateway.Handler{
		"health":   gateway.HandleNoInput(s.Health),
		"docs":     gateway.Handle(s.Docs),
		"docsPage": gateway.Handle(s.DocsPage),
		"identity": gateway.HandleNoInput(s.Identity).BeginEarly(),

		"openapiJSON":  gateway.HandleNoInput(s.serveFile("openapi.json")),
		"openapiYAML":  gateway.HandleNoInput(s.serveFile("openapi.yaml")),
		"docsMarkdown": gateway.HandleNoInput(s.serveFile("docs.md")),
		"llms":         gateway.HandleNoInput(s.serveFile("llms.txt")),
		"changeFeed":   gateway.HandleNoInput(s.serveFile("changes.atom")),

		"listEnumerations": gateway.HandleNoInput(s.ListEnumerations),
		"listMembers":      gateway.Handle(s.ListMembers),
	})
	return gateway.WithUnavailable(routes, h), err
}

// Health serves GET /health. It touches no dependencies: it shows that requests reach
// the function.
func (s *Service) Health(_ context.Context, call *gateway.Call) (contract.Health, error) {
	return contract.Health{Status: "ok", Version: s.version, Time: contract.At(call.Now)}, nil
}

// ListEnumerations serves GET /enumerations.
func (s *Service) ListEnumerations(context.Context, *gateway.Call) (contract.Enumerations, error) {
	return contract.ListEnumerations(), nil
}

// Identity serves GET /identity: what the key's record holds, and one read of the
// account that it acts as.
func (s *Service) Identity(ctx context.Context, call *gateway.Call) (contract.Identity, error) {
	caller := call.Caller
	out := contract.Identity{
		Principal:   caller.Type.Principal(),
		Scopes:      caller.Scopes,
		Environment: caller.Environment,
		APIVersion:  "v1",
		Key: contract.IdentityKey{
			ID: caller.KeyID, Name: caller.KeyName, Last4: caller.Last4,
			CreatedAt: contract.At(cloud.FromMillis(caller.CreatedAt)),
			ExpiresAt: optional.NonZero(contract.At(cloud.FromMillis(caller.ExpiresAt))),
		},
		RateLimits: contract.IdentityRateLimits{Default: rateLimitOf(contract.DefaultTier), Write: rateLimitOf(contract.WriteTier)},
	}
	var err error
	if caller.Type == contract.AgencyKey {
		err = s.addAgency(ctx, caller, &out)
	} else {
		err = s.addRecruiter(ctx, caller, &out)
	}
	if fault.IsMissing(err) {
		// The caller sent no id that could be wrong: our own records disagree.
		err = fmt.Errorf("the account of key %s is not there: %v", caller.KeyID, err)
	}
	return out, err
}

func rateLimitOf(t contract.Tier) contract.IdentityRateLimit {
	return contract.IdentityRateLimit{Limit: t.Limit, WindowSeconds: contract.WindowSeconds}
}

// addAgency adds the agency, and the member who created the key unless he or she was deleted.
func (s *Service) addAgency(ctx context.Context, caller apikey.Caller, out *contract.Identity) error {
	a, members, err := s.accounts.AgencyWithMembers(ctx, caller.Principal, []string{caller.Creator}, nil)
	out.Agency = &contract.IdentityAgency{
		ID: a.ID, Name: a.Name,
		TalentNetworkAccess: a.TalentNetworkAccess, TalentNetworkManagement: a.TalentNetworkManagement,
	}
	creator := members.ByID(caller.Creator)
	out.Key.CreatedBy = contract.IdentityCreator{Name: creator.Name, Email: creator.Email}
	return err
}

// addRecruiter adds the recruiter, who is also the creator of the key.
func (s *Service) addRecruiter(ctx context.Context, caller apikey.Caller, out *contract.Identity) error {
	r, err := s.accounts.Recruiter(ctx, caller.Principal)
	out.Recruiter = &contract.IdentityRecruiter{ID: r.ID, Name: r.Name, Email: r.Email, AgencyID: optional.NonZero(r.AgencyID)}
	out.Key.CreatedBy = contract.IdentityCreator{Name: r.Name, Email: r.Email}
	return err
}

// ListMembers serves GET /agency/members. The key, which was read at this moment, names the primary
// owner.
func (s *Service) ListMembers(
	ctx context.Context, call *gateway.Call, in contract.ListMembersRequest,
) (out contract.MemberList, err error) {
	after, err := cursor.Read(call, in.Cursor, func(address string) bool {
		canonical, ok := identity.Email(address)
		return ok && canonical == address
	})
	if err != nil {
		return out, err
	}
	members, next, err := s.accounts.ListMembers(ctx, call.Caller.Principal, after, int(in.Limit))
	for _, m := range members {
		member := contract.AgencyMember{
			Name: m.Name, Email: m.Email, PrimaryOwner: m.ID == call.Caller.PrimaryOwner,
			Role: contract.MemberRoleMember, Status: contract.MemberStatusApproved,
		}
		if m.Owner {
			member.Role = contract.MemberRoleOwner
		}
		if !m.Active() {
			member.Status = contract.MemberStatusDeactivated
		}
		out.Members = append(out.Members, member)
	}
	if next != "" {
		out.NextCursor = new(cursor.New(next))
	}
	return out, err
}
