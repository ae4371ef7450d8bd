package roles

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/browse"
	"github.com/recruiting-marketplace/external-api/shared/catalog"
	"github.com/recruiting-marketplace/external-api/shared/role"
)

// reader is on whose behalf roles are listed.
type reader struct {
	own        map[string]role.Mine
	feesHidden bool
	agency     bool // the surface, which omits links
	// recommended tells that recommended roles are enabled.
	recommended bool
	now         time.Time
}

// caller is what redaction must know.
func (r reader) caller(id string) role.Caller {
	own := r.own[id]
	return role.Caller{
		Assignment: own.Assignment, Counts: own.Counts, FeesHidden: r.feesHidden, LinksOmitted: r.agency, Now: r.now,
	}
}

// ids are those of the reader's roles that pass.
func (r reader) ids(pass func(role.Mine) bool) []string {
	ids := []string{} // nil would mean all
	for id, own := range r.own {
		if pass(own) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func approved(o role.Mine) bool { return o.Assignment != nil && o.Assignment.Approved() }
func primary(o role.Mine) bool  { return o.Assignment != nil && o.Assignment.Primary() }

// otherwise finds the reader's roles that a stranger sees otherwise, in a way that
// matters to the query.
func (r reader) otherwise(state browse.State, q catalog.Query) []string {
	found := map[string]bool{}
	look := func(ids []string, flag catalog.Flag) {
		if len(ids) == 0 {
			return
		}
		only := catalog.Query{Only: ids, Limit: len(ids)}
		if flag != "" {
			only.Flags = map[catalog.Flag]bool{flag: true}
		}
		if statuses, ok := q.Any[catalog.Status]; ok {
			only.Any = map[catalog.Field][]string{catalog.Status: statuses}
		}
		for _, row := range state.Search(only).Rows {
			found[row.ID] = true
		}
	}
	onIt := r.ids(approved)
	look(onIt, browse.Stealth)
	if _, asked := q.Flags[catalog.SelfServeClosed]; asked {
		look(onIt, catalog.SelfServeClosed)
	}
	if _, asked := q.Flags[browse.OffBrowse]; asked {
		look(r.ids(role.Mine.Involved), browse.OffBrowse)
	}
	if q.MinFeePercent != nil {
		look(r.ids(func(o role.Mine) bool { return o.Assignment != nil && o.Assignment.Fee != nil }), "")
	}
	return slices.Sorted(maps.Keys(found))
}

// listed is a row of a page.
type listed struct {
	catalog.Row
	role.View
}

// page is a part of a list; last is its last row before any was dropped, and more
// tells that others come after it.
type page struct {
	rows []listed
	last catalog.Row
	more bool
}

// page searches the catalogue as the reader sees it and reads the rows live. It
// costs one call: the rows are read together with the roles that the search needs,
// on the guess that these do not change which others are found.
func (s *Service) page(ctx context.Context, r reader, state browse.State, q catalog.Query) (page, error) {
	return s.pageBy(ctx, r, state, q, (*catalog.View).Search)
}

// pageBy is page with another way to search.
func (s *Service) pageBy(
	ctx context.Context, r reader, state browse.State, q catalog.Query, search func(*catalog.View, catalog.Query) catalog.Page,
) (page, error) {
	special := r.otherwise(state, q)
	special = slices.DeleteFunc(special, func(id string) bool { return slices.Contains(q.Exclude, id) })
	others := q
	others.Exclude = slices.Concat(q.Exclude, special)
	found := search(state.View, others)
	views, prose := map[string]role.View{}, special
	if q.Text == "" {
		special, prose = within(state, special, found, q), nil
	}
	if err := s.read(ctx, r, state, views, append(ids(found), special...), prose); err != nil {
		return page{}, err
	}
	if len(special) > 0 {
		q.Exclude = slices.DeleteFunc(slices.Clone(others.Exclude), func(id string) bool { return slices.Contains(special, id) })
		found = search(state.With(entries(r, views, special)), q)
		if err := s.read(ctx, r, state, views, ids(found), nil); err != nil {
			return page{}, err
		}
	}
	p := page{more: found.More}
	for _, row := range found.Rows {
		p.last = row
		// What is no longer as it was found drops out.
		if v, ok := views[row.ID]; ok && slices.Contains(q.Any[catalog.Status], v.Status()) {
			p.rows = append(p.rows, listed{row, v})
		}
	}
	return p, nil
}

// within leaves those roles that can stand on the page, by their place in its
// order, which is the same for everybody. Where words are looked for, a role that
// is not on the page can still decide which others are.
func within(state browse.State, special []string, found catalog.Page, q catalog.Query) []string {
	return slices.DeleteFunc(slices.Clone(special), func(id string) bool {
		row, ok := state.Get(id)
		if !ok || !found.More || len(found.Rows) == 0 {
			return !ok
		}
		last := found.Rows[len(found.Rows)-1]
		if q.Sort == catalog.Updated {
			return row.UpdatedAt < last.UpdatedAt
		}
		return row.Key > last.Key || row.Key <= q.After
	})
}

// read adds the views of the roles that are not there yet.
func (s *Service) read(ctx context.Context, r reader, state browse.State, views map[string]role.View, ids, prose []string) error {
	var wanted []string
	recent := false
	for _, id := range ids {
		if _, known := views[id]; !known {
			wanted = append(wanted, id)
			recent = recent || state.Recent[id]
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	raws, err := s.roles.Raws(ctx, wanted, role.Reading{
		Consistent: recent, Prose: func(id string) bool { return slices.Contains(prose, id) },
	})
	for id, raw := range raws {
		views[id] = role.Redact(raw, r.caller(id))
	}
	return err
}

// entries are what the reader's own roles are found by.
func entries(r reader, views map[string]role.View, special []string) (docs []catalog.Doc) {
	for _, id := range special {
		if v, ok := views[id]; ok {
			docs = append(docs, browse.Entry(v, 0, r.own[id].Involved()))
		}
	}
	return docs
}

func ids(p catalog.Page) []string {
	out := make([]string, len(p.Rows))
	for i, row := range p.Rows {
		out[i] = row.ID
	}
	return out
}
