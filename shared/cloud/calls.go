package cloud

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithy "github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
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
	return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc("Breaker", a.guardAttempt), "ResolveAuthScheme", middleware.Before)
}

// callAttempts is a call with the number of its attempts so far, which are made one after the other.
type callAttempts struct {
	attempts int
	// input is the operation's input, of which the steps around attempts see only the encoded form.
	input   any
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
	operation := middleware.GetOperationName(ctx)
	call := &callAttempts{
		input:   in.Parameters,
		reads:   slices.ContainsFunc(readVerbs, func(verb string) bool { return strings.HasPrefix(operation, verb) }),
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

// readVerbs begin the names of the operations that change nothing.
var readVerbs = []string{"Get", "Query", "BatchGet", "TransactGet", "Scan", "Head", "List", "Describe"}

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

// Call names one attempt of an AWS call to a Hook.
type Call struct {
	// Service is the SDK's name of the service: "DynamoDB", "SQS" or "S3".
	Service string
	// Operation is the API's name of the call, as "UpdateItem".
	Operation string
	// Input is the operation's input, as *dynamodb.UpdateItemInput. It is read only.
	Input any
}

// Hook wraps one attempt of an AWS call, inside the SDK's retries. It decides the fate of the attempt:
//
//	return send()                                // observe or count it
//	wait(); return send()                        // delay it
//	return err                                   // fail it before it was sent
//	send(); return err                           // let it happen and lose the answer
//	send(); return send()                        // let it happen twice
//
// The SDK retries an error that has a method RetryableError() bool returning true (and the network's errors);
// any other ends the call. A hook is called by several goroutines at once.
type Hook func(ctx context.Context, call Call, send func() error) error

// WithHook returns cfg with the hook around every attempt of every client made from it. The first hook is the
// outermost. Budgets and faults are tested with it; a deployment has none.
func WithHook(cfg aws.Config, hook Hook) aws.Config {
	cfg.APIOptions = append(slices.Clone(cfg.APIOptions), func(stack *middleware.Stack) error {
		id := fmt.Sprintf("Hook%d", len(stack.Finalize.List())) // unique within a stack
		return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc(id, hook.aroundAttempt), "ResolveAuthScheme", middleware.Before)
	})
	return cfg
}

// aroundAttempt runs the hook; each send is a fresh copy of the request, since sending consumes one.
func (h Hook) aroundAttempt(
	ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler,
) (out middleware.FinalizeOutput, meta middleware.Metadata, err error) {
	request := in.Request.(*smithyhttp.Request)
	call := Call{
		Service:   awsmiddleware.GetServiceID(ctx),
		Operation: awsmiddleware.GetOperationName(ctx),
		Input:     callOf(ctx).input,
	}
	err = h(ctx, call, func() error {
		err := request.RewindStream()
		if err == nil {
			out, meta, err = next.HandleFinalize(ctx, middleware.FinalizeInput{Request: request.Clone()})
		}
		return err
	})
	return out, meta, err
}

// resourceNames returns what an operation reads or writes, as "table accounts+network" or "queue feed";
// "" if its input names nothing. Keys are left out: they can name a person.
func resourceNames(input any) string {
	var tables []string // of an operation on many items
	if requests := fieldOf(input, "RequestItems"); requests.IsValid() {
		for _, table := range requests.MapKeys() {
			tables = append(tables, table.String())
		}
	}
	items := fieldOf(input, "TransactItems")
	for i := 0; items.IsValid() && i < items.Len(); i++ {
		for n := range items.Index(i).NumField() { // of which one is not nil: Get, Put, Update, Delete or ConditionCheck
			if part := items.Index(i).Field(n); part.Kind() == reflect.Pointer && !part.IsNil() {
				tables = append(tables, stringField(part.Interface(), "TableName"))
			}
		}
	}
	if len(tables) > 0 {
		slices.Sort(tables)
		return "table " + strings.Join(slices.Compact(tables), "+")
	}
	if table := stringField(input, "TableName"); table != "" {
		return "table " + table
	}
	if queue := stringField(input, "QueueUrl"); queue != "" {
		return queueName(queue)
	}
	if bucket := stringField(input, "Bucket"); bucket != "" {
		return "bucket " + bucket
	}
	return ""
}

func queueName(url string) string { return "queue " + path.Base(url) }

func stringField(input any, name string) string {
	field := fieldOf(input, name)
	if !field.IsValid() {
		return ""
	}
	text, _ := field.Interface().(*string)
	return aws.ToString(text)
}

// fieldOf returns a field of an operation's input or result, which is the zero Value if there is none.
// Reflection saves the imports of the clients of SQS and S3, which most functions are built without.
func fieldOf(operation any, name string) reflect.Value {
	value := reflect.Indirect(reflect.ValueOf(operation))
	if value.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return value.FieldByName(name)
}

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

// breaker counts the consecutive failures of one dependency: a bucket, a queue, a table, or the tables of one
// transaction. While it is open, no attempt is sent. Then one is, the probe, and its outcome decides.
type breaker struct {
	name string

	mu        sync.Mutex
	failures  int
	openUntil time.Time
	probing   bool
}

var errOpen = errors.New("it failed several times in a row and is not asked for a while")

// admit returns an error if no attempt may be sent now. probe reports whether the attempt is the probe.
func (b *breaker) admit(now time.Time) (probe bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.refusal(now); err != nil {
		return false, err
	}
	b.probing = b.failures >= maxFailures
	return b.probing, nil
}

// refusal returns the error for a caller who may not attempt anything now. b.mu is held.
func (b *breaker) refusal(now time.Time) error {
	isDueForProbe := !b.probing && !now.Before(b.openUntil)
	if b.failures < maxFailures || isDueForProbe {
		return nil
	}
	return fault.Refusal(retryAfter, fmt.Errorf("%s: %w", b.name, errOpen))
}

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

// CheckQueue returns a refusal while the queue with this URL fails and is not asked, and nil otherwise. It
// makes no call.
func (h Host) CheckQueue(url string) error {
	b := h.calls.breakerOf(queueName(url))
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refusal(h.calls.now())
}
