// Package system is the whole product in one process: the emulators, every
// function behind the real path (HTTP → API Gateway event → function), the queue's
// poller, the schedule, the profile provider's stand-in and the demo data.
//
// The functions are the deployed ones and do not know where they run; what
// differs is their environment (settings.go). The package is the test bed of the
// end-to-end tests too, which start it with a clock, an environment and hooks of
// their own.
package system

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"

	"github.com/recruiting-marketplace/external-api/local/emulator"
	"github.com/recruiting-marketplace/external-api/local/lambda"
	"github.com/recruiting-marketplace/external-api/local/provider"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Options say how to run. The zero value keeps everything in memory and listens
// on a free port.
type Options struct {
	// Dir keeps state over restarts; "" keeps it in memory.
	Dir string
	// Listener takes the API's requests; nil listens on a free loopback port.
	Listener net.Listener
	// Getenv are the settings; nil means none but the defaults.
	Getenv func(string) string
	// Now is the functions' clock; nil is the real one.
	Now func() time.Time
	// Log takes a line a request, worker item and failure; nil drops them.
	Log *slog.Logger
	// Hooks stand around every AWS call of the functions.
	Hooks []cloud.Hook
	// Emulators are used instead of starting some: tests share them.
	Emulators *emulator.Set
	// Provider answers for the profile provider; nil is its stand-in.
	Provider http.Handler
	// Prefix begins the names of tables, queues and buckets; "" is DefaultPrefix.
	Prefix string
}

// DefaultPrefix keeps the local resources apart where the endpoint is an account's.
const DefaultPrefix = "rmk-local-"

// System is what runs. Stop it.
type System struct {
	// BaseURL ends in the version's path, without a slash.
	BaseURL string
	// Host is what the functions run in.
	Host cloud.Host
	// Environment is what differs from a deployment's: endpoints and names.
	Environment map[string]string

	// aws is what AWS itself does its part with: no hooks, and patience for a
	// long poll, which the functions' clients would give up and ask again, losing
	// the messages that the first one is answered with.
	aws  aws.Config
	stop []func()
}

// Start brings everything up and answers when requests are served. On an error
// nothing is left running.
func Start(ctx context.Context, o Options) (_ *System, err error) {
	o = o.withDefaults()
	s := &System{}
	defer func() {
		if err != nil {
			s.Stop()
		}
	}()
	set := o.Emulators
	if set == nil {
		if set, err = emulator.Start(ctx, emulator.Options{Dir: o.Dir}); err != nil {
			return nil, err
		}
		s.stop = append(s.stop, set.Stop)
	}
	standIn, err := s.serveProvider(o.Provider)
	if err != nil {
		return nil, err
	}
	s.Environment = systemEnvironment(set, standIn, o.Prefix, o.Getenv)
	s.Host = cloud.NewHost(layeredSettings(s.Environment, o.Getenv), o.Now, o.Log)
	if err = s.createResources(ctx, o.Prefix); err != nil {
		return nil, fmt.Errorf("making tables, queues and buckets: %w", err)
	}
	s.aws = s.Host.AWS.Copy()
	s.aws.HTTPClient = awshttp.NewBuildableClient()
	for _, hook := range o.Hooks {
		s.Host.AWS = cloud.WithHook(s.Host.AWS, hook)
	}
	functions, err := newFunctions(ctx, s.Host)
	if err != nil {
		return nil, err
	}
	if err = s.startWorkers(functions); err != nil {
		return nil, err
	}
	return s, s.serveAPI(o.Listener, functions)
}

func (o Options) withDefaults() Options {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Prefix == "" {
		o.Prefix = DefaultPrefix
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Provider == nil {
		o.Provider = &provider.StandIn{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// serveAPI puts the functions behind an API Gateway of our own.
func (s *System) serveAPI(listener net.Listener, f *functions) (err error) {
	if listener == nil {
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return err
		}
	}
	api, err := f.newGateway(s.Host)
	if err != nil {
		return err
	}
	s.serveUntilStop(listener, api)
	s.BaseURL = "http://" + listener.Addr().String() + contract.BasePath
	return nil
}

// serveUntilStop serves until Stop.
func (s *System) serveUntilStop(listener net.Listener, h http.Handler) {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	var done sync.WaitGroup
	done.Go(func() {
		if err := server.Serve(lambda.LenientListener(listener)); !errors.Is(err, http.ErrServerClosed) {
			s.Host.Log.Error("the server ended", "error", err)
		}
	})
	s.stop = append(s.stop, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
		done.Wait()
	})
}

// Stop ends everything in the reverse order of its start, and waits for it.
func (s *System) Stop() {
	for i := len(s.stop) - 1; i >= 0; i-- {
		s.stop[i]()
	}
	s.stop = nil
}
