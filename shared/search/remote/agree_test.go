//go:build opensearch

package remote_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/remote"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// readersRun changes roles at random, and knows what readers have to find.
type readersRun struct {
	*testCatalogue
	random  *rand.Rand
	title   map[string]string
	stealth map[string]bool
	version int64
	// release commits the held transaction at the time due; it is nil if none is held.
	release func()
	due     time.Time
	// unsure holds the roles that a reader may still show in their previous state, and until when.
	unsure map[string]time.Time
}

// drawnWords are the titles of roles.
var drawnWords = []string{"carpenter", "plumber", "gardener"}

// The roles whose stealth company a reader may find.
var approved = []string{"role01", "role03", "role05", "role07", "role99"}

// Readers of the domain agree with one another and with the roles, as readers of the embedded index
// do, in whatever order roles are written, deleted, synchronized and filled.
func TestDomainReadersAgree(t *testing.T) {
	t.Parallel()
	run := &readersRun{
		testCatalogue: newDomainCatalogue(t), random: rand.New(rand.NewPCG(3, 4)),
		title: map[string]string{}, stealth: map[string]bool{}, unsure: map[string]time.Time{},
	}
	readers := []*remote.Catalogue{run.newRemote(), run.newRemote(), run.newRemote()}
	company := role.Company{CompanyFacts: role.CompanyFacts{Name: "Velvet Anchor"}}
	must(t, readers[0].Fill(t.Context(), run.clock, "first"))
	must(t, run.roles.PutCompany(t.Context(), "co", entity.Stamp{Version: 1, At: run.now}, &company))
	for step := range 80 {
		run.change(step, readers)
		run.moveClock(time.Duration(run.random.Int64N((20 * time.Second).Milliseconds())) * time.Millisecond)
		if step%5 == 0 {
			run.compare(step, append(readers[:1+run.random.IntN(3):3], run.newRemote()))
		}
	}
}

// change writes or deletes a role, synchronizes or fills the domain, or lets time pass.
func (b *readersRun) change(step int, readers []*remote.Catalogue) {
	b.t.Helper()
	ctx := b.t.Context()
	b.version++
	id := fmt.Sprintf("role%02d", b.random.IntN(25))
	switch b.random.IntN(12) {
	case 0:
		must(b.t, b.roles.Delete(ctx, id, entity.Stamp{Version: b.version, At: b.now}))
		delete(b.title, id)
	case 1:
		must(b.t, readers[2].Sync(ctx, b.clock, fmt.Sprint("p", step)))
	case 2:
		must(b.t, readers[1].Fill(ctx, b.clock, fmt.Sprint("r", step)))
	case 3:
		b.moveClock(time.Duration(b.random.IntN(100)) * time.Minute)
	case 4:
		b.hold(id, b.drawWord(), time.Duration(b.random.Int64N(int64(entity.CommitBound))))
	default:
		b.title[id] = b.drawWord()
		b.stealth[id] = b.random.IntN(2) == 0
		visibility := contract.RoleVisibilityPublic
		if b.stealth[id] {
			visibility = contract.RoleVisibilityStealth
		}
		b.putRole(id, b.version, b.title[id], visibility)
	}
}

func (b *readersRun) drawWord() string { return drawnWords[b.random.IntN(len(drawnWords))] }

// compare fails if a reader finds other roles by a word, or by a company, than it may.
func (b *readersRun) compare(step int, readers []*remote.Catalogue) {
	b.t.Helper()
	word := b.drawWord()
	want := [3][]string{{}, {}, {}} // by the word, by the company for a stranger, by the company for one who is approved
	for _, id := range slices.Sorted(maps.Keys(b.title)) {
		for i, found := range []bool{b.title[id] == word, !b.stealth[id], !b.stealth[id] || slices.Contains(approved, id)} {
			if found && b.isSure(id) {
				want[i] = append(want[i], id)
			}
		}
	}
	for i, c := range readers {
		is := b.current(c)
		got := [3][]string{b.searchState(is, word, approved...), b.searchState(is, "velvet"), b.searchState(is, "velvt anchr", approved...)}
		for n := range got {
			got[n] = slices.DeleteFunc(got[n], func(id string) bool { return !b.isSure(id) })
		}
		if diff := cmp.Diff(want, got); diff != "" {
			b.t.Fatalf("step %d, reader %d, %s (-want +got):\n%s", step, i, word, diff)
		}
	}
}

// hold begins a transaction of a role, one at a time. It is committed long after the log entry was made, but
// within entity.CommitBound.
func (b *readersRun) hold(id, word string, late time.Duration) {
	if b.release != nil {
		return
	}
	made := b.now
	entry := b.snapshots.LogChange(made, snapshot.Change{ID: id}, fmt.Sprint(b.version))
	b.due = made.Add(late)
	b.release = func() {
		b.version++
		b.title[id] = word
		b.stealth[id] = false
		b.putUnlogged(id, word)
		tx := dynamo.New(b.host.AWS).WriteTx()
		entry(tx)
		must(b.t, tx.Run(b.t.Context()))
		if late > entity.PromptCommit {
			b.unsure[id] = made.Add(entity.RereadWindow + snapshot.CompleteEvery)
		}
	}
}

// putUnlogged stores a public role without a log entry.
func (b *readersRun) putUnlogged(id, title string) {
	logged := b.roles
	b.roles = logged.WithChangeLog(nil)
	b.putRole(id, b.version, title, contract.RoleVisibilityPublic)
	b.roles = logged
}

// moveClock moves the clock and commits the held transaction when it is due.
func (b *readersRun) moveClock(d time.Duration) {
	to := b.now.Add(d)
	if b.release != nil && !b.due.After(to) {
		b.now = b.due
		b.release()
		b.release = nil
	}
	b.now = to
}

func (b *readersRun) isSure(id string) bool { return b.now.After(b.unsure[id]) }
