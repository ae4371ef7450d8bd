// Package idempotency lets a client retry a request safely: an Idempotency-Key is
// claimed by one attempt at a time and bound to one request, and the stored answer is
// replayed for 24 hours.
//
// A claim is a lease. An attempt that succeeds stores its answer; one that is refused
// releases the key; after one that fails or dies, the next attempt continues with the
// same reference (a batch id), so there is never a second batch. The package does not
// know what the reference means.
package idempotency

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// ReplayPeriod is how long a stored answer is replayed; Lease is how long an attempt
// may take before another one may continue in its place.
const (
	ReplayPeriod = 24 * time.Hour
	Lease        = 60 * time.Second
)

// retryWait is the Retry-After of a conflict with an attempt that may be running: most end
// within a second or two.
const retryWait = time.Second

// Request is what a key is claimed for. [NewRequest] returns one.
type Request struct {
	admitted         tenant.Admission
	key, fingerprint string
}

// NewRequest returns the request of the tenant that may write, by whom the key is scoped. key is the
// header's value, and fingerprint hashes method, path and body.
func NewRequest(admitted tenant.Admission, key, fingerprint string) Request {
	return Request{admitted, key, fingerprint}
}

// Attempt is one try at a request. The zero value is an attempt without a key:
// nothing is stored for it.
type Attempt struct {
	// Tenant is the one that was admitted; only an attempt that has one may write.
	Tenant tenant.ID
	// Ref is the reference of the first attempt: the same for every one.
	Ref string
	// Started is when the first attempt came, at millisecond precision.
	Started time.Time
	// Answer is the stored answer; unless it is nil there is nothing left to do.
	Answer []byte

	id, nonce string
}

type claim struct {
	ID          string `dynamo:"pk"`
	Kind        string `dynamo:"sk"`
	Fingerprint string `dynamo:"fp"`
	Nonce       string `dynamo:"nonce"`
	Ref         string `dynamo:"ref"`
	Started     int64  `dynamo:"started"`
	Lease       int64  `dynamo:"lease"`
	Answer      []byte `dynamo:"answer,omitempty"`
	TTL         int64  `dynamo:"ttl"`
}

const abandonedNonce = "-"

// Store keeps claims in the submissions table.
type Store struct{ table dynamo.Table }

// NewStore returns a store in the submissions table.
func NewStore(table dynamo.Table) *Store { return &Store{table} }

// Begin claims the key (a request without one is an attempt that stores nothing), or
// returns the answer that an earlier attempt stored. nonce names this attempt alone;
// ref is used if the attempt is the first. Conflicts are fault.Conflict
// errors: the key belongs to another request, or its attempt is still running.
// After any other error the claim may exist: Abandon the attempt that is returned
// with it.
func (s *Store) Begin(ctx context.Context, r Request, ref, nonce string, now time.Time) (a Attempt, err error) {
	defer fault.Wrap(&err, "idempotency.Begin(ref)")

	t := r.admitted.Tenant()
	if r.key == "" {
		return Attempt{Tenant: t, Ref: ref, Started: now.UTC().Truncate(time.Millisecond)}, nil
	}
	mine := claim{
		Fingerprint: r.fingerprint, Nonce: nonce, Ref: ref, Started: now.UnixMilli(), Lease: now.Add(Lease).UnixMilli(),
		TTL: now.Add(ReplayPeriod + time.Second - time.Nanosecond).Unix(), // in whole seconds, none too early
	}
	mine.ID, mine.Kind = itemkey.Claim.Key(string(t), fmt.Sprintf("%x", sha256.Sum256([]byte(r.key))))
	err = s.table.Put(mine).
		If("attribute_not_exists(pk) OR started <= ?", now.Add(-ReplayPeriod).UnixMilli()).
		IncludeItemInCondCheckFail(true).Run(ctx)
	var held claim
	isClaimed, err := dynamo.UnmarshalItemFromCondCheckFailed(err, &held)
	if isClaimed && err == nil {
		a, err = s.resolveClaim(ctx, held, mine, now)
	} else {
		a = mine.toAttempt()
	}
	a.Tenant = t
	return a, err
}

// resolveClaim returns the attempt that may use a key that is already claimed, or a conflict.
func (s *Store) resolveClaim(ctx context.Context, held, mine claim, now time.Time) (Attempt, error) {
	switch {
	case held.Fingerprint != mine.Fingerprint:
		return Attempt{}, fault.New(fault.Conflict, contract.IdempotencyKeyReused,
			"This Idempotency-Key was used with another request in the last 24 hours. Use a new key, or send the same bytes again.")
	case held.Answer != nil || held.Nonce == mine.Nonce: // or we hold it: a write of ours was repeated
		return held.toAttempt(), nil
	case held.Lease > now.UnixMilli():
		// An attempt that is older than a function may run has died: the next one begins when its lease ends.
		left := time.UnixMilli(held.Lease).Sub(now)
		if left > Lease-topology.HTTPTimeout {
			left = retryWait
		}
		return Attempt{}, inProgressError(left)
	}
	err := s.updateClaim(held.ID).
		Set("nonce", mine.Nonce).Set("lease", mine.Lease).
		If("(nonce = ? AND attribute_not_exists(answer)) OR nonce = ?", held.Nonce, mine.Nonce).Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return Attempt{}, inProgressError(retryWait)
	}
	held.Nonce = mine.Nonce
	return held.toAttempt(), err
}

// Complete stores the answer, which must be final: it is replayed from now on, and nothing
// removes it before the window ends. An attempt that was taken over stores nothing: the
// other attempt does.
func (s *Store) Complete(ctx context.Context, a Attempt, answer []byte) (err error) {
	defer fault.Wrap(&err, "idempotency.Complete(ref)")

	return a.write(ctx, s.updateClaim(a.id).Set("answer", answer).If("nonce = ?", a.nonce).Run)
}

// Abandon ends the lease, so that a retry continues at once with the same
// reference. If this attempt's answer is still being written, it is not stored any more;
// a stored one stays.
func (s *Store) Abandon(ctx context.Context, a Attempt) (err error) {
	defer fault.Wrap(&err, "idempotency.Abandon(ref)")

	abandoned := s.updateClaim(a.id).Set("nonce", abandonedNonce).Set("lease", 0)
	return a.write(ctx, abandoned.If("nonce = ? AND attribute_not_exists(answer)", a.nonce).Run)
}

// Release deletes the claim, so that a corrected request may use it.
func (s *Store) Release(ctx context.Context, a Attempt) (err error) {
	defer fault.Wrap(&err, "idempotency.Release(ref)")

	return a.write(ctx, s.table.Delete(topology.PK, a.id).Range(topology.SK, itemkey.Claim.SK()).If("nonce = ?", a.nonce).Run)
}

func (s *Store) updateClaim(id string) *dynamo.Update {
	return s.table.Update(topology.PK, id).Range(topology.SK, itemkey.Claim.SK())
}

// write runs a write that only the current attempt may do. A lost claim is not an error.
func (a Attempt) write(ctx context.Context, run func(context.Context) error) error {
	if a.id == "" {
		return nil
	}
	return cloud.IgnoreCondition(run(ctx))
}

func (c claim) toAttempt() Attempt {
	return Attempt{Ref: c.Ref, Started: time.UnixMilli(c.Started).UTC(), Answer: c.Answer, id: c.ID, nonce: c.Nonce}
}

func inProgressError(wait time.Duration) error {
	e := fault.New(fault.Conflict, contract.IdempotencyInProgress,
		"A request with this Idempotency-Key is still running. Retry after the time in Retry-After.")
	e.RetryAfter = wait
	return e
}
