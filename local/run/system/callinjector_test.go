package system_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// numberedCall names one call of an operation: the nth of its kind, from 1. Concurrent calls of
// different kinds have no order that every run repeats.
type numberedCall struct {
	kind string // as "DynamoDB.UpdateItem"
	nth  int
}

func (c numberedCall) String() string { return fmt.Sprint(c.kind, " ", c.nth) }

// callInjector numbers the calls of an operation and applies a fault to one of them. Its
// method Hook is a [cloud.Hook]; the requests to the profile provider go through it too.
type callInjector struct {
	now func() time.Time

	mu sync.Mutex
	// made are the calls since the last arm, counts how many of each kind.
	made   []numberedCall
	counts map[string]int
	target numberedCall
	fault  *callFault
	// hitAt is when the target was reached; zero until then.
	hitAt time.Time
	// outage is true while later calls fail as well, dead after the process has died.
	outage, dead bool
	// over is closed when the time of the current invocation is over.
	over chan struct{}
}

// callFault is a way in which a call can go wrong. Its name begins with the letter of its class.
type callFault struct {
	name string
	// onTarget is called in place of the target.
	onTarget func(in *callInjector, service string, send func() error) error
	// onLater returns the error of a call after the target during the outage, or nil if that call
	// is sent.
	onLater func(in *callInjector, target, kind string) error
}

// sweptFaults are the faults of the sweep. A fault that also affects later calls may use up the
// attempts of an item, which then ends with one of honestCodes.
var sweptFaults = []callFault{
	{name: "a fails once", onTarget: func(*callInjector, string, func() error) error { return errFinal }},
	{
		name:     "b fails always",
		onTarget: func(*callInjector, string, func() error) error { return errFinal },
		onLater: func(_ *callInjector, target, kind string) error {
			if kind == target {
				return errFinal
			}
			return nil
		},
	},
	{name: "c answer lost", onTarget: func(_ *callInjector, _ string, send func() error) error { return errors.Join(errFinal, send()) }},
	{name: "d happens twice", onTarget: func(_ *callInjector, _ string, send func() error) error { _ = send(); return send() }},
	{name: "d is repeated", onTarget: func(_ *callInjector, _ string, send func() error) error { _ = send(); return cloudtest.Lost{} }},
	{name: "e never answers", onTarget: func(in *callInjector, _ string, _ func() error) error { return in.endBudget() }},
	{name: "e answers late", onTarget: func(in *callInjector, _ string, send func() error) error { _ = send(); return in.endBudget() }},
	{name: "f dies before", onTarget: func(in *callInjector, _ string, _ func() error) error { return in.endProcess() }},
	{name: "f dies after", onTarget: func(in *callInjector, _ string, send func() error) error { _ = send(); return in.endProcess() }},
	{
		name:     "g throttled",
		onTarget: func(_ *callInjector, service string, _ func() error) error { return throttledError(service) },
		onLater: func(in *callInjector, target, kind string) error {
			if serviceOf(kind) == serviceOf(target) && in.now().Before(in.hitAt.Add(time.Minute)) {
				return throttledError(serviceOf(kind))
			}
			return nil
		},
	},
}

// throttledError returns the error of a service whose rate is exceeded, after which the SDK
// repeats the request.
func throttledError(service string) error {
	switch service {
	case "DynamoDB":
		return &types.ProvisionedThroughputExceededException{}
	case "S3":
		return &smithy.GenericAPIError{Code: "SlowDown"}
	}
	return &smithy.GenericAPIError{Code: "ThrottlingException"}
}

func serviceOf(kind string) string {
	service, _, _ := strings.Cut(kind, ".")
	return service
}

// arm begins to number calls and applies the fault to the target; nil only numbers them.
func (in *callInjector) arm(target numberedCall, fault *callFault) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.made = nil
	in.counts = map[string]int{}
	in.target = target
	in.fault = fault
	in.hitAt = time.Time{}
	in.outage = true
}

// wasReached reports whether the target was called.
func (in *callInjector) wasReached() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return !in.hitAt.IsZero()
}

// disarm returns the calls since arm, after which no further call can be the target. The outage
// lasts until endOutage.
func (in *callInjector) disarm() []numberedCall {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.target.nth = 0
	return in.made
}

func (in *callInjector) endOutage() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.outage = false
}

// isDead reports whether the process has died; revive starts another.
func (in *callInjector) isDead() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.dead
}

func (in *callInjector) revive() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.dead = false
}

func (in *callInjector) endProcess() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.dead = true
	return errFinal
}

// endBudget ends the time of the current invocation.
func (in *callInjector) endBudget() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	close(in.over)
	in.over = make(chan struct{})
	return context.DeadlineExceeded
}

// withBudget returns the context of an invocation, which endBudget ends.
func (in *callInjector) withBudget(ctx context.Context) context.Context {
	in.mu.Lock()
	defer in.mu.Unlock()
	return endingContext{ctx, in.over}
}

// endingContext is a context whose deadline passes when a channel is closed.
type endingContext struct {
	context.Context
	over <-chan struct{}
}

// Done is closed when the time is over.
func (c endingContext) Done() <-chan struct{} { return c.over }

// Err returns [context.DeadlineExceeded] when the time is over.
func (c endingContext) Err() error {
	select {
	case <-c.over:
		return context.DeadlineExceeded
	default:
		return c.Context.Err()
	}
}

// removesCounters reports whether a call removes the old counters of an API key, which the check of
// the key does once in a while.
func removesCounters(call cloud.Call) bool {
	in, ok := call.Input.(*dynamodb.UpdateItemInput)
	return ok && in.UpdateExpression != nil && (strings.HasPrefix(*in.UpdateExpression, "REMOVE r") || strings.HasPrefix(*in.UpdateExpression, "REMOVE w"))
}

// Hook is a [cloud.Hook]. It numbers no removal of counters, because a repeated case may have none.
func (in *callInjector) Hook(_ context.Context, call cloud.Call, send func() error) error {
	if removesCounters(call) && !in.isDead() {
		return send()
	}
	hit, err := in.judgeCall(call.Service + "." + call.Operation)
	switch {
	case hit:
		err = in.fault.onTarget(in, call.Service, send)
	case err == nil:
		err = send()
	}
	if in.isDead() { // the call took effect, but its process is gone
		return errFinal
	}
	return err
}

// judgeCall numbers a call. It reports whether the call is the target, or returns the error with
// which the call fails before it is sent.
func (in *callInjector) judgeCall(kind string) (hit bool, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.counts == nil {
		in.counts = map[string]int{}
	}
	in.counts[kind]++
	call := numberedCall{kind, in.counts[kind]}
	in.made = append(in.made, call)
	switch {
	case in.dead:
		return false, errFinal
	case in.fault == nil:
		return false, nil
	case call == in.target && in.hitAt.IsZero():
		in.hitAt = in.now()
		return true, nil
	case !in.hitAt.IsZero() && in.outage && in.fault.onLater != nil:
		return false, in.fault.onLater(in, in.target.kind, call.kind)
	}
	return false, nil
}

// serveProvider serves the profile provider's requests as calls that can fail.
func (in *callInjector) serveProvider(provider http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		err := in.Hook(r.Context(), cloud.Call{Service: "Provider", Operation: r.Method}, func() error {
			answer = httptest.NewRecorder()
			provider.ServeHTTP(answer, r)
			return nil
		})
		if smithyError := (*smithy.GenericAPIError)(nil); errors.As(err, &smithyError) {
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	})
}
