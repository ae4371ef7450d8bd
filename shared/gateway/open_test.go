package gateway

import (
	"log/slog"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A function whose list of origin secrets has a hole does not start: it would take
// requests that show none.
func TestOriginSecretsOfTheDeployment(t *testing.T) {
	t.Parallel()
	const refused = 0
	for secrets, want := range map[string]int{
		"": 200, "shown": 200, "other, shown": 200, "other": 404, "other,": refused, ",shown": refused, ",": refused, " ": refused,
	} {
		env := map[string]string{topology.Accounts.Env: "accounts", topology.SettingOriginSecrets: secrets}
		host := cloud.NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler))
		h, err := Open(host.Opener(), contract.Platform, handlersOf(contract.Platform, stubHandlers()))
		got := refused
		if err == nil {
			got = sendRequest(h, "GET", "/health", "", "X-Origin-Secret", "shown").Code
		}
		if got != want {
			t.Errorf("%q: got %d, %v; want %d", secrets, got, err, want)
		}
	}
}
