package system

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/recruiting-marketplace/external-api/functions/crm"
	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/functions/ingest"
	"github.com/recruiting-marketplace/external-api/functions/network"
	"github.com/recruiting-marketplace/external-api/functions/platform"
	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/local/testkit/iam"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
)

// Functions are the deployed functions, each constructed as in its main: [Start] runs them, and tests call each one
// directly.
type Functions struct {
	// API is the gateway in front of HTTP, the functions by name.
	API    http.Handler
	HTTP   map[string]lambda.HTTPFunction
	Ingest lambda.SQSFunction
	Feed   lambda.SQSFunction
	Sweep  func(context.Context) error
	// Publish publishes a generation of the role catalogue. PublishCRMs publishes the CRMs that the queue's notices name.
	Publish     func(context.Context) error
	PublishCRMs lambda.SQSFunction
}

// OpenFunctions constructs the functions as [Start] does, and runs no poller.
func OpenFunctions(ctx context.Context, h cloud.Host) (f Functions, err error) {
	f.HTTP = map[string]lambda.HTTPFunction{}
	for name, open := range map[contract.Function]func(context.Context, cloud.Host) (http.Handler, error){
		contract.Platform:    platform.New,
		contract.Submissions: submissions.New,
		contract.Network:     network.New,
		contract.Roles:       roles.New,
		contract.CRM:         crm.New,
	} {
		handler, err := open(ctx, Permitted(h, string(name)))
		if err != nil {
			return f, fmt.Errorf("function %s: %w", name, err)
		}
		f.HTTP[string(name)] = lambdahttp.Handler(handler)
	}
	worker, err := ingest.New(ctx, Permitted(h, topology.Ingest.Name))
	if err != nil {
		return f, fmt.Errorf("function ingest: %w", err)
	}
	sweeper, err := sweep.New(ctx, Permitted(h, topology.Sweep.Name))
	if err != nil {
		return f, fmt.Errorf("function sweep: %w", err)
	}
	feeder, err := feed.New(ctx, Permitted(h, topology.Feed.Name))
	if err != nil {
		return f, fmt.Errorf("function feed: %w", err)
	}
	indexes, err := publisher.New(ctx, Permitted(h, topology.Publisher.Name))
	if err != nil {
		return f, fmt.Errorf("function publisher: %w", err)
	}
	f.Publish = func(ctx context.Context) error { _, err := indexes.Publish(ctx); return err }
	f.Ingest = worker.Handle
	f.Feed = feeder.Handle
	f.PublishCRMs = indexes.PublishNoticed
	f.Sweep = func(ctx context.Context) error { _, err := sweeper.Handle(ctx); return err }
	f.API, err = newGateway(h, f.HTTP)
	return f, err
}

// Permitted returns the host limited to the function's grants, with the one setting
// that differs between functions.
func Permitted(h cloud.Host, function string) cloud.Host {
	getenv := h.Getenv
	h.Getenv = func(name string) string {
		if name == topology.SettingFunction {
			return function
		}
		return getenv(name)
	}
	return iam.RestrictHost(h, topology.FunctionNamed(function))
}

// newGateway returns the API gateway: like the deployment it sends the rows of the route
// table to their functions and everything else to platform.
func newGateway(h cloud.Host, functions map[string]lambda.HTTPFunction) (http.Handler, error) {
	routes := []lambda.Route{{Path: "$default", Function: string(contract.Platform)}}
	for _, r := range contract.Routes {
		routes = append(routes, lambda.Route{Method: r.Method, Path: contract.BasePath + r.Path, Function: string(r.Function)})
	}
	o := h.Opener()
	budget := o.Duration("REQUEST_TIMEOUT", gateway.DefaultBudget)
	if err := o.Err(); err != nil {
		return nil, err
	}
	return lambda.NewGateway(lambda.GatewayConfig{
		Timeout: max(lambda.MaxWait, budget+time.Second),
		Routes:  routes, Functions: functions, Now: h.Now, NewID: func() string { return h.NewID().String() },
		Failed: func(function string, err error) {
			h.Log.Error("an invocation failed", "function", function, "error", err)
		},
	})
}

// maxWakeUpsAhead bounds the wake-up messages, of about 1 KB each, that are received before their turn. An
// agency with more wake-up messages than that delays those of the others.
const maxWakeUpsAhead = 50_000

const defaultWorkers = 4

func (s *System) startWorkers(f Functions, o Options) error {
	opener := s.Host.Opener()
	every := opener.Duration("SWEEP_EVERY", topology.Sweep.Every)
	if err := opener.Err(); err != nil {
		return err
	}
	failed := func(worker string) func(error) {
		return func(err error) { s.Host.Log.Warn("an invocation failed", "function", worker, "error", err) }
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	s.stop = append(s.stop, func() { cancel(); running.Wait() })
	schedule := func(w topology.Function, every time.Duration, function func(context.Context) error) {
		loop := &lambda.Schedule{Every: every, Function: function, Timeout: w.Timeout, Grace: time.Second, Failed: failed(w.Name)}
		running.Go(func() { loop.Run(ctx) })
	}
	poll := func(q topology.Queue, function lambda.SQSFunction, workers, ahead, perBacklog int) {
		loop := &lambda.Poller{
			Client: sqs.NewFromConfig(s.aws), QueueURL: s.Environment[q.Env],
			Function: function, BatchSize: q.BatchSize, Concurrency: workers,
			Timeout: s.timeout, Visibility: s.timeout + 5*time.Second, // a little longer than an invocation takes
			Ahead: ahead, PerBacklog: perBacklog, Grace: time.Second, Failed: failed(q.Name),
		}
		running.Go(func() { loop.Run(ctx) })
	}
	schedule(topology.Publisher, topology.Publisher.Every, f.Publish)
	schedule(topology.Sweep, every, f.Sweep)
	poll(topology.FeedQueue, f.Feed, defaultWorkers, 0, 0)
	poll(topology.CRMIndexQueue, f.PublishCRMs, defaultWorkers, 0, 0)
	if !o.WithoutIngest {
		perBacklog := 0
		if o.Workers == 0 { // while one agency has a backlog, half of the processors are left for requests
			perBacklog = max(1, runtime.NumCPU()/2)
		}
		poll(topology.IngestQueue, f.Ingest, cmp.Or(o.Workers, defaultWorkers), maxWakeUpsAhead, perBacklog)
	}
	return nil
}
