package system_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// faultSystem is a system whose calls can be made to fail. Its cases run one after the other, and
// each has its own persons, roles and accounts.
type faultSystem struct {
	*manualSystem
	injector *callInjector
	// key is of environment test, liveKey of environment live.
	key, inFlightKey string
	keys             *keys.Service
	indexes          *publisher.Service
	// stored is the state after the earlier cases.
	stored storedState
	cases  int
}

func newFaultSystem(t *testing.T) *faultSystem {
	t.Helper()
	f := &faultSystem{injector: &callInjector{over: make(chan struct{})}}
	server := httptest.NewServer(f.injector.serveProvider(&provider.StandIn{}))
	t.Cleanup(server.Close)
	f.manualSystem = newClosedSystem(t, map[string]string{"PROFILE_SANDBOX_URL": server.URL, topology.SettingProfileKey: "local", "INGEST_LEASE_GRACE": "1s"})
	f.Host.Log = slog.New(slog.DiscardHandler)
	f.injector.now = f.now
	retryer := f.Host.AWS.Retryer
	f.Host.AWS.Retryer = func() aws.Retryer { return timelessRetryer{retryer().(aws.RetryerV2), f.advanceClock} }
	f.startProcess()
	f.key = f.newAgencyKey()
	f.inFlightKey = f.newLiveKey()
	f.stored = f.readStoredState()
	return f
}

// timelessRetryer moves the system's clock instead of waiting.
type timelessRetryer struct {
	aws.RetryerV2
	advanceClock func(time.Duration)
}

// RetryDelay moves the clock by the delay instead of waiting for it.
func (r timelessRetryer) RetryDelay(attempt int, cause error) (time.Duration, error) {
	delay, err := r.RetryerV2.RetryDelay(attempt, cause)
	r.advanceClock(delay)
	return 0, err
}

// startProcess opens the functions as a new process, without the memory of the previous one.
func (f *faultSystem) startProcess() {
	f.t.Helper()
	f.injector.revive()
	host := f.hookedHost(f.injector.Hook)
	f.Functions = openFunctions(f.t, host)
	for name, function := range f.HTTP {
		f.HTTP[name] = func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			return function(f.injector.withBudget(ctx), e)
		}
	}
	var err error
	f.keys, err = keys.New(f.t.Context(), system.Permitted(host, "keys"))
	must(f.t, err)
	f.indexes, err = publisher.New(f.t.Context(), system.Permitted(host, topology.Publisher.Name))
	must(f.t, err)
}

// faultCase is one run of an operation with a fault in one of its calls.
type faultCase struct {
	*faultSystem
	// tag is part of all names and ids of the case.
	tag string
	// key is the caller's.
	key string
	// lastsLong is set if the fault may use up an item's attempts.
	lastsLong bool
	// submits is set if the sweeper may have work during the case, disposes if only at its
	// end.
	submits, disposes bool
	// erases is set if the operation may end submissions, or they may succeed before it.
	erases bool
	// refuses is set if the operation ends with a dead letter.
	refuses bool
	// atEnd, if not nil, checks the result when the operation is complete.
	atEnd func()
	// answers are the successful responses that the caller received, by Idempotency-Key.
	answers map[string]string
	// defects holds the defects found at the end of the case.
	defects []defect
}

// defect is an error in the final stored state or in a response.
type defect struct {
	kind defectKind
	text string
}

type defectKind int

const (
	lost   defectKind = iota // something acknowledged is missing or failed
	twice                    // something was done twice, or a response or an ended row changed
	stuck                    // something never ended
	orphan                   // an object that no item refers to
	defectKinds
)

func (c *faultCase) reportDefect(kind defectKind, format string, args ...any) {
	c.defects = append(c.defects, defect{kind, fmt.Sprintf(format, args...)})
}

// invocationContext returns the context of an invocation, with a deadline far away in real time.
func (c *faultCase) invocationContext() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(c.t.Context(), 2*time.Minute)
	return c.injector.withBudget(ctx), cancel
}

var (
	errDied = errors.New("the process died")
	errOpen = errors.New("the operation is not complete")
)

// send sends a request like a caller who tries up to four times. idempotencyKey may be empty; with
// one, every successful response must be the same.
func (c *faultCase) send(method, path string, body []byte, idempotencyKey string) (answer string, err error) {
	for range 4 {
		r := httptest.NewRequestWithContext(c.t.Context(), method, contract.BasePath+path, strings.NewReader(string(body)))
		r.Header.Set("Authorization", "Bearer "+c.key)
		r.Header.Set("Content-Type", "application/json")
		if idempotencyKey != "" {
			r.Header.Set("Idempotency-Key", idempotencyKey)
		}
		w := httptest.NewRecorder()
		c.API.ServeHTTP(w, r)
		if c.injector.isDead() {
			return "", errDied
		}
		answer = w.Body.String()
		if w.Code == http.StatusOK {
			c.checkReplay(idempotencyKey, answer)
			return answer, nil
		}
		err = fmt.Errorf("%s %s: %d %s", method, path, w.Code, answer)
		if w.Code < 500 && w.Code != http.StatusTooManyRequests && w.Code != http.StatusConflict {
			return answer, err
		}
		seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
		c.advanceClock(max(time.Duration(seconds)*time.Second, 500*time.Millisecond))
	}
	return answer, err
}

func (c *faultCase) checkReplay(idempotencyKey, answer string) {
	before, known := c.answers[idempotencyKey]
	if known && idempotencyKey != "" && before != answer {
		c.reportDefect(twice, "the replay is %s; the first response was %s", answer, before)
	}
	c.answers[idempotencyKey] = answer
}

// invokeKeys invokes the administration of keys.
func (c *faultCase) invokeKeys(request keys.Request) (keys.Response, error) {
	payload, err := json.Marshal(request)
	must(c.t, err)
	ctx, cancel := c.invocationContext()
	defer cancel()
	response, err := c.keys.Invoke(ctx, payload)
	if c.injector.isDead() {
		return keys.Response{}, errDied
	}
	if response.Error != nil {
		return response, fmt.Errorf("%s: %s", request.Action, response.Error.Message)
	}
	return response, err
}

// sweepOnce invokes the sweeper.
func (c *faultCase) sweepOnce() error {
	ctx, cancel := c.invocationContext()
	defer cancel()
	return c.Sweep(ctx)
}

// sweepDue invokes the sweeper if it has work. Without any it would only read its shards, which are more calls
// than all others of a case.
func (c *faultCase) sweepDue() error {
	if !c.hasDueItems() {
		return nil
	}
	return c.sweepOnce()
}

// consumeQueue delivers the messages of a queue once. Failed ones return to the queue.
func (c *faultCase) consumeQueue(q topology.Queue, function lambda.SQSFunction) error {
	var failed error
	for _, message := range c.takeMessagesOf(q) {
		if err := c.deliverTo(function, message); err != nil {
			c.returnMessage(q, message)
			failed = err
		}
	}
	return failed
}

// deliverTo invokes a worker with one message.
func (c *faultCase) deliverTo(function lambda.SQSFunction, message string) error {
	ctx, cancel := c.invocationContext()
	defer cancel()
	out, err := function(ctx, events.SQSEvent{Records: []events.SQSMessage{{
		MessageId: uuid.NewString(), Body: message, Attributes: map[string]string{"ApproximateReceiveCount": "2"},
	}}})
	switch {
	case err != nil:
		return err
	case c.injector.isDead():
		return errDied
	case len(out.BatchItemFailures) > 0:
		return errOpen
	}
	return nil
}

// maxRounds bounds the recovery of a case to an hour of its clock.
const maxRounds = 30

// recoverOperation does everything that completes an operation after a fault: it starts a new
// process, runs the sweeper, delivers the queues and repeats the caller's request.
func (c *faultCase) recoverOperation(run func() error) {
	var err error
	for round := range maxRounds {
		if round == 1 {
			c.injector.endOutage()
		}
		if c.injector.isDead() {
			c.startProcess()
		}
		c.advanceClock(2 * time.Minute)
		err = nil
		if c.submits {
			err = c.sweepDue()
		}
		err = errors.Join(err,
			c.consumeQueue(topology.IngestQueue, c.Ingest), c.consumeQueue(topology.FeedQueue, c.Feed), c.consumeQueue(topology.CRMIndexQueue, c.PublishCRMs),
			run())
		if err == nil && round > 0 {
			return
		}
	}
	c.reportDefect(stuck, "not complete after %d rounds: %v", maxRounds, err)
}

// runCase runs an operation, with a fault in one of its calls if fault is not nil. It returns the
// case with its defects, the calls, and what was stored. c is nil if the target was not called.
func (f *faultSystem) runCase(op operation, target numberedCall, fault *callFault) (c *faultCase, calls []numberedCall, state storedState) {
	f.t.Helper()
	f.cases++
	c = &faultCase{faultSystem: f, key: f.key, tag: fmt.Sprintf("q%03dq", f.cases), answers: map[string]string{}}
	c.lastsLong = fault != nil && fault.onLater != nil
	f.injector.arm(numberedCall{}, nil)
	run := op.start(c)
	refused := len(f.refused)
	f.injector.arm(target, fault)
	_ = run()
	calls = f.injector.disarm()
	if fault != nil && !f.injector.wasReached() {
		return nil, calls, nil
	}
	c.recoverOperation(run)
	if c.submits || c.disposes {
		must(f.t, c.sweepDue())
		c.advanceClock(20 * time.Minute)
		must(f.t, c.sweepDue())
	}
	if c.atEnd != nil {
		c.atEnd()
	}
	if dead := f.refused[refused:]; (len(dead) > 0) != c.refuses {
		c.reportDefect(lost, "the dead letters are %q", dead)
	}
	all := f.readStoredState()
	for key, row := range f.stored.endedRows() {
		if all[key] != row {
			c.reportDefect(twice, "row %v had ended as %s and is now %s", key, row, all[key])
		}
	}
	state = all.newerThan(f.stored)
	f.stored = all
	return c, calls, state.describeCase(c)
}

// operation is an operation that writes. start prepares a case and returns run, which does what the
// caller does and returns nil once the operation is complete. A caller that got no successful
// response calls run again.
type operation struct {
	name  string
	start func(c *faultCase) (run func() error)
}
