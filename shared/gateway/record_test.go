package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The log line of a request that no route matched names its path, without the query and without
// what may be an address, a key or prose.
func TestUnmatchedPathIsLogged(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"/talent-network/candidate/submit?email=a@example.com": "/talent-network/candidate/submit",
		"/":                             "/",
		"/x/ada@example.com/y":          "/x/*/y",
		"/x/rmk_test_0123456789abcdef":  "/x/*",
		"/x/some%20prose%0Amsg=request": "/x/*",
		"/x/" + strings.Repeat("a", 65): "/x/*",
		strings.Repeat("/aaaa", 500):    strings.Repeat("/aaaa", 8) + "/*",
	} {
		g, log := testGateway(t, contract.Platform, nil)
		if w := sendRequest(g, http.MethodGet, sent, ""); w.Code != http.StatusNotFound {
			t.Errorf("%.80s: status %d", sent, w.Code)
		}
		want = `"path":"` + contract.BasePath + want + `"`
		if line := log.String(); !strings.Contains(line, want) || strings.Contains(line, "example.com") {
			t.Errorf("%.80s: want %s in %s", sent, want, line)
		}
	}
}

// A request that a route matched has its pattern in the log and not its path.
func TestMatchedPathIsNotLogged(t *testing.T) {
	t.Parallel()
	g, log := testGateway(t, contract.Submissions, nil)
	sendRequest(g, http.MethodGet, "/talent-network/batches/7", "")
	if line := log.String(); strings.Contains(line, `"path"`) || !strings.Contains(line, `"route":"/talent-network/batches/{batchId}"`) {
		t.Error(line)
	}
}
