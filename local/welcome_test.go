package main

import (
	"strings"
	"testing"
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
	for served, want := range map[string]string{"live,test": "test", "live": "live", "dev,live": "dev"} {
		if got := startupKeyEnvironment(strings.Split(served, ",")); got != want {
			t.Errorf("%q: got %q, want %q", served, got, want)
		}
	}
}
