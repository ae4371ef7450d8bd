package catalogue

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Source is where a function has the role catalogue from: [Catalogue], or another engine.
type Source interface {
	// Current returns the catalogue with every change that was committed before the call, or
	// up to topology.SettingCatalogueAge before it.
	Current(ctx context.Context, now time.Time) (Roles, error)
	// Load loads beforehand what the first call of Current would load, or as much of it as it
	// can before ctx ends.
	Load(ctx context.Context) error
}

// Roles is the catalogue at one time. approvedIDs are the roles that a caller is approved on
// and so sees as they are.
type Roles interface {
	// Search returns a page of the roles that match a query.
	Search(ctx context.Context, q roleindex.Query, approvedIDs []string) (roleindex.Page, error)
	// Rank returns the best of the roles that match a query for a candidate ([recommend.Rank]).
	Rank(ctx context.Context, q roleindex.Query, approvedIDs []string, c recommend.Candidate, now time.Time) ([]recommend.Recommendation, error)
	// Changed reports whether a role changed lately: an eventually consistent read may miss
	// the change.
	Changed(roleID string) bool
}

// state is the embedded index with its changes at one time.
type state struct {
	views  viewPair
	lately map[string]time.Time
	// beyondBase are the roles that changed since the base was right, at until in
	// milliseconds since 1970.
	beyondBase []string
	until      int64
}

// viewFor returns the catalogue as a caller sees it who is approved on these roles.
func (s state) viewFor(approvedIDs []string) *roleindex.View {
	return s.views[sharedIndex].WithRolesFrom(s.views[approvedIndex], approvedIDs)
}

// Search implements [Roles].
func (s state) Search(_ context.Context, q roleindex.Query, approvedIDs []string) (roleindex.Page, error) {
	return s.viewFor(approvedIDs).Search(q), nil
}

// Rank implements [Roles].
func (s state) Rank(_ context.Context, q roleindex.Query, approvedIDs []string, c recommend.Candidate, now time.Time) ([]recommend.Recommendation, error) {
	return recommend.Rank(s.viewFor(approvedIDs), q, c, now), nil
}

// Changed implements [Roles].
func (s state) Changed(roleID string) bool { _, changed := s.lately[roleID]; return changed }
