package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type statusCommand struct{}

// Run prints where it runs, and since when. That none runs is an error.
func (statusCommand) Run() error {
	dir, err := filepath.Abs(envfile.DataDir())
	if err != nil {
		return err
	}
	return printStatus(context.Background(), os.Stdout, dir, time.Now())
}

func printStatus(ctx context.Context, to io.Writer, dir string, now time.Time) error {
	env, err := envfile.Read(filepath.Join(dir, "env"))
	if err != nil {
		return err
	}
	baseURL := env["BASE_URL"]
	if baseURL == "" {
		url := "http://127.0.0.1:" + port() + contract.BasePath
		if _, err := newProbe(url, "").Health(ctx); err == nil {
			return fmt.Errorf("no system runs with its data in %s; one with another DATA_DIR runs at %s", dir, url)
		}
		return fmt.Errorf("no system runs with its data in %s; start one: make run", dir)
	}
	err = checkKey(ctx, baseURL, env["AGENCY_KEY"])
	if isRefused(err) {
		return fmt.Errorf("the system at %s refuses the key of the run with its data in %s: "+
			"the key was revoked, or that run was killed and another one has its port", baseURL, dir)
	}
	if err != nil {
		return fmt.Errorf("the run with its data in %s was killed, or does not respond: %w; if it was killed, start it again: make run", dir, err)
	}
	aws, err := envfile.Read(filepath.Join(dir, "aws"))
	if err != nil {
		return err
	}
	begun, err := os.Stat(filepath.Join(dir, "env"))
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	running := now.Sub(begun.ModTime()).Round(time.Second)
	_, _ = fmt.Fprintf(table, "running\tfor %s\nbase URL\t%s\ndata\t%s\n", running, baseURL, dir)
	for _, service := range []emulator.Service{emulator.DynamoDB, emulator.SQS, emulator.S3} {
		_, _ = fmt.Fprintf(table, "%s\t%s\n", service, aws[service.Variable()])
	}
	return table.Flush()
}

func port() string { return cmp.Or(os.Getenv("PORT"), "8080") }

// checkKey returns an error unless the API at baseURL accepts the key. It also accepts one whose rate is used up, since only the
// requests of keys that it knows are counted.
func checkKey(ctx context.Context, baseURL, key string) error {
	_, err := newProbe(baseURL, key).Identity(ctx)
	if hasStatus(err, http.StatusTooManyRequests) {
		return nil
	}
	return err
}

// isRefused reports whether an error of checkKey says that the API does not know the key, or not any more. Any other error says
// nothing about the key.
func isRefused(err error) bool { return hasStatus(err, http.StatusUnauthorized) }

func hasStatus(err error, status int) bool {
	answer, ok := errors.AsType[*client.Error](err)
	return ok && answer.Status == status
}

func newProbe(baseURL, key string) *client.Client {
	return client.New(baseURL, key, client.WithAttempts(1), client.WithHTTPClient(&http.Client{Timeout: 5 * time.Second}))
}
