package cloud

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/smithy-go/middleware"
)

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
	return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc("Breaker", guardAttempt), "ResolveAuthScheme", middleware.Before)
}

// callAttempts is a call with the number of its attempts so far, which are made one after the other.
type callAttempts struct {
	attempts int
	// input is the operation's input, of which the steps around attempts see only the encoded form.
	input any
	// reads reports whether the call changes nothing.
	reads   bool
	breaker *breaker
	now     func() time.Time
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
// bucket into the SDK's error, which names the operation only.
func (a *attempts) beginCall(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	names := resourceNames(in.Parameters)
	call := &callAttempts{
		input: in.Parameters, reads: isRead(middleware.GetOperationName(ctx)), now: a.now,
		breaker: a.breakerOf(cmp.Or(names, middleware.GetServiceID(ctx))),
	}
	out, meta, err := next.HandleInitialize(middleware.WithStackValue(ctx, callKey{}, call), in)
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

func guardAttempt(
	ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler,
) (out middleware.FinalizeOutput, meta middleware.Metadata, err error) {
	call := callOf(ctx)
	call.attempts++
	probe, err := call.breaker.admit(call.now())
	if err != nil {
		return out, meta, err
	}
	result := unknown // of a panic
	defer func() { call.breaker.note(call.now(), probe, result) }()
	out, meta, err = next.HandleFinalize(ctx, in)
	result = judgeAttempt(ctx, err)
	return out, meta, err
}
