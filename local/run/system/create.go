package system

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/local/run/resources"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// createResources creates the tables, buckets and queues of the topology and loads the
// demo data. Queues are created at every start, since the emulator keeps them in memory;
// the sweeper resends what was in them. expires is that of [resources.EnsureTable].
func (s *System) createResources(ctx context.Context, prefix string, expires bool) error {
	o := s.Host.Opener()
	s.timeout = o.Duration("FUNCTION_TIMEOUT", topology.Ingest.Timeout)
	accounts := account.Open(o)
	people := network.Open(o)
	environments := apikey.Environments(o)
	if err := o.Err(); err != nil {
		return err
	}
	for _, t := range topology.Tables {
		if err := resources.EnsureTable(ctx, dynamodb.NewFromConfig(s.Host.AWS), t, s.Environment[t.Env], expires); err != nil {
			return err
		}
	}
	env, err := resources.EnsureQueuesAndBuckets(ctx, s.Host.AWS, func(name string) string { return prefix + name })
	if err != nil {
		return err
	}
	maps.Copy(s.Environment, env)
	if err := demo.Load(ctx, accounts); err != nil {
		return err
	}
	for _, environment := range environments {
		if err := demo.LoadPeople(ctx, people, o.Write, environment, s.Host.Now()); err != nil {
			return err
		}
	}
	return nil
}

// LoadRoles loads the demo's first n roles, its recruiter's relations to them, and the
// recruiter's CRM, matches and calls through the feed. It does nothing if they have
// been loaded before: later changes stay.
func (s *System) LoadRoles(ctx context.Context, n int) error {
	now := s.Host.Now()
	o := s.Host.Opener()
	store := role.NewStore(entity.Open(o), objectstore.Open(o, topology.MarketplaceBucket))
	if err := o.Err(); err != nil {
		return err
	}
	// The last role is loaded after everything else: its presence means that all are loaded.
	found, err := store.ReadRoles(ctx, []string{roles.At(n-1, now).ID}, role.ReadOptions{Consistent: true})
	if len(found) > 0 || err != nil {
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
	last := len(lines) - 1
	if err := applyEvents(ctx, service, lines[:last]); err != nil {
		return err
	}
	return applyEvents(ctx, service, lines[last:])
}

func applyEvents(ctx context.Context, service *feed.Service, lines []market.Event) error {
	return cloud.EachUntilError(ctx, 16, lines, func(ctx context.Context, _ int, line market.Event) error {
		refused, err := service.Apply(ctx, string(line))
		if refused != "" {
			return fmt.Errorf("the demo's event %.100s is refused: %s", line, refused)
		}
		return err
	})
}
