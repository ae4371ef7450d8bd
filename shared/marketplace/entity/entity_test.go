package entity_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

var (
	ctx = context.Background()
	now = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	key = entity.Key{PK: "T#1", SK: "T"}
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, hooks ...cloud.Hook) (*entity.Store, dynamo.Table) {
	t.Helper()
	db, table := cloudtest.Database(t, topology.Marketplace, hooks...)
	return entity.NewStore(table, db.WriteTx), table
}

// thing is an entity with one row for each of its marks.
type thing struct {
	Name  string
	Marks []string
}

func put(version int64, v thing, persons ...string) entity.Change {
	return entity.Change{Key: key, Stamp: entity.Stamp{Version: version, At: now}, Persons: persons, Next: func(entity.State) (entity.NewState, error) {
		next := entity.NewState{Body: v}
		for _, m := range v.Marks {
			next.Rows = append(next.Rows, entity.Row{PK: "list", SK: "T#" + m, Body: v.Name})
		}
		return next, nil
	}}
}

func gone(version int64) entity.Change {
	return entity.Change{Key: key, Stamp: entity.Stamp{Version: version, At: now}}
}

// marks lists the rows.
func marks(t testing.TB, s *entity.Store, from string) (all []string) {
	t.Helper()
	for row, err := range s.Query(ctx, entity.Query{PK: "list", Prefix: "T#", After: from}) {
		must(t, err)
		var name string
		must(t, row.Into(&name))
		all = append(all, row.SK+"="+name)
	}
	return all
}

func TestApply(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	steps := []struct {
		name    string
		change  entity.Change
		applied bool
		live    bool
		rows    []string
	}{
		{"a deletion of what never came", gone(1), true, false, nil},
		{"the same again", gone(1), false, false, nil},
		{"a new one", put(3, thing{"a", []string{"x", "y"}}), true, true, []string{"T#x=a", "T#y=a"}},
		{"an older one", put(2, thing{"b", []string{"z"}}), false, true, []string{"T#x=a", "T#y=a"}},
		{"an older deletion", gone(2), false, true, []string{"T#x=a", "T#y=a"}},
		{"the same version", put(3, thing{"b", nil}), false, true, []string{"T#x=a", "T#y=a"}},
		{"a newer one elsewhere", put(5, thing{"c", []string{"y", "z"}}), true, true, []string{"T#y=c", "T#z=c"}},
		{"a deletion", gone(6), true, false, nil},
		{"the dead", put(5, thing{"d", []string{"x"}}), false, false, nil},
		{"one that comes back", put(7, thing{"e", []string{"x"}}), true, true, []string{"T#x=e"}},
	}
	for _, step := range steps {
		applied, err := s.Apply(ctx, step.change)
		must(t, err)
		state, err := s.Get(ctx, key)
		must(t, err)
		if applied != step.applied || state.Live() != step.live {
			t.Errorf("%s: applied %v, live %v", step.name, applied, state.Live())
		}
		if diff := cmp.Diff(step.rows, marks(t, s, "")); diff != "" {
			t.Errorf("%s: rows (-want +got):\n%s", step.name, diff)
		}
	}
	var v thing
	state, err := s.Get(ctx, key)
	must(t, errors.Join(err, state.Into(&v)))
	if v.Name != "e" || state.Version != 7 {
		t.Errorf("stored is %+v at %d", v, state.Version)
	}
}

// partsOf reads entities of the item.
func partsOf(t testing.TB, s *entity.Store, parts ...string) map[string]entity.State {
	t.Helper()
	item, _, err := s.Item(ctx, key)
	must(t, err)
	states := map[string]entity.State{}
	for _, part := range parts {
		states[part], err = item.State(part)
		must(t, err)
	}
	return states
}

// TestParts keeps entities of one item apart.
func TestParts(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	a := key
	b := key
	a.Part = "a"
	b.Part = "b"
	for _, step := range []struct {
		key     entity.Key
		version int64
		body    any
		applied bool
	}{{a, 2, "a2", true}, {b, 1, "b1", true}, {a, 1, "a1", false}, {key, 5, "main", true}, {b, 2, nil, true}, {b, 2, "b2", false}, {a, 2, "again", false}} {
		applied, err := s.Set(ctx, step.key, step.version, step.body)
		if must(t, err); applied != step.applied {
			t.Errorf("%+v: applied %v", step, applied)
		}
	}
	states := partsOf(t, s, "", "a", "b")
	var main, first string
	must(t, errors.Join(states[""].Into(&main), states["a"].Into(&first)))
	if main != "main" || first != "a2" || states["b"].Live() || states["b"].Version != 2 {
		t.Errorf("%q, %q, %+v", main, first, states["b"])
	}
}

// TestNew saves the read where nothing is stored, and is Apply where something is.
func TestNew(t *testing.T) {
	t.Parallel()
	calls := &cloudtest.Calls{}
	s, _ := open(t, calls.Hook)
	change := func(version int64, name string) entity.Change {
		c := put(version, thing{name, []string{"x"}})
		live := c.Next
		c.ExpectNew = true
		c.Next = func(old entity.State) (entity.NewState, error) {
			next, err := live(old)
			next.FirstPart = &entity.Part{Name: "side", Version: 7, Body: name}
			return next, err
		}
		return c
	}
	for i, tt := range []struct {
		version int64
		name    string
		applied bool
		calls   int
	}{{3, "a", true, 1}, {3, "b", false, 2}, {2, "c", false, 2}, {4, "d", true, 3}} {
		calls.Reset()
		applied, err := s.Apply(ctx, change(tt.version, tt.name))
		if made := calls.Reset(); applied != tt.applied || err != nil || len(made) != tt.calls {
			t.Errorf("%d: applied %v, %v by the calls %q", i, applied, err, made)
		}
	}
	var name string
	var is thing
	states := partsOf(t, s, "", "side")
	must(t, states["side"].Into(&name))
	must(t, states[""].Into(&is))
	if name != "a" || states["side"].Version != 7 || is.Name != "d" {
		t.Errorf("the part is %q at %d, the entity %q; want that the part came with the first", name, states["side"].Version, is.Name)
	}
}

// TestAtOnce applies versions side by side, each with its own row and a count that
// must be exact: the newest stands, and one row.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	s, _ := open(t, cloudtest.Lose("TransactWriteItems", 3, cloudtest.Lost{}))
	counter := entity.Key{PK: "count", SK: "T"}
	const n = 24
	var all sync.WaitGroup
	var mu sync.Mutex
	times := 0
	for v := range int64(n) {
		all.Go(func() {
			c := put(v+1, thing{"v", []string{fmt.Sprint(v + 1)}})
			live := c.Next
			c.Next = func(old entity.State) (entity.NewState, error) {
				next, err := live(old)
				must(t, err)
				read, err := s.Get(ctx, counter)
				must(t, err)
				count := 0
				must(t, read.Into(&count))
				action, err := s.Replace(counter, read, count+1)
				next.Actions = append(next.Actions, action)
				return next, err
			}
			applied, err := s.Apply(ctx, c)
			if must(t, err); applied {
				mu.Lock()
				defer mu.Unlock()
				times++
			}
		})
	}
	all.Wait()
	if got := marks(t, s, ""); len(got) != 1 || got[0] != fmt.Sprintf("T#%d=v", n) {
		t.Errorf("rows %v", got)
	}
	state, err := s.Get(ctx, counter)
	must(t, err)
	count := 0
	if must(t, state.Into(&count)); count != times {
		t.Errorf("counted %d of %d", count, times)
	}
}

// TestAnErasureAfterTheReadIsSeen fails if what was decided about a live entity is committed after its erasure, which keeps the
// version: a row of it, or a later version without the rows that the erasure has deleted.
func TestAnErasureAfterTheReadIsSeen(t *testing.T) {
	t.Parallel()
	var erase func()
	s, _ := open(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "TransactWriteItems" && erase != nil {
			now := erase
			erase = nil
			now()
		}
		return send()
	})
	apply := func(version int64) {
		t.Helper()
		change := put(version, thing{"a", []string{"x"}}, "hash")
		change.PersonsUnconditional = true
		_, err := s.Apply(ctx, change)
		must(t, err)
	}
	apply(1)
	read, err := s.Get(ctx, key)
	must(t, err)
	row, err := s.PutRow(entity.Row{PK: "list", SK: "T#y", Body: "a"})
	must(t, err)
	eraseNow := func() {
		_, err := s.Erase(ctx, gone(0))
		must(t, err)
	}
	erase = eraseNow
	if err := s.Run(ctx, s.CheckUnchanged(key, read), row); !dynamo.IsCondCheckFailed(err) || len(marks(t, s, "")) > 0 {
		t.Errorf("%v; there are the rows %q", err, marks(t, s, ""))
	}
	apply(2)
	erase = eraseNow
	apply(3)
	if copies := copiesOf(t, s, "hash"); len(copies) != 1 {
		t.Errorf("an erasure finds %v", copies)
	}
}

// copiesOf returns the entities that concern a person.
func copiesOf(t testing.TB, s *entity.Store, person string) (all []entity.Key) {
	t.Helper()
	for k, err := range s.Copies(ctx, person) {
		must(t, err)
		all = append(all, k)
	}
	return all
}

// TestErase leaves a tombstone of the same version, and refuses events of its time or before.
func TestErase(t *testing.T) {
	t.Parallel()
	s, table := open(t)
	person := "hash"
	apply := func(c entity.Change) {
		t.Helper()
		_, err := s.Apply(ctx, c)
		must(t, err)
	}
	apply(put(1, thing{"a", []string{"x"}}, person))
	if diff := cmp.Diff([]entity.Key{key}, copiesOf(t, s, person)); diff != "" {
		t.Errorf("copies (-want +got):\n%s", diff)
	}
	must(t, s.MarkErased(ctx, person, now))
	must(t, s.MarkErased(ctx, person, now.Add(-time.Hour)))
	for range 2 {
		_, err := s.Erase(ctx, gone(0))
		must(t, err)
	}
	apply(put(2, thing{"b", []string{"x"}}, person))
	if state, err := s.Get(ctx, key); err != nil || state.Live() || state.Version != 2 || len(marks(t, s, "")) > 0 {
		t.Errorf("%+v, %v", state, err)
	}
	later := put(3, thing{"c", []string{"x"}}, person)
	later.At = now.Add(time.Second)
	apply(later)
	erased, err := s.Erase(ctx, gone(0)) // again
	if state, getErr := s.Get(ctx, key); err != nil || getErr != nil || erased || !state.Live() {
		t.Errorf("erased again: %t, %v; %+v, %v", erased, err, state, getErr)
	}
	other := gone(0)
	other.At = later.At
	other.Persons = []string{"another person"}
	if erased, err := s.Erase(ctx, other); err != nil || erased {
		t.Errorf("erased for another person: %t, %v", erased, err)
	}
	var items []map[string]any
	must(t, table.Scan().All(ctx, &items))
	if len(items) != 4 { // the entity, its row, the mark and the person's row
		t.Errorf("%d items: %v", len(items), items)
	}
}

// TestDue enters an entity into the index while it says so.
func TestDue(t *testing.T) {
	t.Parallel()
	s, table := open(t)
	indexed := func(want int) {
		t.Helper()
		found := 0
		for _, shard := range entity.Shards.Names() {
			n, err := table.Get(topology.DueIndex.Hash, shard).Index(topology.DueIndex.Name).Range(topology.DueIndex.Range, dynamo.LessOrEqual, now.UnixMilli()).Count(ctx)
			must(t, err)
			found += n
		}
		if found != want {
			t.Errorf("%d are due, want %d", found, want)
		}
	}
	for v, due := range []time.Time{now, now.Add(time.Second), now.Add(-time.Hour), {}} {
		c := put(int64(v+1), thing{})
		c.Next = func(entity.State) (entity.NewState, error) { return entity.NewState{Body: 1, Due: due}, nil }
		_, err := s.Apply(ctx, c)
		must(t, err)
		indexed(map[int]int{0: 1, 1: 0, 2: 1, 3: 0}[v])
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	large := strings.Repeat("x", 400<<10)
	if _, err := s.Set(ctx, key, 1, large); !errors.Is(err, entity.ErrTooLarge) {
		t.Errorf("a body: %v", err)
	}
	if _, err := s.Apply(ctx, put(1, thing{large, []string{"x"}})); !errors.Is(err, entity.ErrTooLarge) {
		t.Errorf("a row: %v", err)
	}
}

func TestPersons(t *testing.T) {
	t.Parallel()
	same := [][]string{{"Ada@Example.com", "ada@example.com"}, {"https://de.linkedin.com/in/Ada/", "http://linkedin.com/in/ada?x=1"}}
	for _, s := range same {
		if a, b := entity.PersonHashes(&s[0]), entity.PersonHashes(&s[1], nil, &s[0]); len(a) != 1 || !cmp.Equal(a, b) {
			t.Errorf("%q: %v and %v", s, a, b)
		}
	}
	if got := entity.PersonHashes(nil, new(""), new("no person")); got != nil {
		t.Errorf("got %v", got)
	}
}
