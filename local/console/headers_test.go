package console

import (
	"crypto/rand"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
)

// TestShownHeaders holds which headers of a request are shown, and that none shows a key, a name or an address.
func TestShownHeaders(t *testing.T) {
	t.Parallel()
	key, err := apikey.Generate(rand.Reader, "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, value, want string
		rules             []headerRule
	}{
		{"Authorization", "Bearer " + key, "Bearer …" + key[len(key)-4:], sentRules},
		{"Authorization", "Bearer " + key + "9", "‹53 characters›", sentRules},
		{"Authorization", "Basic YWRhOnNlY3JldA==", "‹22 characters›", sentRules},
		{"Content-Type", "application/json; charset=utf-8", "application/json", sentRules},
		{"Content-Type", "ada@example.com", "‹15 characters›", sentRules},
		{"Idempotency-Key", "maya-1", "maya-1", sentRules},
		{"Idempotency-Key", "ada@example.com", "‹15 characters›", sentRules},
		{"Idempotency-Key", key, "‹45 characters›", sentRules},
		{"User-Agent", "Mozilla/5.0 (X11; ada@example.com) Chrome/140.0.0.0", "Mozilla/5.0 Chrome/140.0.0.0", sentRules},
		{"User-Agent", "Ada Example", "‹11 characters›", sentRules},
		{"RateLimit", `"default";r=119;t=33`, `"default";r=119;t=33`, answeredRules},
		{"X-Ignored-Params", "limt, ada@example.com", "limt, *", answeredRules},
	} {
		h := http.Header{"Cookie": {"secret"}}
		h.Set(c.name, c.value)
		if diff := cmp.Diff([]header{{c.name, c.want}}, shownHeaders(h, c.rules)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", c.name, c.value, diff)
		}
	}
}
