package operate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/local/operate/deadletter"
	"github.com/recruiting-marketplace/external-api/local/operate/restore"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// DeadLetters works on the dead-letter queues of the system that [Keys] works on.
type DeadLetters struct {
	List    listDead    `cmd:"" help:"Show the dead letters of a queue, or the number in every queue."`
	Redrive redriveDead `cmd:"" help:"Send dead letters to their queue again, after fixing the cause."`
}

type listDead struct {
	Queue  string `arg:"" optional:"" help:"Queue: ${queues} (default: all, as counts)."`
	Max    int    `default:"20" help:"Maximum number of letters to show."`
	Bodies bool   `help:"Show message bodies. They may contain personal data: keep them off shared screens and logs."`
}

type redriveDead struct {
	Queue string `arg:"" help:"Queue: ${queues}."`
	Max   int    `default:"0" help:"Maximum number of letters to send; 0 for all present now."`
}

// Validate refuses a number of letters with which none is shown. Kong calls it before Run.
func (c listDead) Validate() error {
	if c.Max < 1 {
		return errors.New("--max must be at least 1")
	}
	return nil
}

// Run prints the dead letters, oldest first as far as SQS keeps order. They stay in the
// queue and are hidden from other receivers while Run shows them.
func (c listDead) Run(ctx context.Context, host cloud.Host) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer func() { _ = w.Flush() }()
	if c.Queue == "" {
		for _, q := range deadletter.QueueNames() {
			dead, err := deadletter.Open(ctx, host, q)
			if err != nil {
				return fmt.Errorf("open the dead letters: %w", err)
			}
			_, _ = fmt.Fprintf(w, "%s\t%d\n", q, dead.Count)
		}
		return nil
	}
	dead, err := deadletter.Open(ctx, host, c.Queue)
	if err != nil {
		return err
	}
	letters, err := dead.Receive(ctx, min(c.Max, dead.Count))
	if len(letters) == 0 && err == nil {
		fmt.Fprintf(os.Stderr, "%s has no dead letters\n", c.Queue)
	}
	for _, m := range letters {
		sent := deadletter.SentAt(m).Format(time.RFC3339)
		times := m.Attributes["ApproximateReceiveCount"]
		_, _ = fmt.Fprintf(w, "%s\t%s\treceived %s times\t%s\n", *m.MessageId, sent, times, deadletter.Reason(m))
		if c.Bodies {
			_, _ = fmt.Fprintf(w, "\t%s\n", *m.Body)
		}
	}
	return errors.Join(err, dead.Release(ctx, letters))
}

// Validate refuses a number of letters that means nothing. Kong calls it before Run.
func (c redriveDead) Validate() error {
	if c.Max < 0 {
		return errors.New("--max must be at least 1, or 0 for all letters")
	}
	return nil
}

// Run sends each dead letter to its queue and then deletes it. A run that is
// interrupted sends at most one letter twice, which workers tolerate; one that is killed hides the rest for a minute and
// a quarter of a second for each letter.
func (c redriveDead) Run(ctx context.Context, host cloud.Host) error {
	dead, err := deadletter.Open(ctx, host, c.Queue)
	if err != nil {
		return fmt.Errorf("open the dead letters: %w", err)
	}
	sent, err := dead.Settle(ctx, cmp.Or(c.Max, dead.Count), "", dead.Redrive)
	if err != nil {
		return fmt.Errorf("after %d letters: %w", sent, err)
	}
	fmt.Printf("sent %d of %d letters to %s again\n", sent, dead.Count, c.Queue)
	return nil
}

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
		return fmt.Errorf("open the feed: %w", err)
	}
	n, err := restore.ReplayErasures(ctx, host, since, service.Apply)
	fmt.Printf("applied %d erasures again\n", n)
	return err
}

// Run prints the orphans by id or key. It fails if there are any, so that a script notices.
func (findOrphans) Run(host cloud.Host) error {
	found, err := restore.FindOrphans(context.Background(), host, time.Now())
	if err != nil {
		return fmt.Errorf("find the orphans: %w", err)
	}
	show := func(name string, ids []string) {
		for _, id := range ids {
			fmt.Printf("%s: %s\n", name, id)
		}
	}
	show("membership without its resume", found.MembershipsWithoutFile)
	show("in-flight submission without its upload", found.SubmissionsWithoutFile)
	show("resume to which nothing leads", found.FilesWithoutMembership)
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
