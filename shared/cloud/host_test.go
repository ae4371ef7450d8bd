package cloud_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A function that cannot start names every setting that it lacks, at once.
func TestOpenerSaysEverythingThatIsMissing(t *testing.T) {
	t.Parallel()
	env := map[string]string{"WAIT": "soon", "LIMIT": "-1", "SECRETS": "a, ,b", topology.Accounts.Env: "accounts"}
	host := cloud.NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler))
	o := host.Opener()
	o.Table(topology.Accounts)
	if err := o.Err(); err != nil {
		t.Errorf("a table that is named failed: %v", err)
	}
	o.Table(topology.Network)
	o.Table(topology.Network) // for another part of the function
	o.Duration("WAIT", time.Second)
	o.Int("LIMIT", 1)
	if o.List("NONE") != nil {
		t.Error("a list that is not set has values")
	}
	o.List("SECRETS")
	err := o.Err()
	for _, name := range []string{topology.Network.Env, "WAIT", "LIMIT", "SECRETS"} {
		if err == nil || strings.Count(err.Error(), name) != 1 {
			t.Errorf("%s is not named once in: %v", name, err)
		}
	}
}
