package cloud

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	smithy "github.com/aws/smithy-go"
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
