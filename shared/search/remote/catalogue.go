// Package remote is the role catalogue in an OpenSearch domain, for marketplaces that outgrow the
// memory of one instance: a [Catalogue] is a source of lists as package catalogue's is, and keeps the
// domain in step with the change log.
//
// It knows when the domain is asked, filled and replaced. It does not know OpenSearch's requests, which
// are package opensearch's, nor what a filter means, which is package catalogue's. Only a stage with a
// domain in its setting topology.SettingSearchURL uses it.
package remote

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Catalogue is the role catalogue in a search domain, with the changes since the domain's head, as
// [catalogue.Catalogue] has those since a base. It is a [catalogue.Source].
type Catalogue struct {
	// PartSize is the number of roles that a fill writes before it records its progress. It is set
	// before the first call.
	PartSize int

	roles     *role.Store
	snapshots *snapshot.Store
	domain    *opensearch.Index
	changes   atomic.Pointer[catalogue.Catalogue] // since the domain's head, over a base without roles
	embedded  *catalogue.Catalogue
	log       *slog.Logger

	mu       sync.Mutex
	failures int
	absent   bool
	closed   time.Time // time until which the domain is not asked
}

// Open opens the catalogue in the search domain that topology.SettingSearchURL names, or returns nil
// if it names none. The embedded catalogue serves until the domain is filled for the first time.
func Open(o *cloud.Opener, roles *role.Store, embedded *catalogue.Catalogue) *Catalogue {
	domain, err := opensearch.Open(o.Host)
	o.Note(err)
	if domain == nil {
		return nil
	}
	r := &Catalogue{
		PartSize: rolesPerPart, roles: roles, snapshots: snapshot.Open(o, catalogue.SnapshotName), domain: domain, embedded: embedded, log: o.Log,
	}
	r.changes.Store(embedded.WithoutFiles(r.head))
	return r
}

// domainError is an error of the domain, not of the tables.
type domainError struct{ error }

func (e domainError) Unwrap() error { return e.error }

// head returns the head of a base without roles. It is current up to the domain's head, because the
// domain contains everything older.
func (r *Catalogue) head(ctx context.Context) (snapshot.Head, error) {
	head, err := r.domain.Head(ctx)
	if err != nil {
		return snapshot.Head{}, domainError{err}
	}
	return snapshot.Head{Format: catalogue.Format, Generation: math.MaxInt64, Until: head.Until}, nil // no announced base is newer
}

// Current implements [catalogue.Source].
func (r *Catalogue) Current(ctx context.Context, now time.Time) (_ catalogue.Roles, err error) {
	defer fault.Wrap(&err, "remote.Current")

	r.mu.Lock()
	isPaused := now.Before(r.closed)
	r.mu.Unlock()
	if isPaused {
		return r.fallback(ctx, now)
	}
	changes := r.changes.Load()
	s, err := changes.State(ctx, now)
	if newer := r.changes.Load(); newer != changes { // a search has found an older index meanwhile
		changes = newer
		s, err = changes.State(ctx, now)
	}
	_, isOfDomain := errors.AsType[domainError](err)
	switch {
	case err == nil:
		return state{s, r, changes, now}, nil
	case !isOfDomain || ctx.Err() != nil:
		return nil, err
	}
	r.note(ctx, now, err)
	return r.fallback(ctx, now)
}

// fallback returns what serves while the domain does not. A domain that has no index yet is being
// filled for the first time: the published base serves. One that fails is replaced by the base only in
// an instance that holds it already; if all others loaded it at the same time, into memory that they
// may not have, the failure would spread. They refuse for the time of a pause.
func (r *Catalogue) fallback(ctx context.Context, now time.Time) (catalogue.Roles, error) {
	r.mu.Lock()
	isAbsent := r.absent // when it was last asked
	r.mu.Unlock()
	if isAbsent || r.embedded.IsLoaded() {
		return r.embedded.Current(ctx, now)
	}
	return nil, fault.Refusal(pause, errUnavailable)
}

var errUnavailable = errors.New("the search domain fails, and the instance holds no catalogue")

// Load implements [catalogue.Source]. There is nothing to load, because the domain holds the index.
func (r *Catalogue) Load(context.Context) error { return nil }

// The breaker: after maxFailures failures in a row, or if the domain has no index, the domain is
// not asked for the duration of pause. After that, a single further failure starts another pause.
const (
	maxFailures = 3
	pause       = 10 * time.Second
)

// FailureMessage is the message of the log line that reports a failure of the search domain.
const FailureMessage = "search domain"

// note counts a failure of the domain, or, without an error, that it works.
func (r *Catalogue) note(ctx context.Context, now time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.absent = errors.Is(err, opensearch.ErrAbsent)
	if err == nil {
		r.failures = 0
		return
	}
	r.failures++
	if r.failures >= maxFailures || r.absent {
		r.closed = now.Add(pause)
	}
	r.log.LogAttrs(ctx, slog.LevelWarn, FailureMessage, slog.Int("failures", r.failures), slog.Any("cause", err))
}

type state struct {
	catalogue.State
	remote  *Catalogue
	changes *catalogue.Catalogue // that has the state
	now     time.Time
}

var errOlder = errors.New("the search domain has an older index than before")

// ask asks the domain, and what serves in its place if the domain cannot answer.
func ask[T any](
	ctx context.Context, s state, domain func() (T, opensearch.Head, error), instead func(catalogue.Roles) (T, error),
) (T, error) {
	found, head, err := domain()
	if err == nil && head.Until < s.Until {
		// The new copy reads the roles again that changed since the older head: as a rule at most those
		// between two publications.
		s.remote.changes.CompareAndSwap(s.changes, s.remote.embedded.WithoutFiles(s.remote.head))
		err = errOlder
	}
	if err != nil && ctx.Err() != nil {
		return found, ctx.Err()
	}
	s.remote.note(ctx, s.now, err)
	if err == nil {
		return found, nil
	}
	current, err := s.remote.fallback(ctx, s.now)
	if err != nil {
		return found, err
	}
	return instead(current)
}

func (s state) scopeOf(approvedIDs []string) opensearch.Scope {
	return opensearch.Scope{ApprovedIDs: approvedIDs, Changed: s.ChangedIDs(), View: s.View(approvedIDs)}
}

// Search implements [catalogue.Roles].
func (s state) Search(ctx context.Context, q roleindex.Query, approvedIDs []string) (roleindex.Page, error) {
	return ask(ctx, s, func() (roleindex.Page, opensearch.Head, error) {
		return s.remote.domain.Search(ctx, q, s.scopeOf(approvedIDs))
	}, func(r catalogue.Roles) (roleindex.Page, error) { return r.Search(ctx, q, approvedIDs) })
}

// Rank implements [catalogue.Roles]. The domain chooses the roles, which are then ranked here together with
// the roles that changed.
func (s state) Rank(
	ctx context.Context, q roleindex.Query, approvedIDs []string, c *recommend.Criteria,
) ([]recommend.Recommendation, error) {
	return ask(ctx, s, func() ([]recommend.Recommendation, opensearch.Head, error) {
		scope := s.scopeOf(approvedIDs)
		chosen, head, err := s.remote.domain.Choose(ctx, q, scope, c)
		if err != nil {
			return nil, head, err
		}
		return recommend.Rank(chosen.WithRolesFrom(scope.View, scope.Changed), q, c), head, nil
	}, func(r catalogue.Roles) ([]recommend.Recommendation, error) { return r.Rank(ctx, q, approvedIDs, c) })
}
