// Package crm serves a recruiter's own data: candidates, hiring managers' matches, and
// recorded calls.
//
// Everything is read from the partition of the recruiter that the key acts as, so the id
// of another's item is answered like one that never existed. What a recruiter may see of
// a role is decided by package role; this package combines its values with the others.
package crm

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// Service holds what the handlers work with.
type Service struct {
	accounts *account.Store
	crm      *crm.Store
	index    *crm.Index
	matches  *match.Store
	calls    *notetaker.Store
	roles    *role.Store
}

// New opens the function's tables and bucket and mounts its handlers. It fails on a missing or malformed setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	entities := entity.Open(o)
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	candidates := crm.NewStore(entities, h.Now)
	s := &Service{
		accounts: account.Open(o), crm: candidates, index: crm.NewIndex(candidates, bucket, crm.DefaultLimits),
		matches: match.NewStore(entities), calls: notetaker.NewStore(entities, bucket), roles: role.NewStore(entities, bucket),
	}
	return gateway.Open(o, contract.CRM, map[string]gateway.Handler{
		"listCRMCandidates": gateway.Handle(s.ListCandidates).BeginEarly(),
		"getCRMCandidate":   gateway.Handle(s.GetCandidate).PreferEventual().BeginEarly(),
		"listMatches":       gateway.Handle(s.ListMatches).BeginEarly(),
		"listAutoMatches":   gateway.Handle(s.ListMatches).BeginEarly(),
		"listCalls":         gateway.Handle(s.ListCalls).BeginEarly(),
		"getCall":           gateway.Handle(s.GetCall).PreferEventual().BeginEarly(),
	})
}

// distinctIDs returns the ids of all, each once and without the empty one.
func distinctIDs[T any](all []T, id func(T) string) []string {
	ids := map[string]bool{}
	for _, one := range all {
		ids[id(one)] = true
	}
	delete(ids, "")
	return slices.Sorted(maps.Keys(ids))
}
