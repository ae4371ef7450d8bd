// Package roles serves the endpoints of hiring roles, to recruiters and to agencies
// on behalf of a member.
//
// The catalogue decides which roles a list has and in which order; of each role it knows
// what a stranger may see, and, for the callers approved on a stealth role, what they
// may see. What a row shows is read from the store and redacted for its caller.
package roles

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/remote"
)

// Service holds the handlers and their stores.
type Service struct {
	accounts *account.Store
	roles    *role.Store
	// recruiters caches the relations of recruiters to roles.
	recruiters *role.RecruiterCache
	// decoded has the roles of pages as they were decoded.
	decoded   *role.DecodedRoles
	matches   *match.Store
	crm       *crm.Store
	catalogue catalogue.Source
	log       *slog.Logger
	// agencies has the agency that each recruiter was last found in: a guess that saves a call and is always checked.
	agencies sync.Map
	// members has, as such a guess, the member that was last found by the e-mail address that an agency's key sent.
	members sync.Map
}

// New opens the function's tables and bucket and mounts its handlers. It fails on a missing or malformed setting.
func New(ctx context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	entities := entity.Open(o)
	roles := role.NewStore(entities, objectstore.Open(o, topology.MarketplaceBucket))
	embedded := catalogue.OpenEmbedded(o, roles)
	s := &Service{
		accounts: account.Open(o), roles: roles, recruiters: role.NewRecruiterCache(roles), decoded: role.NewDecodedRoles(),
		matches: match.NewStore(entities), crm: crm.NewStore(entities, h.Now),
		catalogue: embedded, log: h.Log,
	}
	if domain := remote.Open(o, roles, embedded); domain != nil {
		s.catalogue = domain
	}
	handler, err := gateway.Open(o, contract.Roles, map[string]gateway.Handler{
		"listAgencyRoles":      gateway.Handle(s.ListAgencyRoles).BeginEarly(),
		"searchAgencyRoles":    gateway.Handle(s.SearchAgencyRoles).BeginEarly(),
		"getAgencyRole":        gateway.Handle(s.GetAgencyRole).PreferEventual().BeginEarly(),
		"listRoles":            gateway.Handle(s.ListRoles).BeginEarly(),
		"getRole":              gateway.Handle(s.GetRole).PreferEventual().BeginEarly(),
		"listActiveRoles":      gateway.Handle(s.ListActiveRoles).BeginEarly(),
		"getSavedPreferences":  gateway.HandleNoInput(s.GetSavedPreferences).BeginEarly(),
		"listRecommendedRoles": gateway.Handle(s.ListRecommendedRoles).BeginEarly(),
	})
	if err != nil {
		return nil, err
	}
	// The catalogue logs its progress. If loading fails, the first request that needs it goes on.
	ctx, cancel := context.WithTimeout(ctx, loadTime)
	defer cancel()
	if err := s.catalogue.Load(ctx); err != nil {
		s.log.WarnContext(ctx, "the catalogue is not loaded completely", "cause", err)
	}
	return handler, nil
}

// loadTime is the part of the function's initialization, of ten seconds in Lambda, for loading the catalogue.
const loadTime = 8 * time.Second

// GetSavedPreferences serves GET /recruiter/preferences.
func (s *Service) GetSavedPreferences(ctx context.Context, call *gateway.Call) (contract.SavedPreferences, error) {
	p, err := s.roles.Preferences(ctx, call.Caller.Principal)
	return contract.SavedPreferences(p), err
}

// readStanding reads the recruiter who calls, with the recruiter's agency.
func (s *Service) readStanding(ctx context.Context, call *gateway.Call) (account.Standing, error) {
	id := call.Caller.Principal
	guess, _ := s.agencies.Load(id)
	agency, _ := guess.(string)
	is, err := s.accounts.Standing(ctx, id, agency)
	if err == nil {
		s.agencies.Store(id, is.Recruiter.AgencyID)
	}
	return is, err
}
