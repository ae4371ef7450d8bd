package mcp_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/local/terminal/mcp"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The handler takes requests to its own address only, and none of a web page.
func TestHTTPRefusesWebPages(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	server, err := mcp.New(t.Context(), mcp.Options{Clients: []*client.Client{api.newClient(t)}})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := mcp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- mcp.ServeHTTP(ctx, listener, server) }()
	address := listener.Addr().String()
	session := startSession(t, &sdk.StreamableClientTransport{Endpoint: "http://" + address, DisableStandaloneSSE: true})
	if text, failed := callTool(t, session, "listMembers", nil); failed {
		t.Errorf("got %s", text)
	}
	_, port, _ := net.SplitHostPort(address)
	for _, tt := range []struct {
		host, origin string
		want         int
	}{
		{"attacker.example:" + port, "", http.StatusMisdirectedRequest},
		{"attacker.example:" + port, "http://attacker.example:" + port, http.StatusMisdirectedRequest},
		{address, "http://attacker.example", http.StatusForbidden},
		{address, "null", http.StatusForbidden},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r, err := http.NewRequestWithContext(t.Context(), method, "http://"+address, strings.NewReader(`{}`))
			if err != nil {
				t.Fatal(err)
			}
			r.Host = tt.host
			r.Header.Set("Origin", tt.origin)
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != tt.want {
				t.Errorf("%s %+v: got %d", method, tt, response.StatusCode)
			}
		}
	}
	_ = session.Close()
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if _, err := mcp.Listen("0.0.0.0:0"); err == nil {
		t.Error("an address of other machines is served")
	}
}
