package main

import (
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func TestQuoteForShell(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"/tmp/api-1/env": "/tmp/api-1/env", "/tmp/my api/env": "'/tmp/my api/env'", "/tmp/o'brien/env": `'/tmp/o'\''brien/env'`} {
		if got := quoteForShell(path); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestReadyEnvironment(t *testing.T) {
	t.Parallel()
	for served, want := range map[string]string{"live,test": "test", "live, test": "test", "live": "live", "dev,live": "dev"} {
		o := cloud.Host{Getenv: func(string) string { return served }}.Opener()
		if got := startupKeyEnvironment(apikey.Environments(o)); got != want {
			t.Errorf("%q: got %q, want %q", served, got, want)
		}
	}
}
