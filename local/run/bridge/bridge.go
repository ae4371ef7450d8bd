// Package bridge offers HTTP services that listen on loopback to containers. It listens on the address of a
// container network's bridge alone, never on all interfaces, and serves requests from that network alone.
package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"strconv"
	"syscall"
	"time"
)

// Docker is the interface of Docker's default network on Linux. Docker Desktop has none: its containers
// reach loopback by themselves.
const Docker = "docker0"

// ErrNoBridge is wrapped by the error for a name of which no interface has an address.
var ErrNoBridge = errors.New("there is no network interface")

// Find returns the address of a bridge on this machine, and its network.
func Find(name string) (*net.IPNet, error) {
	found, err := net.InterfaceByName(name)
	if err != nil {
		return nil, fmt.Errorf("%w %s", ErrNoBridge, name)
	}
	addresses, err := found.Addrs()
	if err != nil {
		return nil, fmt.Errorf("addresses of %s: %w", name, err)
	}
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil {
			return network, nil
		}
	}
	return nil, fmt.Errorf("%w %s", ErrNoBridge, name)
}

// Relay passes requests to ports of a bridge's address on to the same ports of loopback, until ctx ends. It returns once it
// listens. A port that is taken belongs to a service that listens on all interfaces, as DynamoDB Local does, and needs no relay.
func Relay(ctx context.Context, bridge *net.IPNet, ports []int) error {
	for _, port := range ports {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(bridge.IP.String(), strconv.Itoa(port)))
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return fmt.Errorf("offering port %d to containers: %w", port, err)
		}
		quiet := log.New(io.Discard, "", 0) // a caller sees what fails
		proxy := &httputil.ReverseProxy{ErrorLog: quiet, Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme = "http"
			r.Out.URL.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
			r.Out.URL.RawQuery = r.In.URL.RawQuery // also what is no query
		}}
		server := &http.Server{ErrorLog: quiet, ReadHeaderTimeout: 10 * time.Second}
		server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			remote, err := netip.ParseAddrPort(r.RemoteAddr)
			if err != nil || !bridge.Contains(remote.Addr().AsSlice()) { // other machines could send packets to the address too
				panic(http.ErrAbortHandler)
			}
			proxy.ServeHTTP(w, r)
		})
		context.AfterFunc(ctx, func() { _ = server.Close() })
		go func() { _ = server.Serve(listener) }() // until it is closed
	}
	return nil
}
