package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The log line of a request that no route matched has the length of its path and none of its words.
func TestUnmatchedPathIsNotLogged(t *testing.T) {
	t.Parallel()
	for _, sent := range []string{
		"/", "/x/vexil-thrumm", "/https://www.linkedin.com/in/vexil-thrumm", "/x/vexil@example.com?email=vexil@example.com",
		"/talent-network/vexil%20thrumm", "/vexil" + strings.Repeat("/thrumm", 500),
	} {
		g, log := testGateway(t, contract.Platform, nil)
		if w := sendRequest(g, http.MethodGet, sent, ""); w.Code != http.StatusNotFound {
			t.Errorf("%.80s: status %d", sent, w.Code)
		}
		path, _, _ := strings.Cut(sent, "?")
		want := fmt.Sprintf(`"path_length":%d`, len(contract.BasePath)+len(path))
		if line := log.String(); !strings.Contains(line, want) || strings.Contains(line, "vexil") || strings.Contains(line, "thrumm") {
			t.Errorf("%.80s: want %s in %s", sent, want, line)
		}
	}
}

// A request that a route matched has its pattern in the log and not its path.
func TestMatchedPathIsNotLogged(t *testing.T) {
	t.Parallel()
	g, log := testGateway(t, contract.Submissions, nil)
	sendRequest(g, http.MethodGet, "/talent-network/batches/7", "")
	if line := log.String(); strings.Contains(line, `"path_length"`) || !strings.Contains(line, `"route":"/talent-network/batches/{batchId}"`) {
		t.Error(line)
	}
}
