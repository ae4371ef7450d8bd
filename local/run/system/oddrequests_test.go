package system_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Requests that Go's server, or its client, would answer or change by themselves get the API's own answer.
func TestOddRequestsGetTheEnvelope(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	address, _, _ := strings.Cut(strings.TrimPrefix(sys.BaseURL, "http://"), "/")
	for _, line := range []string{"OPTIONS * HTTP/1.1", "get " + contract.BasePath + "/health HTTP/1.1", "Get " + contract.BasePath + "/docs HTTP/1.1"} {
		conn, err := net.Dial("tcp", address)
		must(t, err)
		_, err = fmt.Fprintf(conn, "%s\r\nHost: %s\r\n\r\n", line, address)
		must(t, err)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		must(t, err)
		var body contract.ErrorEnvelope
		err = json.NewDecoder(answer.Body).Decode(&body)
		if answer.StatusCode != http.StatusNotFound || err != nil || body.Error.Type != "not_found" {
			t.Errorf("%s: got %d %+v, %v; want 404 with the envelope", line, answer.StatusCode, body, err)
		}
		_ = answer.Body.Close()
		_ = conn.Close()
	}
}
