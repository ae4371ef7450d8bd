// Package catalog is the worker that publishes generations of the role catalogue
// (package browse): a schedule starts it, and it publishes when roles have changed
// since the last generation.
//
// Nothing depends on its pace: readers see every change by the log. It keeps the
// log that they read short.
package catalog

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/browse"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/entity"
	"github.com/recruiting-marketplace/external-api/shared/role"
	"github.com/recruiting-marketplace/external-api/shared/snapshot"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Service holds what the worker works with.
type Service struct {
	host      cloud.Host
	catalogue *browse.Catalogue
}

// New opens the worker's table and bucket. It fails on a missing setting.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	o := h.Opener()
	roles := role.NewStore(entity.Open(o), o.Bucket(topology.MarketplaceBucket))
	return &Service{h, browse.NewCatalogue(roles, snapshot.Open(o, browse.Name))}, o.Err()
}

// Result tells what an invocation did.
type Result struct {
	Published bool `json:"published"`
}

// Handle publishes a generation if anything changed since the last one.
func (s *Service) Handle(ctx context.Context) (Result, error) {
	published, err := s.catalogue.Publish(ctx, s.host.Now(), s.host.NewID().String())
	return Result{published}, err
}

// Rebuild publishes a generation made of every role there is, and tells how many:
// after a bulk load, which notes no changes.
func (s *Service) Rebuild(ctx context.Context) (int, error) {
	return s.catalogue.Rebuild(ctx, s.host.Now(), s.host.NewID().String())
}
