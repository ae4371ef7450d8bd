package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/recruiting-marketplace/external-api/local/system"
)

// demoRoles is how many roles a run comes with.
const demoRoles = 240

// serve runs the system until it is interrupted.
type serve struct{}

// Run starts everything, prints how to use it and waits for Ctrl-C.
func (serve) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := listen(cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(dataDir())
	if err != nil {
		return err
	}
	if err := putAway(ctx, dir, listener.Addr()); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	s, err := system.Start(ctx, system.Options{Dir: dir, Listener: listener, Getenv: os.Getenv, Log: log})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer s.Stop()
	if err := s.LoadRoles(ctx, demoRoles); err != nil {
		return err
	}
	keys, err := readyKeys(ctx, s, dir)
	if err != nil {
		return err
	}
	if err := keys.write(s, dir); err != nil {
		return err
	}
	fmt.Print(welcome(s.BaseURL, keys, dir))
	<-ctx.Done()
	fmt.Fprintln(os.Stderr, "\nstopping")
	return hide(dir)
}

// dataDir is where state is kept: the setting DATA_DIR, or .local.
func dataDir() string { return cmp.Or(os.Getenv("DATA_DIR"), ".local") }

func listen(port string) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %s is taken, perhaps by another run; choose another one, for example: make run PORT=8081", port)
	}
	if err != nil {
		return nil, fmt.Errorf("PORT=%s cannot be listened on: %w", port, err)
	}
	return listener, nil
}
