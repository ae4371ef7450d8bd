package system_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// eraser delivers one erasure of a person repeatedly, as a queue does.
type eraser struct {
	*manualSystem
	worker *feed.Service
	event  string
}

func (s *manualSystem) newEraser(p person, slug string, hooks ...cloud.Hook) eraser {
	s.t.Helper()
	host := system.Permitted(s.Host, topology.Feed.Name)
	for _, hook := range hooks {
		host.AWS = cloud.WithHook(host.AWS, hook)
	}
	worker, err := feed.New(s.t.Context(), host)
	must(s.t, err)
	return eraser{s, worker, s.newErasure("person-"+slug, p.email, "https://www.linkedin.com/in/"+slug)}
}

// newErasure returns the event that erases a person by these identities.
func (sys *testSystem) newErasure(id string, identities ...string) string {
	sys.t.Helper()
	var hashes []string
	for _, canonical := range identities {
		hashes = append(hashes, identity.Hash(canonical))
	}
	return sys.newEventJSON("person.erased", id, 1, `"data":`+string(encodeBody(sys.t, map[string]any{"identityHashes": hashes})))
}

// eraseOnce delivers the erasure and reports whether it is complete; if not, it has to be
// delivered again.
func (e eraser) eraseOnce() bool {
	refused, err := e.worker.Apply(context.WithoutCancel(e.t.Context()), e.event)
	if refused != "" {
		e.t.Errorf("the erasure was refused: %s", refused)
	}
	return err == nil
}

// storedTraces returns everything stored that identifies a person.
func (s *manualSystem) storedTraces(p person, slug string) (all []string) {
	s.t.Helper()
	for _, t := range topology.Tables {
		for _, item := range s.storedItems(t, "") {
			whole := strings.ToLower(describeWhole(item))
			for _, trace := range []string{slug, p.email, strings.ToLower(p.name), identity.Hash("https://www.linkedin.com/in/" + slug)} {
				if strings.Contains(whole, trace) && item[topology.SK] != "E" { // the marks and receipts stay
					all = append(all, fmt.Sprint(t.Name, " ", item[topology.PK], " has ", trace))
				}
			}
		}
	}
	return append(all, s.storedObjects(topology.Resumes, "")...)
}

// A candidate who was erased is the same to GET …/candidates/{candidateUserId} as an id that never
// existed.
func TestErasedCandidateIsNotFound(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	_, err := s.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	s.runWorkers()
	path := "/talent-network/candidates/" + s.membershipIDs(priya.email)[0]
	if r := s.sendRequest("GET", path, s.newAgencyKey(), nil); r.status != 200 {
		t.Fatalf("before the erasure: got %d %s", r.status, r.body)
	}
	e := s.newEraser(priya, priya.slug)
	for range 3 { // the identities that the membership leads to take a further delivery
		e.eraseOnce()
	}
	if r := s.sendRequest("GET", path, s.newAgencyKey(), nil); r.status != 404 {
		t.Errorf("got %d %s", r.status, r.body)
	}
}

// Of many candidates who share an e-mail address, an erasure by a LinkedIn URL removes one, and one by the address all.
func TestErasureOfASharedAddress(t *testing.T) {
	t.Parallel()
	const persons = 12 // more than the address's own item leads to
	s := newManualSystem(t)
	for n := range persons {
		_, err := s.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, priya, fmt.Sprint("sharer-", n)))
		must(t, err)
		s.runWorkers()
	}
	if found := s.membershipIDs(priya.email); len(found) != persons {
		t.Fatalf("%d memberships, want %d", len(found), persons)
	}
	e := s.newEraser(priya, "sharer-11")
	for _, tt := range []struct {
		by   string
		left int
	}{{"https://www.linkedin.com/in/sharer-11", persons - 1}, {priya.email, 0}} {
		e.event = s.newErasure(fmt.Sprint("person-", tt.left), tt.by)
		e.eraseOnce() // the identities that the membership leads to take a further delivery
		if !e.eraseOnce() {
			t.Errorf("the erasure by %s is not complete", tt.by)
		}
		if found := s.membershipIDs(priya.email); len(found) != tt.left {
			t.Errorf("after the erasure by %s %d memberships are left, want %d", tt.by, len(found), tt.left)
		}
	}
}

// newProfileCache returns a provider that stores each profile that it is asked for, as a worker does with a live key.
func (s *manualSystem) newProfileCache() profile.Provider {
	return profile.Cached{Provider: profile.Sandbox{}, Table: s.openTable(topology.Network), TTL: time.Hour, Now: s.now}
}

// An erasure ends pending submissions and deletes their files, and does not affect what
// the person agrees to afterwards.
func TestErasureEndsPendingSubmissions(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	cache := s.newProfileCache()
	_, err := cache.Profile(t.Context(), priya.slug)
	must(t, err)
	accepted, err := s.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	in := bulkItem(t, s, s.newAgencyKey(), priya)
	in.RecruiterEmail = new(demo.MemberEmail)
	bulk := s.submitBulk(s.newAgencyKey(), contract.BulkRequest{Items: []contract.BulkItem{in}})
	if got := len(s.storedTraces(priya, priya.slug)); got < 8 {
		t.Fatalf("only %d traces to erase", got)
	}
	s.checkItemKinds()
	messages := s.takeMessages()
	e := s.newEraser(priya, priya.slug)
	if !e.eraseOnce() {
		t.Fatal("the erasure is not complete")
	}
	if left := s.storedTraces(priya, priya.slug); len(left) > 0 {
		t.Errorf("%q is left", left)
	}
	for _, message := range messages {
		s.deliverMessage(message)
	}
	for _, batch := range []string{accepted.BatchID, bulk.BatchID} {
		item := s.readBatch(demo.AgencyID, batch).Items[0]
		if item.Status != contract.Failed || item.ErrorCode != contract.InvalidResumeReference {
			t.Errorf("got %+v; want it failed with invalid_resume_reference", item)
		}
	}
	s.advanceClock(time.Millisecond)
	again, err := s.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	s.runWorkers()
	if !e.eraseOnce() { // once more, late
		t.Error("the repeated erasure failed")
	}
	item := s.readBatch(demo.AgencyID, again.BatchID).Items[0]
	if item.Status != contract.Succeeded {
		t.Errorf("after the erasure: %+v", item)
	}
}

// bulkItem is a person whose resume was uploaded ahead.
func bulkItem(t *testing.T, s *manualSystem, key string, p person) contract.BulkItem {
	t.Helper()
	one := newSubmitRequest(t, p, "")
	file := s.uploadResume(key, one.Resume.ContentBase64)
	return contract.BulkItem{
		Name: one.Name, Email: one.Email, LinkedInURL: one.LinkedInURL, Preferences: one.Preferences,
		Resume: contract.ResumeReference{ResumeFileID: file.ResumeFileID}, OnMarketConfirmed: true,
	}
}

// callTrigger is a hook that does something at the n-th call while it is armed, and may
// end the process there: every later call fails.
type callTrigger struct {
	// counts, if not nil, selects the calls that are counted.
	counts func(cloud.Call) bool

	mu   sync.Mutex
	left int
	act  func()
	dies bool
	dead bool
}

func isWrite(call cloud.Call) bool { return !isRead(call.Operation) }

func (m *callTrigger) armAt(n int, dies bool, act func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left = n
	m.act = act
	m.dies = dies
	m.dead = false
}

// wasReached disarms the hook and reports whether the call was reached.
func (m *callTrigger) wasReached() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	reached := m.left <= 0
	m.left = 0
	m.act = nil
	m.dead = false
	return reached
}

func (m *callTrigger) onCall(_ context.Context, call cloud.Call, send func() error) error {
	isCounted := m.counts == nil || m.counts(call)
	m.mu.Lock()
	if isCounted {
		m.left--
	}
	act := m.act
	now := isCounted && m.left == 0
	m.mu.Unlock()
	if act != nil && now {
		act()
		m.mu.Lock()
		m.dead = m.dies
		m.mu.Unlock()
	}
	m.mu.Lock()
	dead := m.dead
	m.mu.Unlock()
	if dead {
		return errFinal
	}
	return send()
}

// An erasure during any of the worker's calls leaves nothing behind, whether the worker
// continues or dies there, once the queues have redelivered both.
func TestErasureDuringIngestion(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]interleaving{"which goes on": {}, "which dies": {dies: true}, "which dies and comes back first": {true, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var m callTrigger
			s := newManualSystem(t, m.onCall)
			api := s.newAgencyClient()
			calls := 0
			for reached := true; reached; calls++ {
				slug := fmt.Sprintf("quinn-%02d", calls)
				p := person{priya.file, priya.name, slug + "@example.com", slug}
				reached = s.eraseAtCall(&m, api, p, calls+1, how)
			}
			if calls < 10 {
				t.Errorf("the worker made only %d calls", calls)
			}
		})
	}
}

// interleaving describes an erasure during a worker's run: whether the worker dies, and
// whether its message is redelivered before the erasure.
type interleaving struct{ dies, workerFirst bool }

// eraseAtCall submits a person and erases them at the worker's n-th call. It reports
// whether the worker made that many calls.
func (s *manualSystem) eraseAtCall(m *callTrigger, api *client.Client, p person, n int, how interleaving) (reached bool) {
	s.t.Helper()
	accepted, err := api.Submit(s.t.Context(), newSubmitRequest(s.t, p, ""))
	must(s.t, err)
	e := s.newEraser(p, p.slug)
	before := contract.BatchItem{Status: contract.Queued}
	m.armAt(n, how.dies, func() { before = s.readBatch(demo.AgencyID, accepted.BatchID).Items[0]; e.eraseOnce() })
	for _, message := range s.takeMessages() {
		s.deliverMessage(message)
	}
	reached = m.wasReached()
	if how.workerFirst {
		s.advanceClock(2 * time.Minute)
		must(s.t, s.Sweep(s.t.Context()))
		for _, message := range s.takeMessages() {
			s.deliverMessage(message)
		}
	}
	complete := false
	for range 10 {
		s.advanceClock(2 * time.Minute)
		complete = e.eraseOnce()
		if complete {
			break
		}
		s.runWorkers()
	}
	if !complete {
		s.t.Fatalf("call %d: the erasure is not complete", n)
	}
	if left := s.storedTraces(p, p.slug); len(left) > 0 {
		s.t.Errorf("call %d: %q is left", n, left)
	}
	s.runWorkers()
	item := s.readBatch(demo.AgencyID, accepted.BatchID).Items[0]
	if ended := before.Status.Terminal() || !reached; item.ErrorCode != contract.InvalidResumeReference && !ended || !item.Status.Terminal() {
		s.t.Errorf("call %d: the item was %s at the erasure and is %+v", n, before.Status, item)
	}
	return reached
}

// An erasure that dies at any of its own calls erases the rest when it is redelivered. It dies before each
// call that writes: at a read, it leaves what it leaves at the write that follows.
func TestErasureIsResumedAfterCrash(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	cache := s.newProfileCache()
	key := s.newAgencyKey()
	for n := 1; ; n++ {
		slug := fmt.Sprintf("robin-%02d", n)
		p := person{priya.file, priya.name, slug + "@example.com", slug}
		in := bulkItem(t, s, key, p)
		s.submitBulk(key, contract.BulkRequest{Items: []contract.BulkItem{in}})
		s.runWorkers() // a membership, whose upload still stands
		in.RecruiterEmail = new(demo.MemberEmail)
		s.submitBulk(key, contract.BulkRequest{Items: []contract.BulkItem{in}})
		_, err := cache.Profile(t.Context(), slug)
		must(t, err)
		m := callTrigger{counts: isWrite}
		dying := s.newEraser(p, slug, m.onCall)
		m.armAt(n, true, func() {})
		dying.eraseOnce()
		reached := m.wasReached()
		if !dying.eraseOnce() {
			t.Fatalf("call %d: the erasure is not complete when it comes again", n)
		}
		if left := s.storedTraces(p, slug); len(left) > 0 {
			t.Fatalf("call %d: %q is left", n, left)
		}
		s.takeMessages()
		if !reached {
			if n <= 24 {
				t.Errorf("the erasure wrote only %d times", n-1)
			}
			return
		}
		s.advanceClock(time.Minute)
	}
}
