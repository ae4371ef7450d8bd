package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler returns a handler of streamable HTTP for a server that listens on an address. It accepts
// requests that name this address, and none of the page of another site: a browser would send them
// for any page, after a name of that page was made to lead here (DNS rebinding).
func Handler(server *sdk.Server, address *net.TCPAddr) http.Handler {
	stream := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	port := fmt.Sprint(address.Port)
	hosts := []string{address.String(), net.JoinHostPort("localhost", port)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		switch {
		case !slices.Contains(hosts, r.Host):
			http.Error(w, "The server is at http://"+address.String()+"/ only.", http.StatusMisdirectedRequest)
		case origin != "" && origin != "http://"+r.Host:
			http.Error(w, "The server accepts no requests of web pages.", http.StatusForbidden)
		default:
			stream.ServeHTTP(w, r)
		}
	})
}

// Listen listens on an address of this machine only: it serves with the user's keys.
func Listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		_ = listener.Close()
		return nil, fmt.Errorf("%s can be reached from other machines; use 127.0.0.1", address)
	}
	return listener, nil
}

// ServeHTTP serves streamable HTTP until the context ends.
func ServeHTTP(ctx context.Context, listener net.Listener, server *sdk.Server) error {
	tcp, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return fmt.Errorf("%s is no TCP address", listener.Addr())
	}
	s := &http.Server{Handler: Handler(server, tcp), ReadHeaderTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
