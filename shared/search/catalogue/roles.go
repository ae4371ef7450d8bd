package catalogue

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
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
	Rank(
		ctx context.Context, q roleindex.Query, approvedIDs []string, c recommend.Candidate, now time.Time,
	) ([]recommend.Recommendation, error)
	// Changed reports whether a role changed recently, so that an eventually consistent read may
	// miss the change.
	Changed(roleID string) bool
}

// State is the embedded index with its changes at one time.
type State struct {
	// ChangedIDs are the roles that changed since Until, the time up to which the base is current,
	// in milliseconds since 1970.
	ChangedIDs []string
	Until      int64

	views  viewPair
	lately map[string]time.Time
}

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
	_ context.Context, q roleindex.Query, approvedIDs []string, c recommend.Candidate, now time.Time,
) ([]recommend.Recommendation, error) {
	return recommend.Rank(s.View(approvedIDs), q, c, now), nil
}

// Changed implements [Roles].
func (s State) Changed(roleID string) bool { _, changed := s.lately[roleID]; return changed }
