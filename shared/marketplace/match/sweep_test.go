package match_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

var sent = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// testStore is a store with matches of a recruiter.
type testStore struct {
	*match.Store
	t        testing.TB
	entities *entity.Store
}

func newTestStore(t testing.TB, hooks ...cloud.Hook) testStore {
	t.Helper()
	db, table := cloudtest.Database(t, topology.Marketplace, hooks...)
	entities := entity.NewStore(table, db.WriteTx)
	return testStore{match.NewStore(entities), t, entities}
}

// Paused returns the pause of a recruiter's auto-match; nil if none is stored, or one that cannot be decoded.
func (d testStore) Paused(ctx context.Context, recruiterID string) (*match.Pause, error) {
	stored, err := d.entities.Get(ctx, entity.KeyOf(itemkey.MatchPause, recruiterID))
	pause, decodeErr := entity.Decode[match.Pause](stored)
	if decodeErr != nil || pause.Since.IsZero() {
		return nil, err
	}
	return &pause, err
}

func (d testStore) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// eraseMatch erases a match of a person.
func (d testStore) eraseMatch(id string) {
	d.t.Helper()
	_, err := d.Erase(context.Background(), id, sent)
	d.must(err)
}

// putMatch stores a match of recruiter rec1; "" deletes it.
func (d testStore) putMatch(id string, version int64, status contract.MatchStatus) {
	d.t.Helper()
	m := &match.Match{
		RecruiterID: "rec1", RoleID: "r1", Status: status, SentAt: contract.At(sent),
		Candidate: match.Candidate{CandidateID: "cand1", Name: "Ada Sample", Email: new("ada@example.com")},
	}
	if status == "" {
		m = nil
	}
	d.must(d.Put(d.t.Context(), id, entity.Stamp{Version: version, At: sent}, m))
}

func (d testStore) expireMatches(at time.Time) int {
	d.t.Helper()
	n, err := d.sweepMatches(at)
	d.must(err)
	return n
}

// sweepMatches takes all turns of a sweep.
func (d testStore) sweepMatches(at time.Time) (expired int, failed error) {
	s := d.NewSweep(at, 3)
	ctx := context.WithoutCancel(d.t.Context())
	more := func() bool { return true }
	for left := true; left; {
		var err error
		left, err = s.Expire(ctx, more)
		failed = errors.Join(failed, err)
	}
	return s.Expired(), failed
}

// storedStatuses are the statuses as they are stored, by id, in the list and by id alike.
func (d testStore) storedStatuses() map[string]contract.MatchStatus {
	d.t.Helper()
	all := map[string]contract.MatchStatus{}
	for row, err := range d.entities.Query(d.t.Context(), entity.Query{PK: "U#rec1", Prefix: "M#"}) {
		d.must(err)
		var listed, own match.Match
		d.must(row.Into(&listed))
		id := row.SK[strings.LastIndex(row.SK, "#")+1:]
		state, err := d.entities.Get(d.t.Context(), match.Key(id))
		d.must(err)
		d.must(state.Into(&own))
		all[id] = own.Status
		if own.Status != listed.Status {
			d.t.Errorf("%s is %s, and listed as %s", id, own.Status, listed.Status)
		}
	}
	return all
}

// A match is stored as expired from the seventh day on, to the second, once; its
// version stays, so that any later event wins, and nothing else does.
func TestExpire(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.putMatch("m1", 5, contract.MatchStatusPending)
	d.putMatch("m2", 5, contract.MatchStatusSubmitted)
	due := sent.Add(match.ExpiryPeriod)
	for _, tt := range []struct {
		at     time.Time
		swept  int
		status contract.MatchStatus
	}{{due.Add(-time.Second), 0, contract.MatchStatusPending}, {due.Add(-time.Millisecond), 0, contract.MatchStatusPending}, {due, 1, contract.MatchStatusExpired}, {due, 0, contract.MatchStatusExpired}, {due.Add(time.Hour), 0, contract.MatchStatusExpired}} {
		if n := d.expireMatches(tt.at); n != tt.swept {
			t.Errorf("at %v: %d were stored; want %d", tt.at, n, tt.swept)
		}
		if diff := cmp.Diff(map[string]contract.MatchStatus{"m1": tt.status, "m2": contract.MatchStatusSubmitted}, d.storedStatuses()); diff != "" {
			t.Errorf("at %v (-want +got):\n%s", tt.at, diff)
		}
	}
	d.putMatch("m1", 5, contract.MatchStatusPending) // the same event again
	d.putMatch("m1", 4, contract.MatchStatusSubmitted)
	if got := d.storedStatuses()["m1"]; got != contract.MatchStatusExpired {
		t.Errorf("after older events: %s", got)
	}
	d.putMatch("m1", 6, contract.MatchStatusSubmitted)
	if n := d.expireMatches(due); n != 0 || d.storedStatuses()["m1"] != contract.MatchStatusSubmitted {
		t.Errorf("after a later event: %d swept, %v", n, d.storedStatuses())
	}
}

// An event or an erasure that comes between the sweeper's look and its write wins,
// and of several sweepers one stores a match.
func TestExpireRaces(t *testing.T) {
	t.Parallel()
	var d testStore
	var next atomic.Pointer[func()]
	d = newTestStore(t, func(_ context.Context, c cloud.Call, send func() error) error {
		if c.Operation == "TransactWriteItems" {
			if act := next.Swap(nil); act != nil {
				(*act)()
			}
		}
		return send()
	})
	between := func(act func()) { next.Store(&act) }
	due := sent.Add(match.ExpiryPeriod)
	d.putMatch("m1", 1, contract.MatchStatusPending)
	between(func() { d.putMatch("m1", 2, contract.MatchStatusDismissed) })
	if n := d.expireMatches(due); n != 0 || d.storedStatuses()["m1"] != contract.MatchStatusDismissed {
		t.Errorf("the event between is lost: %d, %v", n, d.storedStatuses())
	}
	d.putMatch("m2", 1, contract.MatchStatusPending)
	between(func() { d.eraseMatch("m2") })
	if n := d.expireMatches(due); n != 0 || len(d.storedStatuses()) != 1 {
		t.Errorf("the erased match is back: %d, %v", n, d.storedStatuses())
	}
	d.putMatch("m3", 1, contract.MatchStatusPending)
	other := 0
	between(func() { other = d.expireMatches(due) })
	if n := d.expireMatches(due); n+other != 1 || d.storedStatuses()["m3"] != contract.MatchStatusExpired {
		t.Errorf("two sweepers stored it %d and %d times", n, other)
	}
}

// Of matches that are stored together, one that an event or an erasure came before
// keeps none of the others from it.
func TestExpireTogether(t *testing.T) {
	t.Parallel()
	var d testStore
	var once sync.Once
	d = newTestStore(t, func(_ context.Context, c cloud.Call, send func() error) error {
		if c.Operation == "TransactWriteItems" && len(c.Input.(*dynamodb.TransactWriteItemsInput).TransactItems) > 10 {
			once.Do(func() {
				for n := range 40 {
					d.putMatch(fmt.Sprint("m", n), 2, contract.MatchStatusDismissed)
				}
				d.eraseMatch("m40")
			})
		}
		return send()
	})
	for n := range 200 {
		d.putMatch(fmt.Sprint("m", n), 1, contract.MatchStatusPending)
	}
	if n := d.expireMatches(sent.Add(match.ExpiryPeriod)); n != 159 {
		t.Errorf("%d were stored; want 159", n)
	}
	got := map[contract.MatchStatus]int{}
	for _, status := range d.storedStatuses() {
		got[status]++
	}
	if diff := cmp.Diff(map[contract.MatchStatus]int{contract.MatchStatusDismissed: 40, contract.MatchStatusExpired: 159}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A run whose time is over leaves the rest to the next one, which ends it.
func TestExpireIsCut(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	for n := range 150 {
		d.putMatch(fmt.Sprint("m", n), 1, contract.MatchStatusPending)
	}
	var pages atomic.Int32
	sweep := d.NewSweep(sent.Add(match.ExpiryPeriod), 3)
	left, err := sweep.Expire(t.Context(), func() bool { return pages.Add(1) <= 3 })
	cut := sweep.Expired()
	if d.must(err); !left || cut == 0 || cut == 150 {
		t.Fatalf("the cut run stored %d, and left %v", cut, left)
	}
	if rest := d.expireMatches(sent.Add(match.ExpiryPeriod + time.Minute)); cut+rest != 150 {
		t.Errorf("%d and %d were stored; want 150 in all", cut, rest)
	}
	if got, err := d.Paused(t.Context(), "rec1"); got == nil || err != nil {
		t.Errorf("paused: %v, %v", got, err)
	}
}

// A sweep that began earlier, and sees less, does not take a recruiter's mark from
// one that is at work.
func TestPauseMeetsAnEarlierSweep(t *testing.T) {
	t.Parallel()
	var d testStore
	var once sync.Once
	d = newTestStore(t, func(_ context.Context, c cloud.Call, send func() error) error {
		if c.Operation == "TransactWriteItems" {
			once.Do(func() { d.expireMatches(sent.Add(match.ExpiryPeriod - time.Minute)) })
		}
		return send()
	})
	once.Do(func() {}) // not while matches are put
	for n := range 3 {
		d.putMatch(fmt.Sprint("m", n), 1, contract.MatchStatusPending)
	}
	once = sync.Once{}
	d.expireMatches(sent.Add(match.ExpiryPeriod))
	if got, err := d.Paused(t.Context(), "rec1"); got == nil || err != nil {
		t.Errorf("paused: %v, %v", got, err)
	}
}

// Three expired matches that stay unresolved pause auto-match; when they are
// resolved, deleted or erased it goes on.
func TestPause(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	due := sent.Add(match.ExpiryPeriod)
	paused := func(want bool) {
		t.Helper()
		d.expireMatches(due)
		got, err := d.Paused(t.Context(), "rec1")
		if d.must(err); (got != nil) != want {
			t.Errorf("paused: %+v; want %v", got, want)
		}
	}
	d.putMatch("m1", 1, contract.MatchStatusPending)
	d.putMatch("m2", 1, contract.MatchStatusPending)
	paused(false)
	d.putMatch("m3", 1, contract.MatchStatusExpired) // the app knows already
	paused(true)
	d.putMatch("m1", 2, contract.MatchStatusSubmitted)
	paused(false)
	d.putMatch("m4", 1, contract.MatchStatusPending)
	paused(true)
	d.putMatch("m2", 2, "")
	paused(false)
	d.putMatch("m5", 1, contract.MatchStatusExpired)
	paused(true)
	d.eraseMatch("m5")
	paused(false)
	if other, err := d.Paused(t.Context(), "rec2"); other != nil || err != nil {
		t.Errorf("another recruiter is paused: %+v, %v", other, err)
	}
}

// A pause that cannot be stored is decided by the next sweep, and matches that are resolved while a
// recruiter's are counted do not count.
func TestPauseBesideAnEvent(t *testing.T) {
	t.Parallel()
	var d testStore
	var next atomic.Pointer[func() error]
	d = newTestStore(t, func(_ context.Context, c cloud.Call, send func() error) error {
		err := send()
		if in, ok := c.Input.(*dynamodb.QueryInput); ok && in.IndexName == nil {
			if act := next.Swap(nil); act != nil {
				err = errors.Join(err, (*act)())
			}
		}
		return err
	})
	afterCount := func(act func() error) { next.Store(&act) }
	due := sent.Add(match.ExpiryPeriod)
	for n := range 3 {
		d.putMatch(fmt.Sprint("m", n), 1, contract.MatchStatusPending)
	}
	afterCount(func() error { return errors.New("a test failed the call") })
	if n, err := d.sweepMatches(due); n == 3 || err == nil {
		t.Fatalf("%d were stored, %v", n, err)
	}
	d.expireMatches(due)
	if got, err := d.Paused(t.Context(), "rec1"); got == nil || err != nil {
		t.Errorf("paused: %v, %v; want it", got, err)
	}
	d.putMatch("m3", 1, contract.MatchStatusPending)
	afterCount(func() error {
		d.putMatch("m1", 2, contract.MatchStatusSubmitted)
		d.putMatch("m2", 2, contract.MatchStatusSubmitted)
		return nil
	})
	d.expireMatches(due)
	if got, err := d.Paused(t.Context(), "rec1"); got != nil || err != nil {
		t.Errorf("paused: %v, %v; want nothing", got, err)
	}
}

// TestUndecidedPauseDelaysItsRecruiterAlone fails unless the matches of a recruiter whose pause cannot be decided stay
// due, and those of others expire.
func TestUndecidedPauseDelaysItsRecruiterAlone(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	d := newTestStore(t, func(_ context.Context, c cloud.Call, send func() error) error {
		if in, ok := c.Input.(*dynamodb.QueryInput); ok && in.IndexName == nil && broken.Load() {
			pk := in.KeyConditions[topology.PK].AttributeValueList[0].(*types.AttributeValueMemberS)
			if pk.Value == "U#rec2" {
				return errors.New("a test failed the call")
			}
		}
		return send()
	})
	const others = 60 // so that some are in the page of the other one, of 16
	for n := range others {
		d.putMatch(fmt.Sprint("m", n), 1, contract.MatchStatusPending)
	}
	d.must(d.Put(t.Context(), "of-rec2", entity.Stamp{Version: 1, At: sent}, &match.Match{
		RecruiterID: "rec2", RoleID: "r1", Status: contract.MatchStatusPending, SentAt: contract.At(sent),
		Candidate: match.Candidate{CandidateID: "cand2", Name: "Ben Sample", Email: new("ben@example.com")},
	}))
	broken.Store(true)
	if n, err := d.sweepMatches(sent.Add(match.ExpiryPeriod)); n != others || err == nil {
		t.Errorf("%d expired, %v; want %d and the failure", n, err, others)
	}
	broken.Store(false)
	if n := d.expireMatches(sent.Add(match.ExpiryPeriod)); n != 1 {
		t.Errorf("%d expired afterwards, want 1", n)
	}
}

// A match that was counted as past its expiry is resolved before it is stored so.
func TestPauseOfWhatIsNotStored(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	d := newTestStore(t, func(_ context.Context, c cloud.Call, send func() error) error {
		if c.Operation == "TransactWriteItems" && broken.Load() {
			return errors.New("a test failed the call")
		}
		return send()
	})
	due := sent.Add(match.ExpiryPeriod)
	d.putMatch("m1", 1, contract.MatchStatusPending)
	d.putMatch("m2", 1, contract.MatchStatusPending)
	d.expireMatches(due)
	d.putMatch("m3", 1, contract.MatchStatusPending)
	broken.Store(true)
	if n, err := d.sweepMatches(due); n != 0 || err == nil {
		t.Fatalf("%d were stored, %v", n, err)
	}
	if got, err := d.Paused(t.Context(), "rec1"); got == nil || err != nil {
		t.Errorf("paused: %v, %v; want it", got, err)
	}
	broken.Store(false)
	d.putMatch("m3", 2, contract.MatchStatusSubmitted)
	d.expireMatches(due)
	if got, err := d.Paused(t.Context(), "rec1"); got != nil || err != nil {
		t.Errorf("paused: %v, %v; want nothing", got, err)
	}
}

// Many matches due at once are all stored, each once, by sweepers side by side.
func TestExpireMany(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	const many = 500
	var all sync.WaitGroup
	for part := range 8 {
		all.Go(func() {
			for n := part; n < many; n += 8 {
				d.putMatch(fmt.Sprint("m", n), 1, contract.MatchStatusPending)
			}
		})
	}
	all.Wait()
	var stored [2]int
	for i := range stored {
		all.Go(func() { stored[i] = d.expireMatches(sent.Add(match.ExpiryPeriod)) })
	}
	all.Wait()
	if stored[0]+stored[1] != many {
		t.Errorf("two sweepers stored %v; want %d in all", stored, many)
	}
	for id, status := range d.storedStatuses() {
		if status != contract.MatchStatusExpired {
			t.Errorf("%s is %s", id, status)
		}
	}
}
