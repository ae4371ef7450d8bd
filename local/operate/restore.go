package operate

import (
	"context"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/local/operate/restore"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Restore finishes a restoration on the system that [Keys] works on.
type Restore struct {
	Erasures  replayErasures   `cmd:"" help:"Apply archived erasures again after restoring a table or bucket."`
	Orphans   findOrphans      `cmd:"" help:"Show memberships and submissions without their file, and unreferenced files."`
	Catalogue rebuildCatalogue `cmd:"" help:"Rebuild the whole role catalogue from the table."`
}

type replayErasures struct {
	Since string `required:"" help:"Time of the restored state, such as 2026-03-01T09:00:00Z. Erasures of the quarter of an hour before it are applied again too: they may have been under way."`
}

type findOrphans struct{}

type rebuildCatalogue struct{}

// Run prints how many erasures were applied. It stops at the first that fails; the same command
// begins anew, which does no harm.
func (c replayErasures) Run() error {
	since, err := time.Parse(time.RFC3339, c.Since)
	if err != nil {
		return fmt.Errorf("--since must be like 2026-03-01T09:00:00Z, not %q", c.Since)
	}
	ctx := context.Background()
	host, err := openHost() // after the flag is checked
	if err != nil {
		return err
	}
	service, err := feed.New(ctx, host)
	if err != nil {
		return err
	}
	n, err := restore.ReplayErasures(ctx, host, since, service.Apply)
	fmt.Printf("applied %d erasures again\n", n)
	return err
}

// Run prints the orphans by id or key. It fails if there are any, so that a script notices.
func (findOrphans) Run(host cloud.Host) error {
	found, err := restore.FindOrphans(context.Background(), host, time.Now())
	if err != nil {
		return err
	}
	for _, list := range []struct {
		name string
		ids  []string
	}{
		{"membership without its resume", found.MembershipsWithoutFile},
		{"live submission without its upload", found.SubmissionsWithoutFile},
		{"resume to which nothing leads", found.FilesWithoutMembership},
	} {
		for _, id := range list.ids {
			fmt.Printf("%s: %s\n", list.name, id)
		}
	}
	if n := found.Count(); n > 0 {
		return fmt.Errorf("%d orphans; infra/README.md says what to do", n)
	}
	fmt.Println("no orphans")
	return nil
}

// Run publishes a generation of the catalogue with every role of the table.
func (rebuildCatalogue) Run(host cloud.Host) error {
	return publishCatalogue(context.Background(), host, nil)
}
