package network

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func allOwners(context.Context, []string) (func(string) bool, error) {
	return func(string) bool { return true }, nil
}

// newMembership is the n-th row of a list, of a typical size.
func newMembership(n int, added time.Time) Membership {
	return Membership{
		ID: fmt.Sprintf("cu_%026d", n), Tenant: "0192f0c1-2345-7abc-8def-0123456789ab", OwnerID: fmt.Sprintf("0192f0c1-2345-7abc-8def-%012d", n),
		Person: Person{
			Name: "Ada Bee Example", Email: fmt.Sprintf("ada.b.%d@example.com", n), LinkedInURL: fmt.Sprintf("https://www.linkedin.com/in/ada-bee-%d", n),
			Title: "Senior Software Engineer", Company: "Example Industries", Location: "San Francisco Bay Area",
		},
		Source: contract.CandidateSourceExternalAPI,
		Market: Market{ExpiresAt: added.Add(DefaultEligibility), FastTrack: true}, AddedAt: added, UpdatedAt: added,
	}
}

// storeMany is a store whose list holds n rows, some added at the same moment.
func storeMany(t testing.TB, n int) (*Store, dynamo.Table) {
	t.Helper()
	db, table := cloudtest.Database(t, topology.Network)
	var rows []any
	for i := range n {
		rows = append(rows, newMembership(i, submitted.Add(time.Duration(i/2)*time.Second)).toRowItem(Filter{}))
	}
	for chunk := range slices.Chunk(rows, 1000) {
		if _, err := table.Batch(topology.PK, topology.SK).Write().Put(chunk...).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return NewStore(table, db.WriteTx, DefaultEligibility), table
}

// readPage reads one page.
func readPage(t testing.TB, s *Store, after string, limit int, check OwnerCheck) ([]Row, string) {
	t.Helper()
	rows, next, err := s.List(t.Context(), newMembership(0, before).Tenant, Filter{}, Page{After: after, Limit: limit, Now: submitted}, check)
	if err != nil {
		t.Fatal(err)
	}
	return rows, next
}

// Paging through 5,000 rows while 500 are added and 500 change: no row that was
// there all the time is skipped or repeated.
func TestPagingWhileTheListChanges(t *testing.T) {
	t.Parallel()
	const size, limit = 5000, 100
	s, table := storeMany(t, size)
	seen := map[string]int{}
	position := ""
	turn := 0
	for more := true; more; turn++ {
		rows, next := readPage(t, s, position, limit, allOwners)
		for _, r := range rows {
			seen[r.ID]++
		}
		position = next
		more = next != ""
		var changes []any
		for i := range 10 {
			n := turn*10 + i
			added := rand.IntN(size / 2) // anywhere in the list
			changes = append(changes, newMembership(size+n, submitted.Add(time.Duration(added)*time.Second+time.Millisecond)).toRowItem(Filter{}))
			changed := newMembership(n*10%size, submitted.Add(time.Duration(n*10%size/2)*time.Second))
			changed.Name = "Ada Changed"
			changed.Market.TakenOff = true
			changes = append(changes, changed.toRowItem(Filter{}))
		}
		if _, err := table.Batch(topology.PK, topology.SK).Write().Put(changes...).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if turn < size/limit {
		t.Errorf("%d pages are too few", turn)
	}
	for i := range size {
		if id := newMembership(i, before).ID; seen[id] != 1 {
			t.Errorf("%s was seen %d times", id, seen[id])
		}
	}
	for id, times := range seen {
		if times != 1 {
			t.Errorf("%s was seen %d times", id, times)
		}
	}
}

// A page is filled from ten pages of rows at most, however few owners are active.
func TestReadingOn(t *testing.T) {
	t.Parallel()
	const size, limit = 250, 7
	s, _ := storeMany(t, size)
	rapid.Check(t, func(r *rapid.T) {
		passing := rapid.SampledFrom([]int{1, 2, 5, 10, 50, 70, 71, 100, 1000}).Draw(r, "one in")
		offset := rapid.IntRange(0, passing-1).Draw(r, "offset")
		number := func(id, format string) (n int) { _, _ = fmt.Sscanf(id, format, &n); return n }
		var got []int
		for position, pages := "", 0; ; pages++ {
			looked := 0
			rows, next := readPage(t, s, position, limit, func(_ context.Context, owners []string) (func(string) bool, error) {
				looked += len(owners)
				return func(owner string) bool { return number(owner, "0192f0c1-2345-7abc-8def-%d")%passing == offset }, nil
			})
			if looked > maxPages*limit || len(rows) > limit || len(rows) < limit && next != "" && looked != maxPages*limit {
				r.Fatalf("looked at %d rows for a page of %d that goes on behind %q", looked, len(rows), next)
			}
			for _, row := range rows {
				got = append(got, number(row.ID, "cu_%d"))
			}
			position = next
			if next == "" {
				break
			}
		}
		want := 0
		for n := offset; n < size; n += passing {
			want++
			if !slices.Contains(got, n) {
				r.Fatalf("%d is missing from %v", n, got)
			}
		}
		if len(got) != want {
			r.Fatalf("got %d rows, want %d", len(got), want)
		}
	})
}

func TestSortKeys(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		draw := func(name string) (time.Time, string) {
			return time.UnixMilli(rapid.Int64Range(0, lastMilli).Draw(r, name)).UTC(), rapid.StringN(1, 40, -1).Draw(r, name+"'s id")
		}
		at, id := draw("a")
		if gotAt, gotID, ok := parseSortKey(formatSortKey(at, id)); !gotAt.Equal(at) || gotID != id || !ok {
			r.Errorf("%v, %q come back as %v, %q, %t", at, id, gotAt, gotID, ok)
		}
		other, otherID := draw("b")
		if want := max(-1, min(1, other.Compare(at)*2+strings.Compare(id, otherID))); strings.Compare(formatSortKey(at, id), formatSortKey(other, otherID)) != want {
			r.Errorf("%v, %q and %v, %q are in the wrong order", at, id, other, otherID)
		}
	})
}

func FuzzValidSortKey(f *testing.F) {
	f.Add(formatSortKey(submitted, "cu_1"))
	f.Add("#")
	f.Add("-000000000001#x")
	f.Add("+000000000001#x")
	f.Fuzz(func(t *testing.T, text string) {
		at, id, ok := parseSortKey(text)
		if ok != ValidSortKey(text) || ok && formatSortKey(at, id) != text {
			t.Errorf("%q was read as %v, %q, %t", text, at, id, ok)
		}
	})
}

// Every value that is stored is read back unchanged.
func TestItemsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		moments := rapid.Custom(func(r *rapid.T) time.Time {
			return rapid.SampledFrom([]time.Time{{}, before, submitted, after}).Draw(r, "moment")
		})
		statements := rapid.Custom(func(r *rapid.T) Statement {
			return Statement{moments.Draw(r, "at"), rapid.Int64Range(0, apiRank).Draw(r, "rank")}
		})
		sources := contract.ConvertValues[contract.CandidateSource](contract.EnumByName("candidateSource").Values)
		m := newMembership(rapid.IntRange(0, 9).Draw(r, "n"), before)
		m.Name = rapid.StringN(1, 9, -1).Draw(r, "name")
		m.Title = rapid.String().Draw(r, "title")
		m.ResumeKey = rapid.String().Draw(r, "resume")
		flag := rapid.Bool()
		m.Market = Market{
			Locked: flag.Draw(r, "locked"), LockStated: statements.Draw(r, "lock stated"), ExcludedAt: moments.Draw(r, "excluded"),
			ExpiresAt: moments.Draw(r, "expires"), Boosted: flag.Draw(r, "boosted"),
			FastTrack: flag.Draw(r, "fast"), FastTrackStated: statements.Draw(r, "fast stated"), Stated: statements.Draw(r, "stated"),
		}
		m.Market.TakenOff = !m.Market.Stated.At.IsZero() && flag.Draw(r, "off")
		m.Source = rapid.SampledFrom(sources).Draw(r, "source")
		m.SourceAt = moments.Draw(r, "since")
		m.PreferencesStated = statements.Draw(r, "preferences")
		m.SubmittedAt = moments.Draw(r, "submitted")
		m.RoleSubmittedAt = moments.Draw(r, "to a role")
		m.version = 7
		m.writeID = "write"
		m.lapsed = moments.Draw(r, "lapsed")
		if got := roundTrip[Membership](r, m); !reflect.DeepEqual(got, m) {
			r.Errorf("got %+v, want %+v", got, m)
		}
		for _, f := range []Filter{{}, {OwnerID: m.OwnerID}} {
			if got := roundTrip[rowItem](r, m.toRowItem(f)).toRow(f); got != m.Row() {
				r.Errorf("got %+v, want %+v", got, m.Row())
			}
		}
	})
}

func roundTrip[T any](r *rapid.T, item T) (out T) {
	stored, err := dynamo.MarshalItem(item)
	if err == nil {
		err = dynamo.UnmarshalItem(stored, &out)
	}
	if err != nil {
		r.Fatal(err)
	}
	return out
}
