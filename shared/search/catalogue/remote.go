package catalogue

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Remote is the catalogue in a search domain. It applies the changes since the domain's head, as
// [Catalogue] applies changes to a base. While the domain is not filled, fails or is slow, the
// published base serves the same lists.
type Remote struct {
	domain   *opensearch.Index
	changes  *Catalogue // since the domain's head, over a base without roles
	embedded *Catalogue
	log      *slog.Logger
	partSize int // of a fill, in roles

	mu       sync.Mutex
	failures int
	closed   time.Time // time until which the domain is not asked
}

// OpenSource opens the catalogue: in the search domain if the setting topology.SettingSearchURL
// names one, and embedded otherwise.
func OpenSource(o *cloud.Opener, roles *role.Store) Source {
	embedded := New(roles, snapshot.Open(o, SnapshotName))
	embedded.log = o.Log
	embedded.maxAge = time.Duration(o.Int(topology.SettingCatalogueAge, int(defaultMaxAge.Milliseconds()))) * time.Millisecond
	if remote := OpenRemote(o, embedded); remote != nil {
		return remote
	}
	return embedded
}

// OpenRemote opens the catalogue in the search domain, or returns nil if there is none. The
// embedded catalogue serves while the domain cannot.
func OpenRemote(o *cloud.Opener, embedded *Catalogue) *Remote {
	domain, err := opensearch.Open(o.Host)
	o.Note(err)
	if domain == nil {
		return nil
	}
	changes := New(embedded.roles, embedded.snapshots)
	changes.bases, changes.maxAge = domainBases{domain}, embedded.maxAge
	return &Remote{domain: domain, changes: changes, embedded: embedded, log: o.Log, partSize: rolesPerPart}
}

// domainError is an error of the domain, not of the tables.
type domainError struct{ error }

func (e domainError) Unwrap() error { return e.error }

// domainBases are bases without roles. Each is current up to the domain's head, because the domain
// contains everything older.
type domainBases struct{ domain *opensearch.Index }

func (b domainBases) Bases(ctx context.Context) (snapshot.Bases, error) {
	head, err := b.domain.Head(ctx)
	if err != nil {
		return snapshot.Bases{}, domainError{err}
	}
	newest := snapshot.Head{Format: formats[0].number, Generation: math.MaxInt64, Until: head.Until} // no announced base is newer
	return snapshot.Bases{Heads: []snapshot.Head{newest}}, nil
}

func (domainBases) File(context.Context, string) ([]byte, error) { return nil, errNoFile }

// errNoFile reports that a file was requested of a base that has none.
var errNoFile = errors.New("the search domain has no files")

// Current implements [Source].
func (r *Remote) Current(ctx context.Context, now time.Time) (Roles, error) {
	if !r.isOpen(now) {
		return r.embedded.Current(ctx, now)
	}
	s, err := r.changes.current(ctx, now)
	var failed domainError
	switch {
	case err == nil:
		return remoteState{s, r, now}, nil
	case !errors.As(err, &failed) || ctx.Err() != nil:
		return nil, err
	}
	r.noteFailure(ctx, now, err)
	return r.embedded.Current(ctx, now)
}

// Load implements [Source]. There is nothing to load, because the domain holds the index.
func (r *Remote) Load(context.Context) error { return nil }

// The breaker: after maxFailures failures in a row, or if the domain has no index, the domain is
// not asked for the duration of pause. After that, a single further failure starts another pause.
const (
	maxFailures = 3
	pause       = 10 * time.Second
)

// FailureMessage is the message of the log line that reports a failure of the search domain.
const FailureMessage = "search domain"

func (r *Remote) isOpen(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !now.Before(r.closed)
}

func (r *Remote) noteFailure(ctx context.Context, now time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures++
	if r.failures >= maxFailures || errors.Is(err, opensearch.ErrAbsent) {
		r.closed = now.Add(pause)
	}
	r.log.LogAttrs(ctx, slog.LevelWarn, FailureMessage, slog.Int("failures", r.failures), slog.Any("cause", err))
}

func (r *Remote) noteSuccess() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = 0
}

// remoteState is the catalogue in the domain with its changes at one time.
type remoteState struct {
	state
	remote *Remote
	now    time.Time
}

// errOlder reports that the domain's index is older than the changes over it assume: the domain has
// gone back to an older index.
var errOlder = errors.New("the search domain has an older index than before")

// ask asks the domain, and the embedded index if the domain cannot answer.
func ask[T any](ctx context.Context, s remoteState, domain func() (T, opensearch.Head, error), embedded func(Roles) (T, error)) (T, error) {
	found, head, err := domain()
	if err == nil && head.Until < s.until {
		s.remote.changes.forget()
		err = errOlder
	}
	if err == nil {
		s.remote.noteSuccess()
		return found, nil
	}
	if ctx.Err() != nil {
		return found, ctx.Err()
	}
	s.remote.noteFailure(ctx, s.now, err)
	current, err := s.remote.embedded.Current(ctx, s.now)
	if err != nil {
		return found, err
	}
	return embedded(current)
}

func (s remoteState) scopeOf(approvedIDs []string) opensearch.Scope {
	return opensearch.Scope{ApprovedIDs: approvedIDs, Changed: s.beyondBase, View: s.viewFor(approvedIDs)}
}

// Search implements [Roles].
func (s remoteState) Search(ctx context.Context, q roleindex.Query, approvedIDs []string) (roleindex.Page, error) {
	return ask(ctx, s, func() (roleindex.Page, opensearch.Head, error) {
		return s.remote.domain.Search(ctx, q, s.scopeOf(approvedIDs))
	}, func(r Roles) (roleindex.Page, error) { return r.Search(ctx, q, approvedIDs) })
}

// Rank implements [Roles]. The domain chooses the roles, which are then ranked here together with
// the roles that changed.
func (s remoteState) Rank(ctx context.Context, q roleindex.Query, approvedIDs []string, c recommend.Candidate, now time.Time) ([]recommend.Recommendation, error) {
	return ask(ctx, s, func() ([]recommend.Recommendation, opensearch.Head, error) {
		scope := s.scopeOf(approvedIDs)
		chosen, head, err := s.remote.domain.Choose(ctx, q, scope, c.Criteria(now))
		if err != nil {
			return nil, head, err
		}
		return recommend.Rank(chosen.WithRolesFrom(scope.View, scope.Changed), q, c, now), head, nil
	}, func(r Roles) ([]recommend.Recommendation, error) { return r.Rank(ctx, q, approvedIDs, c, now) })
}

// forget makes the next call start again from the head.
func (c *Catalogue) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastRead = time.Time{}
}
