package lambda

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// RuntimeOptions configure the program that a [Runtime] runs.
type RuntimeOptions struct {
	// Binary is the function's program, as it is deployed, Args are its arguments.
	Binary string
	Args   []string
	// Env is its whole environment, as "name=value", except for Lambda's additions.
	Env []string
	// Log receives what the program writes; nil drops it.
	Log io.Writer
	// Timeout ends an invocation, and the process with it, counted from when the process
	// has received the event. 0 means 30 s.
	Timeout time.Duration
	// NewID returns the id of an invocation.
	NewID func() string
}

// Runtime runs a function's program as a process and serves Lambda's runtime API to it,
// one invocation at a time, like one instance of a function. The process runs until
// [Runtime.Stop].
type Runtime struct {
	options RuntimeOptions
	server  *http.Server
	process *exec.Cmd
	// next passes an invocation to the process, inFlight is the one that it works on.
	next     chan *invocation
	inFlight atomic.Pointer[invocation]
	// ready is closed when the process asks for its first event.
	ready chan struct{}
	asked sync.Once
	// exited is closed when the process has ended; exit then holds its result.
	exited chan struct{}
	exit   error
}

type invocation struct {
	id     string
	event  []byte
	answer chan answer
}

type answer struct {
	body []byte
	err  error
}

// ErrExited reports that the process ended before it returned a result.
var ErrExited = errors.New("the function's process ended")

// StartRuntime starts the process and returns without waiting for its first request.
func StartRuntime(o RuntimeOptions) (*Runtime, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	o.Timeout = cmp.Or(o.Timeout, MaxWait)
	r := &Runtime{options: o, next: make(chan *invocation), ready: make(chan struct{}), exited: make(chan struct{})}
	r.server = &http.Server{Handler: r.runtimeAPI(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = r.server.Serve(listener) }()
	r.process = exec.Command(o.Binary, o.Args...)
	r.process.Env = append([]string{"AWS_LAMBDA_RUNTIME_API=" + listener.Addr().String(), "_HANDLER=bootstrap"}, o.Env...)
	r.process.Stdout = o.Log
	r.process.Stderr = o.Log
	if err := r.process.Start(); err != nil {
		return nil, errors.Join(err, r.server.Close())
	}
	go func() {
		r.exit = r.process.Wait()
		close(r.exited)
	}()
	return r, nil
}

// AwaitReady returns when the process has asked for its first event. The error is [ErrExited] or that
// of ctx.
func (r *Runtime) AwaitReady(ctx context.Context) error {
	select {
	case <-r.ready:
		return nil
	case <-r.exited:
		return fmt.Errorf("%w: %v", ErrExited, r.exit)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Invoke passes an event to the process, once it asks for one, and returns the result.
// The error is the function's, [ErrExited], or that of ctx or the time-out. If either
// ended an invocation, the process has been killed, as an instance would be.
func (r *Runtime) Invoke(ctx context.Context, event []byte) ([]byte, error) {
	i := &invocation{id: r.options.NewID(), event: event, answer: make(chan answer, 1)}
	select {
	case r.next <- i:
	case <-r.exited:
		return nil, fmt.Errorf("%w: %v", ErrExited, r.exit)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, r.options.Timeout)
	defer cancel()
	select {
	case a := <-i.answer:
		return a.body, a.err
	case <-r.exited:
		return nil, fmt.Errorf("%w: %v", ErrExited, r.exit)
	case <-ctx.Done():
		r.Stop()
		return nil, ctx.Err()
	}
}

// Stop kills the process and waits until it has ended.
func (r *Runtime) Stop() {
	_ = r.process.Process.Kill()
	<-r.exited
	_ = r.server.Close()
}

func (r *Runtime) runtimeAPI() http.Handler {
	const base = "/2018-06-01/runtime/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+base+"invocation/next", r.serveNextInvocation)
	mux.HandleFunc("POST "+base+"invocation/{id}/response", r.acceptAnswer)
	mux.HandleFunc("POST "+base+"invocation/{id}/error", r.acceptAnswer)
	mux.HandleFunc("POST "+base+"init/error", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
	return mux
}

func (r *Runtime) serveNextInvocation(w http.ResponseWriter, q *http.Request) {
	r.asked.Do(func() { close(r.ready) })
	select {
	case i := <-r.next:
		r.inFlight.Store(i)
		h := w.Header()
		h.Set("Lambda-Runtime-Aws-Request-Id", i.id)
		h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(r.options.Timeout).UnixMilli(), 10))
		h.Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:000000000000:function:local")
		_, _ = w.Write(i.event)
	case <-q.Context().Done():
	}
}

func (r *Runtime) acceptAnswer(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	i := r.inFlight.Load()
	if err != nil || i == nil || i.id != q.PathValue("id") {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	a := answer{body: body}
	if path.Base(q.URL.Path) == "error" {
		a = answer{err: fmt.Errorf("the function failed: %s", body)} // its own text
	}
	select {
	case i.answer <- a:
	default: // a second answer changes nothing
	}
}
