package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"

	"github.com/recruiting-marketplace/external-api/local/story"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// traceCommand tells what happened to a request, from the log of the local runs in the data
// directory or, with a stage, from CloudWatch with the AWS environment variables.
type traceCommand struct {
	Request string `arg:"" help:"The X-Request-Id of the request."`
	Stage   string `help:"Stage of a deployment, as prod (default: the local system)."`
}

// Run prints the story.
func (c traceCommand) Run() error {
	search := searchLogFiles
	if c.Stage != "" {
		from, to, err := story.SearchPeriod(c.Request)
		if err != nil {
			return err
		}
		host := cloud.NewHost(os.Getenv, time.Now, slog.New(slog.DiscardHandler))
		insights := story.Insights{Client: cloudwatchlogs.NewFromConfig(host.AWS), Stage: c.Stage, From: from, To: to, Wait: waitContext}
		search = func(m story.Match) ([]story.Line, error) { return insights.Search(context.Background(), m) }
	}
	lines, err := story.Find(c.Request, search)
	if err != nil {
		return err
	}
	fmt.Print(story.Tell(c.Request, lines))
	return nil
}

// logFiles are the logs of the run before this one and of this one, in the data directory.
var logFiles = []string{"log.last", "log"}

func searchLogFiles(m story.Match) (all []story.Line, err error) {
	for _, name := range logFiles {
		log, err := os.Open(filepath.Join(dataDir(), name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		lines, err := story.Filter(log, m)
		if err := cmp.Or(err, log.Close()); err != nil {
			return nil, err
		}
		all = append(all, lines...)
	}
	return all, nil
}

// openLogFile begins the log of a run, for [traceCommand], and keeps that of the run before.
func openLogFile(dir string) (*os.File, error) {
	last := filepath.Join(dir, logFiles[0])
	current := filepath.Join(dir, logFiles[1])
	if err := os.Rename(current, last); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(current, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
}

func waitContext(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}
