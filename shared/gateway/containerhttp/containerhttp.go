// Package containerhttp serves an http.Handler in a container behind a load balancer: it responds to
// the balancer's health check, bounds how long a connection may take, and stops without aborting a
// request.
package containerhttp

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

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// The time limits of a connection. writeTime covers waiting for a body's place and for a handler's slot,
// reading the body at its pace (gateway.PaceBody) and the handler. idleTime is longer than the 60 s after
// which the balancer closes an idle connection, because the balancer must be the one to do so.
const (
	headerTime = 10 * time.Second
	readTime   = 60 * time.Second
	writeTime  = 150 * time.Second
	idleTime   = 75 * time.Second
	// stopTime is for the requests in flight; the platform kills after 60 s.
	stopTime = 50 * time.Second
)

// HealthPath is the path of the balancer's health check.
const HealthPath = "/healthz"

// Start is the main of a container: it opens the handler with the settings of the process's environment
// and serves it at PORT until the process receives a signal to stop.
func Start(open func(context.Context, cloud.Host) (http.Handler, error)) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := listenAndServe(ctx, cloud.FromEnvironment(), open); err != nil {
		log.Fatal(err)
	}
}

// listenAndServe serves until ctx ends, and then until the requests in flight are done.
func listenAndServe(ctx context.Context, h cloud.Host, open func(context.Context, cloud.Host) (http.Handler, error)) error {
	handler, err := open(ctx, h)
	if err != nil {
		return err
	}
	o := h.Opener()
	port := o.Int("PORT", 8080)
	if err := o.Err(); err != nil {
		return err
	}
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{Port: port})
	if err != nil {
		return err
	}
	h.Log.Info("listening", "address", listener.Addr().String())
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == HealthPath {
				w.WriteHeader(http.StatusOK)
				return
			}
			handler.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
	}
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
