package operate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/schollz/progressbar/v3"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/local/operate/bulk"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
)

// Feed runs the service of the feed function on the system that [Keys] works on.
type Feed struct {
	Load loadFeed `cmd:"" help:"Load files of marketplace events, one JSON object per line."`
}

type loadFeed struct {
	Files    []string `arg:"" name:"file" help:"Files, or s3://bucket/key."`
	Parallel int      `default:"32" help:"Number of events applied concurrently."`
	Again    bool     `help:"Begin at the start, even if the last load of a file was interrupted."`
	Bulk     bool     `help:"Publish the role catalogue and large CRMs only once, at the end: for many roles or candidates. Until then role lists show the old roles."`
}

// shownRefusals bounds the refusals that are printed; the dead-letter queue has them all.
const shownRefusals = 10

// Run loads the files in order. A run that was stopped is resumed where it stopped.
func (c loadFeed) Run(ctx context.Context, host cloud.Host) error {
	if !isDeployed() {
		host.AWS = bulk.WithoutTokens(host.AWS)
	}
	open := feed.New
	if c.Bulk {
		open = feed.NewBulk
	}
	service, err := open(ctx, host)
	if err != nil {
		return fmt.Errorf("open the feed: %w", err)
	}
	client := objectstore.NewClient(host)
	var loaded []*bulk.Checkpoint
	for _, name := range c.Files {
		checkpoint, err := c.loadFile(ctx, service, client, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		loaded = append(loaded, checkpoint)
	}
	if c.Bulk {
		if err := publishCatalogue(ctx, host, service.ChangedCRMs()); err != nil {
			return fmt.Errorf("the events are stored but not published yet; run the same command to continue: %w", err)
		}
	}
	refused := 0
	for _, checkpoint := range loaded {
		refused += checkpoint.Position.Refused
		err = errors.Join(err, checkpoint.Delete()) // the same command begins at the start again
	}
	if refused > 0 { // a script is to notice
		err = errors.Join(err, fmt.Errorf("%d events were refused; the dead-letter queue has them with the reason", refused))
	}
	return err
}

// publishCatalogue publishes a catalogue with every role, and the indexes of the changed CRMs that are large.
func publishCatalogue(ctx context.Context, host cloud.Host, recruiterIDs []string) error {
	begun := time.Now()
	worker, err := publisher.New(ctx, host)
	if err != nil {
		return fmt.Errorf("open the publisher: %w", err)
	}
	fmt.Fprintln(os.Stderr, "publishing the role catalogue, about a minute for 100,000 roles …")
	bar := newProgressBar("roles read", 1)
	roles, err := worker.Rebuild(ctx, func(read, roles int) {
		bar.ChangeMax(roles)
		_ = bar.Set(read)
	})
	_ = bar.Exit()
	if err != nil {
		return err
	}
	fmt.Printf("published a catalogue of %d roles in %.1f s\n", roles, time.Since(begun).Seconds())
	begun = time.Now()
	candidates, err := worker.PublishIndexes(ctx, recruiterIDs)
	if err == nil && candidates > 0 {
		fmt.Printf("published CRMs of %d candidates in %.1f s\n", candidates, time.Since(begun).Seconds())
	}
	return err
}

func (c loadFeed) loadFile(ctx context.Context, service *feed.Service, client *s3.Client, name string) (*bulk.Checkpoint, error) {
	source, err := bulk.FindSource(ctx, client, name)
	if err != nil {
		return nil, fmt.Errorf("find the file of the load: %w", err)
	}
	checkpoint, err := bulk.OpenCheckpoint(filepath.Join(envfile.DataDir(), "feed"), source.Name, source.Version)
	if err != nil {
		return nil, fmt.Errorf("open the checkpoint: %w", err)
	}
	if c.Again {
		checkpoint.Position = bulk.Position{}
	}
	reader, err := source.Open(ctx, checkpoint.Position.Offset)
	if err != nil {
		return nil, fmt.Errorf("open the file at its checkpoint: %w", err)
	}
	defer func() { _ = reader.Close() }()
	begun := time.Now()
	start := checkpoint.Position
	rate := func(at bulk.Position) float64 { return float64(at.Lines-start.Lines) / time.Since(begun).Seconds() }
	if start.Lines > 0 {
		fmt.Fprintf(os.Stderr, "%s: continuing after %d events\n", name, start.Lines)
	}
	bar := newProgressBar(filepath.Base(name), source.Size, progressbar.OptionShowBytes(true))
	_ = bar.Set64(start.Offset)
	end, err := bulk.Load{
		Apply: service.Apply, Parallel: max(1, c.Parallel), Refused: printRefusals(os.Stderr, name),
		Done: func(at bulk.Position) error {
			bar.Describe(fmt.Sprintf("%s: %d events, %.0f/s", filepath.Base(name), at.Lines, rate(at)))
			return finishWindow(ctx, service.FinishBulk, bar, checkpoint, at)
		},
	}.Run(ctx, reader, start)
	_ = bar.Exit()
	if err != nil {
		return nil, fmt.Errorf("stopped after %d events; run the same command to continue: %w", end.Lines, err)
	}
	fmt.Printf("%s: %d events in %.1f s (%.0f/s), %d of them refused\n", name, end.Lines-start.Lines,
		time.Since(begun).Seconds(), rate(end), end.Refused-start.Refused)
	return checkpoint, nil
}

// finishWindow completes and saves what was loaded up to a position, and shows it. A bar that cannot show it, as of a file that is
// empty or has grown, is not an error of the load.
func finishWindow(
	ctx context.Context, complete func(context.Context) error, bar *progressbar.ProgressBar, checkpoint *bulk.Checkpoint, at bulk.Position,
) error {
	if err := complete(ctx); err != nil {
		return fmt.Errorf("complete the window: %w", err)
	}
	_ = bar.Set64(at.Offset)
	return checkpoint.Save(at)
}

func newProgressBar(name string, size int64, options ...progressbar.Option) *progressbar.ProgressBar {
	info, err := os.Stderr.Stat()
	return progressbar.NewOptions64(size, append(options,
		progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(name),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetVisibility(err == nil && info.Mode()&os.ModeCharDevice != 0))...)
}

func printRefusals(out io.Writer, name string) func(line int, reason string) {
	shown := 0
	return func(line int, reason string) {
		shown++
		switch {
		case shown <= shownRefusals:
			_, _ = fmt.Fprintf(out, "%s:%d: refused: %s\n", name, line, reason)
		case shown == shownRefusals+1:
			_, _ = fmt.Fprintln(out, "further refusals are only in the dead-letter queue")
		}
	}
}
