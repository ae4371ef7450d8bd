// Command uploads serves the handlers of package submissions over plain HTTP, for
// the bodies that Lambda does not accept: up to the contract's 12 MB, with a length
// or chunked. The deployment leads the upload paths here and nothing else.
//
// It knows how many bodies fit into its memory, how many of them are handled at a time and one
// caller may have, and how to stop without aborting a request. The gateway decides on a request's meaning, limits and response.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// The time limits of a connection. writeTime covers waiting for a place and for a slot
// (turnTime each), reading the body at its pace ([gateway.PaceBody]) and the handler. idleTime is longer than the 60 s after
// which the balancer closes an idle connection, because the balancer must be the one to do so.
const (
	headerTime = 10 * time.Second
	readTime   = 60 * time.Second
	writeTime  = 150 * time.Second
	idleTime   = 75 * time.Second
	// stopTime is for the requests in flight; the platform kills after 60 s.
	stopTime = 50 * time.Second
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := listenAndServe(ctx, cloud.FromEnvironment()); err != nil {
		log.Fatal(err)
	}
}

// listenAndServe serves until ctx ends, and then until the requests in flight are done.
func listenAndServe(ctx context.Context, h cloud.Host) error {
	handlers, err := submissions.New(ctx, h)
	if err != nil {
		return err
	}
	port, err := h.Int("PORT", 8080)
	if err != nil {
		return err
	}
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{Port: port})
	if err != nil {
		return err
	}
	h.Log.Info("uploads: listening", "address", listener.Addr().String())
	server := &http.Server{
		Handler:           limitRequests(handlers, h.Now),
		ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
	}
	return serveUntilDone(ctx, server, listener)
}

func serveUntilDone(ctx context.Context, server *http.Server, listener net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
