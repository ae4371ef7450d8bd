package catalogue

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Source is the source from which a function obtains the role catalogue: a [Catalogue], or package
// remote's copy in an OpenSearch domain.
type Source interface {
	// Current returns the catalogue with every change that was committed before the call, or up to
	// one and a half times topology.SettingCatalogueAge before it, and the time to make a digest
	// (ADR 137); or, while that cannot be read or is slow, as it was up to MaxHeld before (ADR 116, 167).
	// A change may be missing for up to two and a half
	// minutes if its commit took longer than entity.PromptCommit and its writer died.
	Current(ctx context.Context, now time.Time) (Roles, error)
	// Load loads in advance what the first call of Current would load, or as much of it as possible
	// before ctx ends.
	Load(ctx context.Context) error
}

// Roles is the catalogue at one time. approvedIDs are the roles that the caller is approved on and
// therefore sees as they are.
type Roles interface {
	// Search returns a page of the roles that match a query.
	Search(ctx context.Context, q roleindex.Query, approvedIDs []string) (roleindex.Page, error)
	// Rank returns the best of the roles that match a query for a candidate ([recommend.Rank]).
	Rank(ctx context.Context, q roleindex.Query, approvedIDs []string, c *recommend.Criteria) ([]recommend.Recommendation, error)
	// Changed reports whether a role changed recently, so that an eventually consistent read may
	// miss the change.
	Changed(roleID string) bool
}

// State is the embedded index with its changes at one time.
type State struct {
	// Until is the time up to which the base is current, in milliseconds since 1970.
	Until int64

	// views are the base with the changes.
	views viewPair
	// changed holds the roles of which the views have a change over the base, and the time at which
	// the last one was found. The map is replaced, never modified.
	changed map[string]time.Time
	// at is when changes were last looked for.
	at time.Time
	// read is how far the log was read; read.Complete is zero if the copy has no changes over its base.
	read snapshot.Position
	// nextPoll is the time from which the copy has to be brought up to date again.
	nextPoll time.Time
}

// ChangedIDs returns the roles that changed since Until.
func (s State) ChangedIDs() []string { return slices.Collect(maps.Keys(s.changed)) }

// View returns the catalogue as seen by a caller who is approved on the named roles.
func (s State) View(approvedIDs []string) *roleindex.View {
	return s.views[sharedIndex].WithRolesFrom(s.views[approvedIndex], approvedIDs)
}

// Search implements [Roles].
func (s State) Search(_ context.Context, q roleindex.Query, approvedIDs []string) (roleindex.Page, error) {
	return s.View(approvedIDs).Search(q), nil
}

// Rank implements [Roles].
func (s State) Rank(
	_ context.Context, q roleindex.Query, approvedIDs []string, c *recommend.Criteria,
) ([]recommend.Recommendation, error) {
	return recommend.Rank(s.View(approvedIDs), q, c), nil
}

// Changed implements [Roles].
func (s State) Changed(roleID string) bool {
	found, ok := s.changed[roleID]
	return ok && s.at.Sub(found) < latelyPeriod
}

const (
	// MaxHeld is the time after the last read of the log for which a copy is served that cannot be
	// brought up to date.
	MaxHeld = 15 * time.Minute
	// heldRetryAfter is the time that callers are asked to wait if no such copy exists.
	heldRetryAfter = 5 * time.Second
	// patience is the time that an update may take before others stop waiting for it and are served
	// the copy as it is.
	patience = 500 * time.Millisecond
)

// isUsable reports whether the copy is a base with the changes up to the last read of the log.
func (s State) isUsable() bool { return !s.read.Complete.IsZero() && s.views[sharedIndex] != nil }

// isRecent reports whether the last read of the log was not too long ago for the copy to be served.
func (s State) isRecent(now time.Time) bool {
	return s.isUsable() && now.Sub(s.read.Latest) <= MaxHeld
}

// Current implements [Source]. Unless the copy was brought up to date a moment ago, it reads the
// digests, or the log and the roles that changed. If that fails, or another call has been doing it for
// a while, it returns the copy as it is for [MaxHeld].
func (c *Catalogue) Current(ctx context.Context, now time.Time) (_ Roles, err error) {
	defer fault.Wrap(&err, "catalogue.Current")

	return c.State(ctx, now)
}

// State is [Catalogue.Current] with the additional data that a separate engine needs.
func (c *Catalogue) State(ctx context.Context, now time.Time) (_ State, err error) {
	defer fault.Wrap(&err, "catalogue.State")

	for {
		state, running, isOwn := c.join(now)
		if running == nil {
			return state, nil
		}
		if isOwn {
			return c.runUpdate(ctx, running, now)
		}
		state, ok, err := c.await(ctx, running, now)
		if ok || err != nil {
			return state, err
		}
	}
}

// Load implements [Source].
func (c *Catalogue) Load(ctx context.Context) (err error) {
	defer fault.Wrap(&err, "catalogue.Load")

	c.mu.Lock()
	running, isOwn := c.begin()
	c.mu.Unlock()
	if !isOwn { // an update, which loads what is missing unless its caller leaves
		return running.wait(ctx)
	}
	defer c.end(ctx, running, nil) // a list that waits tries for itself if this fails
	head, err := c.newestBase(ctx)
	if err != nil {
		return err
	}
	return c.openBase(ctx, head)
}

// IsLoaded reports whether the catalogue holds a base.
func (c *Catalogue) IsLoaded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.served.views[sharedIndex] != nil
}
