package bridge_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/run/bridge"
)

// The whole of 127.0.0.0/8 is this machine's on Linux: 127.0.0.2 takes the place of a bridge.
func TestRelay(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.Host+r.RequestURI+" "+strings.ToUpper(string(body)))
	}))
	defer service.Close()
	port := service.Listener.Addr().(*net.TCPAddr).Port
	for network, want := range map[string]string{"127.0.0.2/8": "host.docker.internal/a%2Fb?c;d=%zz HELLO", "127.0.0.3/32": ""} {
		ctx, end := context.WithCancel(t.Context())
		address, subnet, err := net.ParseCIDR(network)
		if err != nil {
			t.Fatal(err)
		}
		own := &net.IPNet{IP: address, Mask: subnet.Mask}
		if err := bridge.Relay(ctx, own, []int{port, port}); err != nil {
			t.Fatal(err)
		}
		at := net.TCPAddr{IP: address, Port: port}
		if got := send(t, at.String()); got != want {
			t.Errorf("%s: got %q; want %q", network, got, want)
		}
		end()
		for {
			conn, err := net.Dial("tcp", at.String())
			if err != nil {
				break
			}
			_ = conn.Close()
		}
	}
}

// send returns the answer to a request from 127.0.0.1, "" if there is none.
func send(t *testing.T, address string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/a%2Fb?c;d=%zz", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "host.docker.internal"
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	response, err := (&http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFind(t *testing.T) {
	t.Parallel()
	if _, err := bridge.Find("no-such-bridge"); err == nil || !errors.Is(err, bridge.ErrNoBridge) {
		t.Errorf("got %v", err)
	}
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		if one.Flags&net.FlagLoopback == 0 {
			continue
		}
		if got, err := bridge.Find(one.Name); err != nil || !got.IP.IsLoopback() {
			t.Errorf("%s: got %v, %v", one.Name, got, err)
		}
	}
}
