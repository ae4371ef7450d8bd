//go:build opensearch

package roleindex_test

import (
	"crypto/rand"
	"log/slog"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// openDomain opens the OpenSearch that .ci/opensearch has started.
func openDomain(t *testing.T) *opensearch.Index {
	t.Helper()
	h := cloud.NewHost(os.Getenv, time.Now, slog.New(slog.DiscardHandler))
	index, err := opensearch.Open(h)
	if err != nil {
		t.Fatal(err)
	}
	if index == nil {
		t.Fatal("SEARCH_URL is not set: .ci/opensearch runs this test")
	}
	return index
}

// split is a catalogue of which a domain has a part and a view the rest.
type split struct {
	states map[string]roleindex.RoleDocs
	scope  opensearch.Scope
	shown  map[string]roleindex.Doc
}

// drawSplit draws documents of which some are changed or deleted since, and some have a form for
// those who are approved on them.
func drawSplit(t *rapid.T, drawDoc func(*rapid.T, string) roleindex.Doc) split {
	s := split{states: map[string]roleindex.RoleDocs{}, shown: map[string]roleindex.Doc{}}
	for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(roleindex.RoleIDs), 0, 12, rapid.ID).Draw(t, "ids") {
		d := drawDoc(t, id)
		state := roleindex.RoleDocs{ID: id, Shared: &d}
		s.shown[id] = d
		if rapid.IntRange(0, 3).Draw(t, "withheld") == 0 {
			own := drawDoc(t, id)
			state.Approved = &own
			if rapid.Bool().Draw(t, "approved") {
				s.shown[id] = own
			}
		}
		s.states[id] = state
		if rapid.Bool().Draw(t, "approved anyway") || state.Approved != nil && s.shown[id].Name == state.Approved.Name {
			s.scope.ApprovedIDs = append(s.scope.ApprovedIDs, id)
			if state.Approved != nil {
				s.shown[id] = *state.Approved
			}
		} else {
			s.shown[id] = d
		}
	}
	changes := map[string]*roleindex.Doc{}
	for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(roleindex.RoleIDs), 0, 4, rapid.ID).Draw(t, "changed") {
		s.scope.Changed = append(s.scope.Changed, id)
		delete(s.shown, id)
		if rapid.Bool().Draw(t, "there") {
			d := drawDoc(t, id)
			s.shown[id] = d
			changes[id] = &d
		}
	}
	s.scope.View = emptyView(t).Overlay(changes)
	return s
}

func emptyView(t interface{ Fatal(...any) }) *roleindex.View {
	index, err := roleindex.Open(roleindex.Build(nil))
	if err != nil {
		t.Fatal(err)
	}
	return index.View()
}

// TestEngineIsTheModel holds every page of OpenSearch, beside a view of later changes, against
// the definition that the embedded index is held to: the same rows, order keys and cursors,
// and the same typos forgiven.
func TestEngineIsTheModel(t *testing.T) {
	t.Parallel()
	index := openDomain(t)
	revision := time.Now().UnixMilli()
	last := map[string]bool{}
	writer, err := index.Begin(t.Context(), time.UnixMilli(revision), rand.Text())
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Finish(t.Context(), writer.Begun); err != nil {
		t.Fatal(err)
	}
	write := func(t *rapid.T, states []roleindex.RoleDocs) {
		revision++
		if err := writer.Write(t.Context(), states); err != nil {
			t.Fatal(err)
		}
		if err := writer.Commit(t.Context(), time.UnixMilli(revision)); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		drawDoc := roleindex.DrawDoc
		drawQuery := roleindex.DrawQuery
		if rapid.Bool().Draw(t, "dense") {
			drawDoc = roleindex.DrawDenseDoc
			drawQuery = roleindex.DrawDenseQuery
		}
		s := drawSplit(t, drawDoc)
		var states []roleindex.RoleDocs
		for id := range last {
			if _, kept := s.states[id]; !kept {
				states = append(states, roleindex.RoleDocs{ID: id, Revision: revision})
			}
		}
		clear(last)
		for id, state := range s.states {
			last[id] = true
			state.Revision = revision
			states = append(states, state)
		}
		write(t, states)
		m := roleindex.Model(slices.Collect(maps.Values(s.shown)))
		for range 4 {
			q := drawQuery(t)
			if len(m) > 0 && rapid.Bool().Draw(t, "own terms") {
				q.Waived = map[roleindex.Flag][]string{roleindex.SelfServeClosed: {m[0].ID, "zz"}}
				q.OfferedFees = map[string]float64{m[0].ID: 20.1, roleindex.RoleIDs[0]: 0, "zz": 50}
			}
			if len(m) > 0 && rapid.IntRange(0, 3).Draw(t, "by id") == 0 {
				q.Only = []string{m[0].ID, roleindex.RoleIDs[0], roleindex.RoleIDs[1], "zz"}
				q.Exclude = []string{roleindex.RoleIDs[1]}
			}
			comparePages(t, index, s.scope, m, q)
		}
	})
}

// comparePages compares all pages of a query.
func comparePages(t *rapid.T, index *opensearch.Index, scope opensearch.Scope, m roleindex.Model, q roleindex.Query) {
	for more := true; more; {
		want := m.Search(q)
		got, _, err := index.Search(t.Context(), q, scope)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Rows)+len(want.Rows) > 0 {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%+v: %s", q, diff)
			}
		}
		more = got.More
		if more {
			row := got.Rows[len(got.Rows)-1]
			q.After = q.Sort.Position(row)
			q.AfterUpdated = &roleindex.Position{UpdatedAt: row.UpdatedAt, ID: row.ID}
		}
	}
}
