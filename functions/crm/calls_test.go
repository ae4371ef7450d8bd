package crm_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/call"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/role"
)

const callsPath = "/recruiter/notetaker-calls"

// The list shows calls with a transcript, newest first, without what was said; the
// detail adds it.
func TestCalls(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.company()
	b.role("r1", func(r *role.Role) { r.ConfidentialSearch, r.AnonymizedName = true, new("A rival") })
	at := b.now().Add(-time.Hour)
	full := b.recorded(olga, at, "Hello.", "How are you?")
	full.Platform, full.DurationSeconds, full.RoleID = "meet", new(1800.5), new("r1")
	full.Candidate, full.Summary, full.SummaryFull = &call.Candidate{CandidateID: "cand_ada", Name: "Ada Example"}, new("Short"), new("Long")
	full.Transcript.Language, full.Transcript.Segments[0].Speaker = new("en"), new("Ada")
	full.Transcript.Segments[1].StartSeconds = new(1.5)
	b.call("call1", full)
	b.call("call2", b.recorded(olga, at.Add(time.Minute), "Bye."))
	silent := b.recorded(olga, at)
	silent.Transcript = nil
	b.call("call3", silent)
	b.call("call4", b.recorded(ben, at, "Ben's"))
	row := contract.CallRow{
		CallID: "call1", Title: "Screening", ScheduledAt: contract.At(at), Platform: "meet", URL: "https://app.example.com/calls/1",
		DurationSeconds: new(1800.5), Participants: []contract.CallParticipant{{Email: "ada@example.com"}},
		Candidate: &contract.CallCandidate{CandidateID: "cand_ada", Name: "Ada Example"},
		Role: &contract.CallRole{
			RoleID: "r1", Name: "Engineer r1", CompanyName: "Zqorn Labs", ConfidentialSearch: true, AnonymizedName: new("A rival"),
			URLs: contract.Links{Browse: "https://app.example.com/browse/r1"},
		},
		Summary: new("Short"),
	}
	a := b.get(olga, callsPath)
	list := is[contract.ListCallsResponse](t, a)
	if len(list.Calls) != 2 || list.Calls[0].CallID != "call2" || list.NextCursor != nil || strings.Contains(a.body, "Hello") || strings.Contains(a.body, "Long") {
		t.Fatalf("got %s; want call2 and call1, without what was said", a.body)
	}
	if diff := cmp.Diff(row, list.Calls[1]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := contract.RecordedCall{CallRow: row, SummaryFull: new("Long"), UpdatedAt: contract.At(at), Transcript: contract.CallTranscript{
		Language: new("en"), Text: "Hello.\nHow are you?", Segments: []contract.CallSegment{
			{Index: 0, Speaker: new("Ada"), Text: "Hello."}, {Index: 1, StartSeconds: new(1.5), Text: "How are you?"},
		},
	}}
	if diff := cmp.Diff(want, is[contract.RecordedCall](t, b.get(olga, callsPath+"/call1"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	nobody := b.get(olga, callsPath+"/nobody")
	nobody.fails(t, http.StatusNotFound, "")
	for _, id := range []string{"call3", "call4"} {
		if diff := cmp.Diff(plain(nobody), plain(b.get(olga, callsPath+"/"+id))); diff != "" {
			t.Errorf("%s is told from none (-want +got):\n%s", id, diff)
		}
	}
}

// A transcript that is too long is cut at a segment, and says so; one that is not
// does not.
func TestLongTranscript(t *testing.T) {
	t.Parallel()
	b := open(t)
	segment := strings.Repeat("word ", 20_000) // 100 kB
	b.call("long", b.recorded(olga, b.now(), slices.Repeat([]string{segment}, 45)...))
	b.call("short", b.recorded(olga, b.now(), slices.Repeat([]string{segment}, 10)...))
	a := b.get(olga, callsPath+"/long")
	long := is[contract.RecordedCall](t, a).Transcript
	if long.Truncated == nil || !*long.Truncated || len(long.Text) > 4<<20 || len(a.body) > 6_000_000 || len(long.Segments) < 20 ||
		long.Text != strings.Join(slices.Repeat([]string{segment}, len(long.Segments)), "\n") {
		t.Errorf("%d segments, %d bytes of text, an answer of %d, truncated %v", len(long.Segments), len(long.Text), len(a.body), long.Truncated)
	}
	a = b.get(olga, callsPath+"/short")
	if short := is[contract.RecordedCall](t, a).Transcript; len(short.Segments) != 10 || strings.Contains(a.body, "truncated") {
		t.Errorf("%d segments, truncated %v", len(short.Segments), short.Truncated)
	}
}

// Pages of calls go on where the last one ended while calls are added.
func TestCallPages(t *testing.T) {
	t.Parallel()
	b := open(t)
	var want []string
	for n := range 25 {
		id := fmt.Sprintf("call%02d", n)
		want = append([]string{id}, want...)
		b.call(id, b.recorded(olga, b.now().Add(time.Duration(n)*time.Millisecond), "Hi"))
	}
	var got []string
	for cursor := ""; ; {
		page := is[contract.ListCallsResponse](t, b.get(olga, callsPath+"?limit=10"+cursor))
		for _, c := range page.Calls {
			got = append(got, c.CallID)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = fmt.Sprint("&cursor=", *page.NextCursor)
		b.call(fmt.Sprint("later", len(got)), b.recorded(olga, b.now().Add(time.Hour), "Hi"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if page := is[contract.ListCallsResponse](t, b.get(olga, callsPath+"?cursor=9007199254740991")); len(page.Calls) > 0 {
		t.Errorf("past the end: %+v", page)
	}
}

// A transcript that is replaced while it is read is the new one.
func TestReplacedTranscript(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.call("call1", b.recorded(olga, b.now(), "Old"))
	found, _, err := b.tapes.Call(t.Context(), olga, "call1")
	b.must(err)
	b.call("call1", b.recorded(olga, b.now(), "New"))
	got, err := b.tapes.Transcript(t.Context(), found)
	if err != nil || got.Text() != "New" {
		t.Errorf("got %q, %v", got.Text(), err)
	}
	b.must(b.tapes.Put(t.Context(), "call1", b.stamp(), nil))
	if got, err := b.tapes.Transcript(t.Context(), found); err == nil {
		t.Errorf("the deleted one is read: %q", got.Text())
	}
}

// Calls of one moment are listed once each, however small the pages are.
func TestCallsOfOneMoment(t *testing.T) {
	t.Parallel()
	b := open(t)
	for n := range 30 {
		b.call(fmt.Sprint("call", n), b.recorded(olga, b.now(), "Hi"))
	}
	for _, limit := range []int{1, 4, 29, 30, 50} {
		seen := map[string]int{}
		for cursor := ""; ; {
			page := is[contract.ListCallsResponse](t, b.get(olga, fmt.Sprint(callsPath, "?limit=", limit, cursor)))
			for _, c := range page.Calls {
				seen[c.CallID]++
			}
			if page.NextCursor == nil {
				break
			}
			cursor = fmt.Sprint("&cursor=", *page.NextCursor)
		}
		for id, times := range seen {
			if times != 1 || len(seen) != 30 {
				t.Errorf("limit %d: %s is listed %d times, and %d calls in all", limit, id, times, len(seen))
			}
		}
	}
}
