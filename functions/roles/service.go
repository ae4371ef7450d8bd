// Package roles serves the endpoints of hiring roles, to recruiters and to agencies
// on behalf of a member.
//
// The catalogue decides which roles a list has and in which order; of each role it knows
// what a stranger may see, and, for the callers approved on a stealth role, what they
// may see. What a row shows is read from the store and redacted for its caller.
package roles

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/remote"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Service holds the handlers and their stores.
type Service struct {
	accounts *account.Store
	roles    *role.Store
	// recruiters caches the relations of recruiters to roles.
	recruiters *role.RecruiterCache
	// decoded has the roles of pages as they were decoded.
	decoded   *role.DecodedRoles
	matches   *match.Store
	crm       *crm.Store
	catalogue catalogue.Source
	log       *slog.Logger
	// agencies has the agency that each recruiter was last found in: a guess that saves a call and is always checked.
	agencies sync.Map
	// members has, as such a guess, the member that was last found by the e-mail address that an agency's key sent.
	members sync.Map
}

// New opens the function's tables and bucket and mounts its handlers. It fails on a missing or malformed setting.
func New(ctx context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	entities := entity.Open(o)
	roles := role.NewStore(entities, objectstore.Open(o, topology.MarketplaceBucket))
	embedded := catalogue.OpenEmbedded(o, roles)
	s := &Service{
		accounts: account.Open(o), roles: roles, recruiters: role.NewRecruiterCache(roles), decoded: role.NewDecodedRoles(),
		matches: match.NewStore(entities), crm: crm.NewStore(entities, h.Now),
		catalogue: embedded, log: h.Log,
	}
	if domain := remote.Open(o, roles, embedded); domain != nil {
		s.catalogue = domain
	}
	handler, err := gateway.Open(o, contract.Roles, map[string]gateway.Handler{
		"listAgencyRoles":      gateway.Handle(s.ListAgencyRoles).BeginEarly(),
		"searchAgencyRoles":    gateway.Handle(s.SearchAgencyRoles).BeginEarly(),
		"getAgencyRole":        gateway.Handle(s.GetAgencyRole).PreferEventual().BeginEarly(),
		"listRoles":            gateway.Handle(s.ListRoles).BeginEarly(),
		"getRole":              gateway.Handle(s.GetRole).PreferEventual().BeginEarly(),
		"listActiveRoles":      gateway.Handle(s.ListActiveRoles).BeginEarly(),
		"getSavedPreferences":  gateway.HandleNoInput(s.GetSavedPreferences).BeginEarly(),
		"listRecommendedRoles": gateway.Handle(s.ListRecommendedRoles).BeginEarly(),
	})
	if err != nil {
		return nil, err
	}
	// The catalogue logs its progress. If loading fails, the first request that needs it goes on.
	ctx, cancel := context.WithTimeout(ctx, loadTime)
	defer cancel()
	if err := s.catalogue.Load(ctx); err != nil {
		s.log.WarnContext(ctx, "the catalogue is not loaded completely", "cause", err)
	}
	return handler, nil
}

// loadTime is the part of the function's initialization, of ten seconds in Lambda, for loading the catalogue.
const loadTime = 8 * time.Second

// GetSavedPreferences serves GET /recruiter/preferences.
func (s *Service) GetSavedPreferences(ctx context.Context, call *gateway.Call) (contract.SavedPreferences, error) {
	p, err := s.roles.Preferences(ctx, call.Caller.Principal)
	return contract.SavedPreferences(p), err
}

func (s *Service) readStanding(ctx context.Context, call *gateway.Call) (account.Standing, error) {
	id := call.Caller.Principal
	guess, _ := s.agencies.Load(id)
	agency, _ := guess.(string)
	is, err := s.accounts.Standing(ctx, id, agency)
	if err == nil {
		s.agencies.Store(id, is.Recruiter.AgencyID)
	}
	return is, err
}

// reader is the recruiter or member that roles are listed for, and the catalogue that they are found in.
type reader struct {
	own         role.RecruiterRoles
	current     catalogue.Roles
	matchedIDs  []string // of roles that the member was sent a match on, if they are asked for
	feesHidden  bool     // always true on the agency surface, which shows no fees
	agency      bool     // on the agency surface, which omits links
	recommended bool     // has recommended roles enabled
	now         time.Time
}

// ownRoleIDs returns the sorted ids of those of the reader's roles that pass, never nil.
func (r reader) ownRoleIDs(pass func(role.Involvement) bool) []string {
	ids := []string{} // nil would mean all
	for id, own := range r.own.Roles {
		if pass(own) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (r reader) approvedIDs() []string { return r.ownRoleIDs(role.Involvement.Approved) }

// personalize returns the query with the reader's exceptions: the roles on which flags
// do not bind the reader, and the fees that only this reader is offered.
func (r reader) personalize(q roleindex.Query) roleindex.Query {
	q.Waived = map[roleindex.Flag][]string{catalogue.OffBrowse: slices.Concat(r.ownRoleIDs(role.Involvement.Involved), r.matchedIDs)}
	if closed, asked := q.Flags[roleindex.SelfServeClosed]; asked && !closed {
		q.Waived[roleindex.SelfServeClosed] = r.approvedIDs()
	}
	q.OfferedFees = map[string]float64{}
	for id, own := range r.own.Roles {
		if own.Approved() && own.Assignment.Fee != nil {
			q.OfferedFees[id] = optional.Value(own.Assignment.Fee.PercentOfSalary)
		}
	}
	return q
}

// page is a part of a list. last is the last row found, even if it has dropped out of rows; more says that others follow.
type page struct {
	rows []role.View
	last roleindex.Row
	more bool
}

func (s *Service) searchPage(ctx context.Context, r reader, q roleindex.Query) (page, error) {
	found, err := r.current.Search(ctx, r.personalize(q), r.approvedIDs())
	if err != nil {
		return page{}, err
	}
	return s.readPage(ctx, r, q, found)
}

// readPage reads the rows of a found page from the store, in one call.
func (s *Service) readPage(ctx context.Context, r reader, q roleindex.Query, found roleindex.Page) (page, error) {
	p := page{more: found.More}
	var ids []string
	for _, row := range found.Rows {
		p.last = row
		ids = append(ids, row.ID)
	}
	// An eventually consistent read may miss a recent change.
	how := role.ReadOptions{Consistent: slices.ContainsFunc(ids, r.current.Changed), Decoded: s.decoded}
	roles, err := s.roles.ReadRoles(ctx, ids, how)
	if err != nil {
		return page{}, err
	}
	for _, id := range ids {
		caller := role.Caller{Involvement: r.own.Roles[id], FeesHidden: r.feesHidden, LinksOmitted: r.agency, Now: r.now}
		view := role.Redact(roles[id], caller)
		// A role is left out if its status has changed since it was found, or if it no longer exists and so has none.
		if slices.Contains(q.AnyOf[roleindex.Status], string(view.Listing().Status)) {
			p.rows = append(p.rows, view)
		}
	}
	return p, nil
}

// readStart sets where the page of a query begins, by a cursor. Its position is "<ms> <id>" in a list with the last
// update first, and a number in others.
func readStart(call *gateway.Call, q *roleindex.Query, sent *string, filters ...string) error {
	_, err := cursor.Read(call, sent, func(position string) bool {
		if q.Sort != roleindex.UpdateOrder {
			after, err := strconv.ParseUint(position, 10, 64)
			q.After = after
			return err == nil && after > 0
		}
		ms, id, ok := strings.Cut(position, " ")
		at, err := strconv.ParseInt(ms, 10, 64)
		q.AfterUpdated = &roleindex.Position{UpdatedAt: at, ID: id}
		isRow := at >= 0 && id != ""
		return ok && err == nil && isRow
	}, filters...)
	return err
}

func (p page) nextCursor(sort roleindex.Order, filters ...string) *string {
	if !p.more {
		return nil
	}
	position := fmt.Sprintf("%d %s", p.last.UpdatedAt, p.last.ID)
	if sort != roleindex.UpdateOrder {
		position = strconv.FormatUint(sort.Position(p.last), 10)
	}
	return new(cursor.New(position, filters...))
}
