package cloud

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithy "github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

const (
	// maxFailures is the number of consecutive failures that open a breaker.
	maxFailures = 5
	// minPause and maxPause bound the time for which a breaker is open. It is random, because the
	// breakers of many processes open at the same moment.
	minPause = 2 * time.Second
	maxPause = 4 * time.Second
	// retryAfter is the time that a caller is asked to wait.
	retryAfter = 5 * time.Second
)

// breaker counts the consecutive failures of one dependency: a bucket, a queue, a table, or the tables
// of one transaction. While it is open, no attempt is sent. Then one is, the probe, and its outcome
// decides.
type breaker struct {
	name string

	mu        sync.Mutex
	failures  int
	openUntil time.Time
	probing   bool
}

// errOpen is the cause of a refusal by a breaker.
var errOpen = errors.New("it failed several times in a row and is not asked for a while")

// admit returns an error if no attempt may be sent now. probe reports whether the attempt is the
// probe.
func (b *breaker) admit(now time.Time) (probe bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.refusal(now); err != nil {
		return false, err
	}
	b.probing = b.failures >= maxFailures
	return b.probing, nil
}

// check is admit for a caller who makes no attempt yet.
func (b *breaker) check(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refusal(now)
}

// refusal returns the error for a caller who may not attempt anything now. b.mu is held.
func (b *breaker) refusal(now time.Time) error {
	isDueForProbe := !b.probing && !now.Before(b.openUntil)
	if b.failures < maxFailures || isDueForProbe {
		return nil
	}
	return fault.Refusal(retryAfter, fmt.Errorf("%s: %w", b.name, errOpen))
}

// note counts the outcome of an attempt that was admitted.
func (b *breaker) note(now time.Time, probe bool, o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if probe {
		b.probing = false
	}
	switch o {
	case responded:
		b.failures = 0
	case failed:
		b.failures++
		if b.failures >= maxFailures && !now.Before(b.openUntil) {
			b.openUntil = now.Add(minPause + rand.N(maxPause-minPause))
		}
	}
}

// outcome is what an attempt shows of its dependency.
type outcome int

const (
	unknown   outcome = iota // nothing, for example because the caller has gone
	responded                // it works: it did what was asked, or refused it
	failed                   // it failed, cannot be reached or does not respond
)

// judgeAttempt returns what the result of an attempt shows. Conflicts, failed conditions, invalid
// requests and exceeded rates are responses: one tenant can cause them.
func judgeAttempt(ctx context.Context, err error) outcome {
	var response *smithyhttp.ResponseError
	var unsent *smithyhttp.RequestSendError
	var refusal smithy.APIError
	switch {
	case err == nil:
		return responded
	case ctx.Err() != nil:
		return unknown
	case errors.As(err, &unsent):
		return failed
	case errors.As(err, &response) && response.HTTPStatusCode() >= http.StatusInternalServerError && !isThrottled(err):
		return failed
	case response != nil, errors.As(err, &refusal):
		return responded
	}
	return unknown
}

// attempts guards the attempts of the calls of all clients by a breaker for each dependency.
type attempts struct {
	now      func() time.Time
	breakers sync.Map // of *breaker, by the name of the dependency
}

// addTo adds the steps to a client: one around each call, and one around each of its attempts, inside
// the SDK's retries.
func (a *attempts) addTo(stack *middleware.Stack) error {
	if err := stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Call", a.beginCall), middleware.Before); err != nil {
		return err
	}
	return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc("Breaker", a.guardAttempt), "ResolveAuthScheme", middleware.Before)
}

// callAttempts is a call with the number of its attempts so far, which are made one after the other.
type callAttempts struct {
	attempts int
	// input is the operation's input, of which the steps around attempts see only the encoded form.
	input any
	// reads reports whether the call changes nothing.
	reads   bool
	breaker *breaker
}

type callKey struct{}

// callOf returns the call of a context; an empty one outside of calls.
func callOf(ctx context.Context) *callAttempts {
	if call, ok := middleware.GetStackValue(ctx, callKey{}).(*callAttempts); ok {
		return call
	}
	return &callAttempts{}
}

// beginCall passes the call on to its attempts. It puts the names of a failed operation's tables, queue or
// bucket into the SDK's error, which names the operation only. In a metered context it asks DynamoDB what the call
// costs.
func (a *attempts) beginCall(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	names := resourceNames(in.Parameters)
	call := &callAttempts{
		input: in.Parameters, reads: isRead(middleware.GetOperationName(ctx)),
		breaker: a.breakerOf(cmp.Or(names, middleware.GetServiceID(ctx))),
	}
	m, metered := ctx.Value(meterKey{}).(*meter)
	if asked := fieldOf(in.Parameters, "ReturnConsumedCapacity"); metered && asked.IsValid() {
		asked.Set(reflect.ValueOf(types.ReturnConsumedCapacityTotal))
	}
	out, meta, err := next.HandleInitialize(middleware.WithStackValue(ctx, callKey{}, call), in)
	if metered {
		m.count(out.Result, call.reads)
	}
	if err != nil && names != "" {
		err = fmt.Errorf("%s: %w", names, err)
	}
	return out, meta, err
}

func (a *attempts) breakerOf(name string) *breaker {
	b, _ := a.breakers.LoadOrStore(name, &breaker{name: name})
	return b.(*breaker)
}

// CheckQueue returns a refusal while the queue with this URL fails and is not asked, and nil otherwise. It
// makes no call.
func (h Host) CheckQueue(url string) error {
	if h.calls == nil {
		return nil
	}
	return h.calls.breakerOf(queueName(url)).check(h.calls.now())
}

// isRead reports whether an operation changes nothing, by the API's name.
func isRead(operation string) bool {
	verbs := []string{"Get", "Query", "BatchGet", "TransactGet", "Scan", "Head", "List", "Describe"}
	return slices.ContainsFunc(verbs, func(verb string) bool { return strings.HasPrefix(operation, verb) })
}

func (a *attempts) guardAttempt(
	ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler,
) (out middleware.FinalizeOutput, meta middleware.Metadata, err error) {
	call := callOf(ctx)
	call.attempts++
	probe, err := call.breaker.admit(a.now())
	if err != nil {
		return out, meta, err
	}
	result := unknown // of a panic
	defer func() { call.breaker.note(a.now(), probe, result) }()
	out, meta, err = next.HandleFinalize(ctx, in)
	result = judgeAttempt(ctx, err)
	return out, meta, err
}
