package catalogue_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
)

// The target rates for which the log is designed.
const (
	dailyRate = 12  // changes a second if 1,000,000 roles change within a day
	burstRate = 700 // changes a second if all of them are sent again within 24 minutes
	// askers is the number of instances that serve 1,000,000 lists a minute of 90 ms each.
	askers = 1_000_000 / 60 * 9 / 100
)

// Reading the log, and half a unit for the digests, cost a list at most two and a half read units and
// three calls, at any rate of changes up to dailyRate. No partition key of the log is used to more than
// half of its capacity, even if no instance shares what it reads.
func TestListsReadFewUnitsOfTheLog(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{0, 1, dailyRate} {
		t.Run(fmt.Sprint(rate, " changes a second"), func(t *testing.T) {
			t.Parallel()
			b := newTestCatalogue(t)
			reader, units, calls := b.openMetered()
			b.searchIDs(reader, "carpenter")
			const warm, measured = 100, 60 // entries that come late are read once in so many seconds
			publisher := b.newReader()
			for second := range warm + measured + 1 {
				b.noteChanges(rate)
				if second%60 == 0 {
					_, err := publisher.Publish(t.Context(), b.clock, fmt.Sprint(second))
					must(t, err)
				}
				if second%10 == 0 || second > warm-20 {
					b.searchIDs(reader, "carpenter")
				}
				if second == warm {
					units.Reset("")
					calls.Reset()
				}
			}
			b.now = b.now.Add(time.Millisecond)
			b.searchIDs(reader, "carpenter") // does not read the log
			log, all := units.Reset("changes-")
			changed := (all - log) / measured
			reads := float64(calls.Reset()) / measured
			t.Logf("a list each second, at %2d changes a second: %.2f read units and %.2f calls to the log; %.1f units for the roles that changed",
				rate, log/measured, reads, changed)
			if log/measured > 2.5 || reads > 3.3 || log == 0 || changed > 3*float64(rate) {
				t.Errorf("%.2f units and %.2f calls a list, and %.1f units for roles; want at most 2.5, 3.3 and three a change", log/measured, reads, changed)
			}
			b.checkKeys(log / measured)
		})
	}
}

// logCalls counts the queries of the log.
type logCalls struct{ cloudtest.Calls }

// Reset returns the number of queries since the last call.
func (c *logCalls) Reset() (n int) {
	for _, name := range c.Calls.Reset() {
		if name == "DynamoDB.Query" {
			n++
		}
	}
	return n
}

// openMetered opens a reader with the settings of a deployment.
func (b *testCatalogue) openMetered() (catalogue.Source, *cloudtest.Units, *logCalls) {
	b.t.Helper()
	units := &cloudtest.Units{}
	calls := &logCalls{}
	h := units.Watch(b.host)
	h.AWS = cloud.WithHook(h.AWS, calls.Hook)
	roles, _ := openStores(b.t, h)
	return catalogue.OpenEmbedded(h.Opener(), roles), units, calls
}

// noteChanges advances the clock by a second in which the given number of roles change.
func (b *testCatalogue) noteChanges(n int) {
	b.t.Helper()
	// The ids are the same in every run, because they decide which of the log's keys takes how many entries.
	newID := func() uuid.UUID { return uuid.Must(uuid.NewRandomFromReader(b.random)) }
	log := catalogue.NewChangeLog(b.snapshots, b.clock, newID)
	tx := b.db.WriteTx()
	began := b.now
	for i := range n {
		b.now = began.Add(time.Duration(i) * time.Second / time.Duration(n))
		log.NewEntry(role.Changed{RoleID: newID().String()[:35] + fmt.Sprint(i%10)})(tx)
	}
	b.now = began.Add(time.Second)
	if n > 0 {
		must(b.t, tx.Run(b.t.Context()))
	}
}

// checkKeys checks that no partition key of the log exceeds half of DynamoDB's limits, given the
// cost of a list that reads the log.
func (b *testCatalogue) checkKeys(units float64) {
	b.t.Helper()
	const writeLimit, readLimit, writeUnits = 1000, 3000, 2
	table := b.host.Opener().Table(topology.Changes)
	var items []struct {
		PK string `dynamo:"pk"`
	}
	if err := table.Scan().All(b.t.Context(), &items); err != nil && err != dynamo.ErrNotFound {
		b.t.Fatal(err)
	}
	entries := map[string]int{}
	for _, item := range items {
		entries[item.PK]++
	}
	keys := float64(max(len(entries), 3))
	reads := units / keys * askers
	b.t.Logf("%.0f keys; a key is read at %.0f units a second by %d instances", keys, reads, askers)
	if reads > readLimit/2 {
		b.t.Errorf("a key is read at %.0f units a second", reads)
	}
	if len(items) < 100*dailyRate {
		return
	}
	for pk, n := range entries {
		marks := float64(n) / float64(len(items)) * burstRate
		b.t.Logf("%s: %.1f entries a second, %.0f in a burst", pk, marks*dailyRate/burstRate, marks)
		if marks*writeUnits > writeLimit/2 {
			b.t.Errorf("%s takes %.0f entries a second", pk, marks)
		}
	}
}
