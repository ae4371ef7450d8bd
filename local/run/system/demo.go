package system

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// parallelEvents is how many demo events are applied at one time.
const parallelEvents = 16

// LoadRoles loads the demo's first n roles, its recruiter's relations to them, and the
// recruiter's CRM, matches and calls through the feed. It does nothing if they have
// been loaded before: later changes stay.
func (s *System) LoadRoles(ctx context.Context, n int) error {
	now := s.Host.Now()
	if there, err := s.hasRole(ctx, roles.At(n-1, now).ID); there || err != nil {
		return err
	}
	quiet := s.Host // a thousand log lines of loading would hide the welcome
	quiet.Log = slog.New(slog.DiscardHandler)
	service, err := feed.New(ctx, quiet)
	if err != nil {
		return err
	}
	lines := slices.AppendSeq(market.RecruiterEvents(demo.OwnerID, demo.AgencyID, n, now), market.RoleEvents(n, now))
	s.Host.Log.InfoContext(ctx, "loading the demo", "events", len(lines))
	// The last role is loaded after everything else: its presence means that all are loaded.
	last := len(lines) - 1
	if err := applyEvents(ctx, service, lines[:last]); err != nil {
		return err
	}
	return applyEvents(ctx, service, lines[last:])
}

func applyEvents(ctx context.Context, service *feed.Service, lines []market.Event) error {
	return cloud.EachUntilError(ctx, parallelEvents, lines, func(ctx context.Context, _ int, line market.Event) error {
		refused, err := service.Apply(ctx, string(line))
		if refused != "" {
			return fmt.Errorf("the demo's event %.100s is refused: %s", line, refused)
		}
		return err
	})
}

func (s *System) hasRole(ctx context.Context, id string) (bool, error) {
	o := s.Host.Opener()
	store := role.NewStore(entity.Open(o), objectstore.Open(o, topology.MarketplaceBucket))
	if err := o.Err(); err != nil {
		return false, err
	}
	found, err := store.ReadRoles(ctx, []string{id}, role.ReadOptions{Consistent: true})
	return len(found) > 0, err
}
