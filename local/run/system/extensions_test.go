package system_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A client reference is in the response of both submit endpoints and in the batch, from the first
// poll to the outcome, whatever becomes of the item; an item without one has none.
func TestClientReferencesAreKept(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	single := newSubmitRequest(t, priya, "")
	single.ClientReferenceID = new("ats 1 ★")
	var accepted contract.SubmitResponse
	decodeReply(t, s.sendRequest("POST", submitPath, key, encodeBody(t, single)), &accepted)
	if accepted.ClientReferenceID != "ats 1 ★" {
		t.Errorf("got %+v", accepted)
	}
	items := newBulkItems(60, s.uploadResume(key, readPriyaResume(t)).ResumeFileID)
	items[1].ClientReferenceID = new("second")
	items[2].ClientReferenceID = new("rejected")
	items[55].ClientReferenceID = new("in the other part")
	items[2].Email = "no address"
	items[3] = items[1]
	items[3].ClientReferenceID = new("twice")
	bulk := s.submitBulk(key, newBulkRequest(items...))
	read := func(id string) (references map[int]string) {
		var batch contract.Batch
		decodeReply(t, s.sendRequest("GET", "/talent-network/batches/"+id, key, nil), &batch)
		references = map[int]string{}
		for _, item := range batch.Items {
			if item.ClientReferenceID != "" {
				references[item.Index] = string(item.Status) + " " + item.ClientReferenceID
			}
		}
		return references
	}
	want := map[int]string{1: "queued second", 3: "deduplicated twice", 55: "queued in the other part"}
	if diff := cmp.Diff(want, read(bulk.BatchID)); diff != "" {
		t.Errorf("queued (-want +got):\n%s", diff)
	}
	if got := read(accepted.BatchID)[0]; got != "queued ats 1 ★" {
		t.Errorf("got %q", got)
	}
	s.runWorkers()
	if got := read(accepted.BatchID)[0]; got != "succeeded ats 1 ★" {
		t.Errorf("got %q", got)
	}
	for index, reference := range read(bulk.BatchID) {
		if status, name, _ := strings.Cut(reference, " "); !strings.HasSuffix(want[index], name) || status == "queued" {
			t.Errorf("item %d: got %q", index, reference)
		}
	}
}

// Keys of both surfaces read the enumerations; without a key there is none.
func TestEnumerations(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	for _, key := range []string{s.newAgencyKey(), s.newRecruiterKey(demo.OwnerID)} {
		var got contract.Enumerations
		decodeReply(t, s.sendRequest("GET", "/enumerations", key, nil), &got)
		if diff := cmp.Diff(contract.ListEnumerations(), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if r := s.sendRequest("GET", "/enumerations", "", nil); r.status != 401 {
		t.Errorf("got %d", r.status)
	}
}

// changesReader reads the changes of a key as an integration does, page after page.
type changesReader struct {
	*manualSystem
	key, cursor string
}

// next returns what happened since the last call, in short, and checks that its ids lead somewhere.
func (r *changesReader) next() (all []string) {
	r.t.Helper()
	for more := true; more; {
		var page contract.ChangeList
		reply := r.sendRequest("GET", "/talent-network/changes?limit=2&cursor="+r.cursor, r.key, nil)
		decodeReply(r.t, reply, &page)
		if wait := reply.header.Get("Retry-After"); (wait != "") != (len(page.Changes) == 0 && !page.HasMore) {
			r.t.Errorf("got Retry-After %q with %s", wait, reply.body)
		}
		for _, c := range page.Changes {
			all = append(all, strings.TrimSpace(fmt.Sprint(c.Type, " ", c.Status, " ", c.ErrorCode, c.ClientReferenceID)))
			if strings.HasPrefix(string(c.Type), "submission.") != (c.SubmissionID != "" && c.BatchID != "") || c.ID == "" || c.OccurredAt.IsZero() {
				r.t.Errorf("got %+v", c)
			}
		}
		r.cursor = page.NextCursor
		more = page.HasMore
	}
	return all
}

// The changes tell what happened to submissions and candidates, to each reader once, and hold
// nothing of a person, even after the person is erased.
func TestChangesTellWhatHappened(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	r := &changesReader{s, key, ""}
	later := &changesReader{s, key, "latest"}
	want := func(did string, changes ...string) {
		t.Helper()
		for name, reader := range map[string]*changesReader{"from the oldest": r, "from the latest": later} {
			if diff := cmp.Diff(changes, reader.next()); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", did, name, diff)
			}
		}
		s.advanceClock(time.Minute)
	}
	want("nothing")
	in := newSubmitRequest(t, priya, "")
	in.ClientReferenceID = new("ats-1")
	submit := func() {
		if reply := s.sendRequest("POST", submitPath, key, encodeBody(t, in)); reply.status != 200 {
			t.Fatalf("got %s", reply.body)
		}
	}
	submit()
	want("queued")
	s.runWorkers()
	want("ingested", "candidate.added on_market", "submission.succeeded succeeded ats-1")
	id := s.membershipIDs(priya.email)[0]
	put := func(what string, body any) {
		if reply := s.sendRequest("PUT", "/talent-network/candidates/"+id+what, key, encodeBody(t, body)); reply.status != 200 {
			t.Fatalf("got %s", reply.body)
		}
	}
	put("/preferences", newPreferences())
	put("/preferences", changedPreferences())
	put("/preferences", changedPreferences())
	want("preferences", "candidate.preferences_changed")
	put("/fast-track", object{"fastTrack": true})
	for _, action := range []string{"off-market", "off-market", "re-enable", "re-enable"} {
		s.sendRequest("POST", "/talent-network/candidates/"+action, key, encodeBody(t, object{"candidates": []object{{"candidateUserId": id}}}))
	}
	want("market", "candidate.fast_track_changed", "candidate.market_changed off_market", "candidate.market_changed on_market")
	s.advanceClock(network.DefaultEligibility)
	must(t, s.Sweep(t.Context()))
	if reply := s.sendRequest("GET", "/talent-network/changes?cursor="+r.cursor, key, nil); reply.status != 400 || !strings.Contains(reply.body, `"cursor_expired"`) {
		t.Errorf("a cursor of three months ago: got %s", reply.body)
	}
	r.cursor = ""
	later.cursor = ""
	want("expired", "candidate.market_changed expired")
	for e := s.newEraser(priya, priya.slug); !e.eraseOnce(); {
		s.advanceClock(time.Minute)
	}
	want("erased", "candidate.removed")
	if left := s.storedTraces(priya, priya.slug); len(left) > 0 {
		t.Errorf("%q is left", left)
	}
}

// A submission that fails is told with its code, whichever part ends it, and once: the worker, the queue
// that refuses it, the sweeper, or a later submission in its place.
func TestChangesTellFailures(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	r := &changesReader{s, key, ""}
	upload := s.uploadResume(key, readPriyaResume(t)).ResumeFileID
	items := newBulkItems(4, upload) // of other persons than the resume's
	for i := range items {
		items[i].ClientReferenceID = new(fmt.Sprint(" ", i))
	}
	s.submitBulk(key, newBulkRequest(items[0]))
	s.runWorkers()
	s.submitBulk(key, newBulkRequest(items[1]))
	s.submitBulk(key, newBulkRequest(items[2]))
	s.takeMessages() // lost
	s.advanceClock(submission.DefaultTimeout + time.Second)
	s.submitBulk(key, newBulkRequest(items[2], items[3])) // in place of the one whose time is over
	must(t, s.Sweep(t.Context()))
	got := r.next()
	slices.Sort(got)
	want := []string{"submission.failed failed ingest_timed_out 1", "submission.failed failed ingest_timed_out 2", "submission.failed failed resume_identity_mismatch 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a caller may not read or ask is refused, and no key reads another agency's or environment's
// changes.
func TestChangesAreTheAgencys(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	submitAndWaitManually(s, key)
	mine := &changesReader{s, key, ""}
	if got := mine.next(); len(got) != 2 {
		t.Errorf("got %v", got)
	}
	for name, other := range map[string]string{"another agency": s.newOtherAgencyKey(), "live": s.newLiveKey()} {
		theirs := &changesReader{s, other, ""}
		if got := theirs.next(); got != nil {
			t.Errorf("%s: got %v", name, got)
		}
		if r := s.sendRequest("GET", "/talent-network/changes?cursor="+mine.cursor, other, nil); r.status != 400 || !strings.Contains(r.body, `"invalid_cursor"`) {
			t.Errorf("%s with my cursor: got %d %s", name, r.status, r.body)
		}
	}
	for path, want := range map[string]string{
		"?type=candidate.added&type=candidate.removed": `"type":"candidate.added"`, "?limit=500": `"hasMore":false`, "?cursor=": `"id":"1"`, "?cursor=null": `"id":"1"`,
		"?type=submission.failed": `"changes":[]`, "?limit=501": `"limit_too_large"`, "?limit=0": "limit", "?type=added": `"unknown_filter_value"`, "?cursor=newest": `"invalid_cursor"`,
		"?cursor=" + mine.cursor + "&type=candidate.added": `"changes":[]`,
	} {
		if r := s.sendRequest("GET", "/talent-network/changes"+path, key, nil); !strings.Contains(r.body, want) {
			t.Errorf("%s: got %d %s; want %s", path, r.status, r.body, want)
		}
	}
	if r := s.sendRequest("GET", "/talent-network/changes", s.newRecruiterKey(demo.OwnerID), nil); r.status != 403 {
		t.Errorf("a personal key: got %d", r.status)
	}
}

func submitAndWaitManually(s *manualSystem, key string) {
	s.t.Helper()
	if r := s.sendRequest("POST", submitPath, key, encodeBody(s.t, newSubmitRequest(s.t, priya, ""))); r.status != 200 {
		s.t.Fatalf("got %s", r.body)
	}
	s.runWorkers()
}

// The list of batches shows every batch of the agency once, newest first, page by page, with its
// items by status, also of one whose response was lost, and nothing of another agency.
func TestBatchesAreListed(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	read := func(key, query string) (list contract.BatchList) {
		decodeReply(t, s.sendRequest("GET", "/talent-network/batches"+query, key, nil), &list)
		return list
	}
	if list := read(key, ""); len(list.Batches) != 0 || list.NextCursor != nil {
		t.Errorf("got %+v", list)
	}
	single := newSubmitRequest(t, priya, "")
	single.ClientReferenceID = new("ats-1")
	s.sendRequest("POST", submitPath, key, encodeBody(t, single))
	s.runWorkers()
	items := newBulkItems(60, s.uploadResume(key, readPriyaResume(t)).ResumeFileID)
	items[59].Email = "no address"
	items[58] = items[57]
	s.submitBulk(key, newBulkRequest(items...))
	s.submitBulk(key, newBulkRequest(items[:1]...))
	want := []contract.BatchSummary{
		{ItemCount: 1, Counts: contract.BatchCounts{Deduplicated: 1}},
		{ItemCount: 60, Counts: contract.BatchCounts{Queued: 58, Deduplicated: 1}},
		{ItemCount: 1, Counts: contract.BatchCounts{Succeeded: 1}, ClientReferenceID: "ats-1"},
	}
	var got []contract.BatchSummary
	for query := "?limit=1"; query != ""; {
		list := read(key, query)
		got = append(got, list.Batches...)
		query = ""
		if list.NextCursor != nil {
			query = "?limit=1&cursor=" + *list.NextCursor
		}
	}
	unnamed := cmpopts.IgnoreFields(contract.BatchSummary{}, "BatchID", "CreatedAt")
	if diff := cmp.Diff(want, got, unnamed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(got, read(key, "").Batches); diff != "" {
		t.Errorf("on one page (-by one +at once):\n%s", diff)
	}
	for _, b := range got {
		var batch contract.Batch
		decodeReply(t, s.sendRequest("GET", "/talent-network/batches/"+b.BatchID, key, nil), &batch)
		if !batch.CreatedAt.Equal(b.CreatedAt.Time) || batch.ItemCount != b.ItemCount {
			t.Errorf("got %+v; the batch is %+v", b, batch)
		}
	}
	for name, other := range map[string]string{"another agency": s.newOtherAgencyKey(), "live": s.newLiveKey()} {
		if list := read(other, ""); len(list.Batches) != 0 {
			t.Errorf("%s: got %+v", name, list)
		}
	}
	for query, want := range map[string]string{"?limit=101": "limit_too_large", "?cursor=1": "invalid_cursor"} {
		if r := s.sendRequest("GET", "/talent-network/batches"+query, key, nil); r.status != 400 || !strings.Contains(r.body, want) {
			t.Errorf("%s: got %d %s", query, r.status, r.body)
		}
	}
	if r := s.sendRequest("GET", "/talent-network/batches", s.newRecruiterKey(demo.OwnerID), nil); r.status != 403 {
		t.Errorf("a personal key: got %d", r.status)
	}
	s.advanceClock(submission.Retention)
	if list := read(key, ""); len(list.Batches) != 0 {
		t.Errorf("got %+v after the batches have expired", list)
	}
}

// A lookup tells what was read in the resume, which is replaced with the resume and erased with the
// candidate.
func TestResumeFacts(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	submitAndWaitManually(s, key)
	lookup := func() (all []contract.FoundCandidate) {
		var found contract.LookupResponse
		body := object{"candidates": []object{{"email": priya.email}}}
		decodeReply(t, s.sendRequest("POST", "/talent-network/candidates/lookup", key, encodeBody(t, body)), &found)
		return found.Results[0].Candidates
	}
	first := lookup()[0].Resume
	if !first.OnFile || first.ReadAt == nil || first.YearsOfExperience == nil || first.Confidence.YearsOfExperience == nil {
		t.Errorf("got %+v", first)
	}
	s.advanceClock(time.Hour)
	again := newSubmitRequest(t, priya, "")
	again.Resume = contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString([]byte(priya.name + "\n" + priya.email + "\n\nSkills\nKubernetes\n"))}
	if r := s.sendRequest("POST", submitPath, key, encodeBody(t, again)); r.status != 200 {
		t.Fatalf("got %s", r.body)
	}
	s.runWorkers()
	second := lookup()[0].Resume
	if !slices.Equal(second.Skills, []string{"Kubernetes"}) || second.YearsOfExperience != nil || !second.ReadAt.After(first.ReadAt.Time) {
		t.Errorf("got %+v", second)
	}
	for e := s.newEraser(priya, priya.slug); !e.eraseOnce(); {
		s.advanceClock(time.Minute)
	}
	if left := lookup(); len(left) != 0 {
		t.Errorf("got %+v after the erasure", left)
	}
}
