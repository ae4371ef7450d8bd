package main

import (
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
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
		host := cloudtest.Host(t, map[string]string{topology.SettingKeyEnvironments: served}, time.Now)
		if err := demo.Load(t.Context(), account.Open(host.Opener())); err != nil {
			t.Fatal(err)
		}
		service, err := keys.New(t.Context(), host)
		if err != nil {
			t.Fatal(err)
		}
		key, err := ensureStartupKey(t.Context(), &system.System{Host: host}, service, "", contract.AgencyKey, demo.AgencyID)
		if err != nil || !strings.HasPrefix(key, "rmk_"+want+"_") {
			t.Errorf("%q: got %q, %v, want a key of %q", served, key, err, want)
		}
	}
}
