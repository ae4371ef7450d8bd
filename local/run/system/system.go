// Package system runs the whole product in one process: the emulators, every function
// behind the real path (HTTP → API Gateway event → function), the queues' pollers, the
// schedules, the profile provider's stand-in and the demo data.
//
// The functions are the deployed ones and cannot detect where they run; only their
// environment differs (defaults, systemEnvironment). The end-to-end tests start the system with a clock,
// an environment and hooks of their own.
package system

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Options configure [Start]. The zero value keeps everything in memory and listens on a
// free port.
type Options struct {
	// Listener accepts the API's requests; nil listens on a free loopback port.
	Listener net.Listener
	// Getenv looks up settings; nil means the defaults alone.
	Getenv func(string) string
	// Now is the functions' clock; nil is time.Now. With another clock, the system keeps
	// expired items.
	Now func() time.Time
	// AdaptHost, if not nil, returns the host that the functions use, derived from its argument.
	AdaptHost func(cloud.Host) cloud.Host
	// Workers is the number of submissions that are ingested at a time; 0 means 4. The backlog of
	// one agency uses at most half as many as there are processors.
	Workers int
	// WithoutIngest leaves out the worker of submissions, as if it had stopped.
	WithoutIngest bool
	// Log receives a line per request, worker item and failure; nil drops them.
	Log *slog.Logger
	// WrapAPI, if not nil, returns the handler of the listener at an address, in front of the API.
	WrapAPI func(h cloud.Host, at net.Addr, api http.Handler) (http.Handler, error)
	// Emulators, if not nil, are used instead of new ones in memory. The caller stops them.
	Emulators *emulator.Set
	// Provider handles the profile provider's requests; nil is its stand-in.
	Provider http.Handler
	// Prefix is prepended to the names of tables, queues and buckets; "" is [DefaultPrefix].
	Prefix string
	// AdaptFunctions, if not nil, changes the functions before they are run.
	AdaptFunctions func(*Functions)
}

// DefaultPrefix keeps local resources apart from others if the endpoint is an account's.
const DefaultPrefix = "rmk-local-"

// System is a running system. It must be stopped.
type System struct {
	// BaseURL ends in the path of the API version, without a slash.
	BaseURL string
	// Host is the host of the functions.
	Host cloud.Host
	// Environment holds the variables that differ from a deployment's: endpoints and names.
	Environment map[string]string

	aws     aws.Config    // of the pollers: without hooks
	timeout time.Duration // of a worker's invocation
	stop    []func()
}

// Start starts everything and returns once requests are served. On an error nothing is
// left running.
func Start(ctx context.Context, o Options) (_ *System, err error) {
	expires := o.Now == nil
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Provider == nil {
		o.Provider = &provider.StandIn{}
	}
	o.Prefix = cmp.Or(o.Prefix, DefaultPrefix)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	s := &System{}
	defer func() {
		if err != nil {
			s.Stop()
		}
	}()
	emulators := o.Emulators
	if emulators == nil {
		emulators, err = emulator.Start(ctx, "")
		if err != nil {
			return nil, fmt.Errorf("start the emulators: %w", err)
		}
		s.stop = append(s.stop, emulators.Stop)
	}
	profiles, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.serveUntilStop(profiles, o.Provider)
	s.Environment = systemEnvironment(emulators, "http://"+profiles.Addr().String(), o.Prefix, o.Getenv)
	if o.Listener != nil && o.Getenv(topology.SettingPublicURL) == "" {
		s.Environment[topology.SettingPublicURL] = "http://" + o.Listener.Addr().String()
	}
	layers := func(name string) string { return cmp.Or(s.Environment[name], o.Getenv(name), defaults[name]) }
	s.Host = cloud.NewHost(layers, o.Now, o.Log)
	err = s.createResources(ctx, o.Prefix, expires)
	if err != nil {
		return nil, fmt.Errorf("making tables, queues and buckets: %w", err)
	}
	s.aws = s.Host.AWS
	s.Host.AWS = lambda.WithSystemAttributes(s.Host.AWS)
	if o.AdaptHost != nil {
		s.Host = o.AdaptHost(s.Host)
	}
	functions, err := OpenFunctions(ctx, s.Host)
	if err != nil {
		return nil, err
	}
	if o.AdaptFunctions != nil {
		o.AdaptFunctions(&functions)
	}
	err = s.startWorkers(functions, o)
	if err != nil {
		return nil, err
	}
	return s, s.serveAPI(o, functions.API)
}

func (s *System) serveAPI(o Options, api http.Handler) (err error) {
	listener := o.Listener
	if listener == nil {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
	}
	if o.WrapAPI != nil {
		api, err = o.WrapAPI(s.Host, listener.Addr(), api)
		if err != nil {
			return err
		}
	}
	s.serveUntilStop(listener, api)
	s.BaseURL = "http://" + listener.Addr().String() + contract.BasePath
	return nil
}

func (s *System) serveUntilStop(listener net.Listener, h http.Handler) {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, DisableGeneralOptionsHandler: true}
	var done sync.WaitGroup
	done.Go(func() {
		if err := server.Serve(lambda.LenientListener{Listener: listener}); !errors.Is(err, http.ErrServerClosed) {
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

// Stop stops everything in the reverse order of its start, and waits until it has ended.
func (s *System) Stop() {
	for _, stop := range slices.Backward(s.stop) {
		stop()
	}
	s.stop = nil
}

// defaults are settings of the functions with short waits, suitable for one machine; the
// environment overrides each. docs/settings.md lists them.
var defaults = map[string]string{
	"KEY_ENVIRONMENTS":   "live,test",
	"INGEST_RESEND":      "5s",
	"INGEST_LEASE_GRACE": "2s",
	"INGEST_RETRY_DELAY": "1s",
	"SWEEP_EVERY":        "2s",
	"FUNCTION_TIMEOUT":   "25s",
	"PROFILE_API_KEY":    "local",
	"VERSION":            "local",
}

// systemEnvironment returns the endpoints and resource names of this system, by the
// variables from which the functions read them.
func systemEnvironment(set *emulator.Set, standIn, prefix string, getenv func(string) string) map[string]string {
	env := set.Env()
	for _, t := range topology.Tables {
		env[t.Env] = prefix + t.Name
	}
	if domain := getenv(topology.SettingSearchURL); domain != "" {
		separator := "/"
		if u, err := url.Parse(domain); err == nil && strings.Trim(u.Path, "/") != "" {
			separator = "-" // the path is the name of an index
		}
		env[topology.SettingSearchURL] = strings.TrimSuffix(domain, "/") + separator + strings.Trim(prefix, "-") // an index of its own
	}
	maps.Copy(env, profileEnvironment(standIn, getenv))
	return env
}

// profileEnvironment returns the URLs of the profile provider: those in the settings, else
// the stand-in's. The stand-in only speaks the format of peopledatalabs; with another
// provider it is not used, and test keys have no provider unless the settings name one.
func profileEnvironment(standIn string, getenv func(string) string) map[string]string {
	env := map[string]string{}
	if name := getenv(topology.SettingProfileProvider); name != "" && name != "peopledatalabs" {
		standIn = ""
	}
	for _, name := range []string{topology.SettingProfileURL, "PROFILE_SANDBOX_URL"} {
		if url := cmp.Or(getenv(name), standIn); url != "" {
			env[name] = url
		}
	}
	return env
}

// FunctionEnvironment returns the variables of a function as a deployment sets them, as
// "name=value", with the values of the host, and the host's AWS endpoints.
func FunctionEnvironment(host cloud.Host, function string) []string {
	f := topology.FunctionNamed(function)
	names := slices.Concat(f.Settings, []string{
		"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
		"AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_SQS", "AWS_ENDPOINT_URL_S3",
	})
	names = slices.AppendSeq(names, maps.Keys(f.Environment()))
	env := []string{topology.SettingFunction + "=" + function, topology.SettingVersion + "=test"}
	for _, name := range names {
		env = append(env, name+"="+host.Getenv(name))
	}
	return env
}
