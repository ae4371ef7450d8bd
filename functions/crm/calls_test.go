package crm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

const callsPath = "/recruiter/notetaker-calls"

// The list shows calls with a transcript, newest first, without what was said; the
// detail adds it.
func TestCalls(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCompany()
	b.putRole("r1", func(r *role.Role) {
		r.ConfidentialSearch = true
		r.AnonymizedName = new("A rival")
	})
	at := b.Now().Add(-time.Hour)
	full := b.newCall(olga, at, "Hello.", "How are you?")
	full.Platform = "meet"
	full.DurationSeconds = new(1800.5)
	full.RoleID = new("r1")
	full.Candidate = &notetaker.Candidate{CandidateID: "cand_ada", Name: "Ada Example"}
	full.Summary = new("Short")
	full.SummaryFull = new("Long")
	full.Transcript.Language = new("en")
	full.Transcript.Segments[0].Speaker = new("Ada")
	full.Transcript.Segments[1].StartSeconds = new(1.5)
	b.putCall("call1", full)
	b.putCall("call2", b.newCall(olga, at.Add(time.Minute), "Bye."))
	silent := b.newCall(olga, at)
	silent.Transcript = nil
	b.putCall("call3", silent)
	b.putCall("call4", b.newCall(ben, at, "Ben's"))
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
	list := apitest.DecodeOK[contract.CallList](t, a)
	if len(list.Calls) != 2 || list.Calls[0].CallID != "call2" || list.NextCursor != nil || strings.Contains(a.Body, "Hello") || strings.Contains(a.Body, "Long") {
		t.Fatalf("got %s; want call2 and call1, without what was said", a.Body)
	}
	if diff := cmp.Diff(row, list.Calls[1]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := contract.RecordedCall{CallRow: row, SummaryFull: new("Long"), UpdatedAt: contract.At(at), Transcript: contract.CallTranscript{
		Language: new("en"), Text: "Hello.\nHow are you?", Segments: []contract.CallSegment{
			{Index: 0, Speaker: new("Ada"), Text: "Hello."}, {Index: 1, StartSeconds: new(1.5), Text: "How are you?"},
		},
	}}
	if diff := cmp.Diff(want, apitest.DecodeOK[contract.RecordedCall](t, b.get(olga, callsPath+"/call1"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	nobody := b.get(olga, callsPath+"/nobody")
	nobody.CheckError(t, http.StatusNotFound, "")
	for _, id := range []string{"call3", "call4"} {
		if diff := cmp.Diff(parseBody(nobody), parseBody(b.get(olga, callsPath+"/"+id))); diff != "" {
			t.Errorf("%s is told from none (-want +got):\n%s", id, diff)
		}
	}
}

// A stranger to a stealth role reads the company's name in no text of the own call, in list and
// detail; who is approved on it reads the texts as they are.
func TestCallOfStealthRole(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCompany()
	b.putRole("r1", func(r *role.Role) { r.Visibility = contract.RoleVisibilityStealth }, ben)
	for id, recruiterID := range map[string]string{"call1": olga, "call2": ben} {
		c := b.newCall(recruiterID, b.Now(), "Hello from Zqorn Labs.", "Hello.", "I like Zqorn Labs.")
		c.RoleID = new("r1")
		c.Title = "Zqorn Labs intro"
		c.Summary = new("On Zqorn Labs")
		c.SummaryFull = new("All of Zqorn Labs")
		b.putCall(id, c)
	}
	for _, path := range []string{callsPath, callsPath + "/call1"} {
		if body := b.get(olga, path).Body; strings.Contains(strings.ToLower(body), "zqorn") || !strings.Contains(body, "Confidential company intro") {
			t.Errorf("%s: a stranger reads %s", path, body)
		}
	}
	got := apitest.DecodeOK[contract.RecordedCall](t, b.get(olga, callsPath+"/call1"))
	const said = "Hello from Confidential company.\nHello.\nI like Confidential company."
	if got.Transcript.Text != said || *got.SummaryFull != "All of Confidential company" || *got.Summary != "On Confidential company" || len(got.Transcript.Segments) != 3 {
		t.Errorf("a stranger reads %+v", got)
	}
	for _, path := range []string{callsPath, callsPath + "/call2"} {
		if body := b.get(ben, path).Body; !strings.Contains(body, "Zqorn Labs intro") || strings.Contains(body, "Confidential company") {
			t.Errorf("%s: the recruiter of the role reads %s", path, body)
		}
	}
}

// Of a role that is not stored, it is not known what to withhold from the texts.
func TestCallOfUnknownRole(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	c := b.newCall(olga, b.Now(), "Hello from Zqorn Labs.")
	c.RoleID = new("later")
	c.Title = "Zqorn Labs intro"
	c.Summary = new("On Zqorn Labs")
	c.SummaryFull = new("All of Zqorn Labs")
	b.putCall("call1", c)
	for _, path := range []string{callsPath, callsPath + "/call1"} {
		if a := b.get(olga, path); a.Status != http.StatusOK || strings.Contains(a.Body, "Zqorn") || !strings.Contains(a.Body, `"title":""`) {
			t.Errorf("%s: got %d %s", path, a.Status, a.Body)
		}
	}
}

// A transcript is cut at a segment where its text is over 3 MB, or where Lambda could not
// carry the answer, and only then is it marked as truncated.
func TestLongTranscript(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		segment string
		times   int
		cut     bool
	}{
		"short":              {strings.Repeat("word ", 20_000), 10, false},
		"of 3 MB":            {strings.Repeat("x", 29_999), 100, false},
		"of a byte more":     {strings.Repeat("x", 30_000), 100, true},
		"in one of 3 MB":     {strings.Repeat("x", 3_000_000), 1, false},
		"in one of one more": {strings.Repeat("x", 3_000_001), 1, true},
		"quotes of 3 MB":     {strings.Repeat(`"`, 29_999), 100, true},
		"breaks of 3 MB":     {strings.Repeat("\r\x00\\", 9_999), 100, true},
		"long":               {strings.Repeat("word ", 20_000), 45, true},
		"quotes":             {strings.Repeat(`"`, 1000), 3000, true},
		"controls":           {strings.Repeat("\x01\n\t", 1000), 2000, true},
		"separators":         {strings.Repeat("\u2028<&>", 1000), 2000, true},
		"other scripts":      {strings.Repeat("東京 ليلى 👩‍👩‍👧 ", 1000), 100, true},
		"very many segments": {"a", 50_000, true},
		"one long segment":   {strings.Repeat("x", 5<<20), 1, true},
		"invalid UTF-8":      {strings.Repeat("\xff", 1000), 4000, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestService(t)
			tape := b.newCall(olga, b.Now(), slices.Repeat([]string{c.segment}, c.times)...)
			tape.SummaryFull = new(strings.Repeat(`"`, 50_000))
			b.putCall("call1", tape)
			e := events.APIGatewayV2HTTPRequest{RawPath: contract.BasePath + callsPath + "/call1", Headers: map[string]string{"authorization": "Bearer " + b.keys[olga]}}
			e.RequestContext.HTTP.Method = http.MethodGet
			e.RequestContext.HTTP.Path = e.RawPath
			payload, err := json.Marshal(e)
			b.must(err)
			answer, err := lambda.NewHandler(lambdahttp.Handler(b)).Invoke(t.Context(), payload)
			b.must(err)
			var response events.APIGatewayV2HTTPResponse
			b.must(json.Unmarshal(answer, &response))
			got := apitest.DecodeOK[contract.RecordedCall](t, answer200(response)).Transcript
			if len(answer) > 6<<20 || c.cut && len(c.segment) < 1<<20 && len(answer) < 5_900_000 {
				t.Errorf("Lambda carries %d bytes", len(answer))
			}
			said := c.segment
			if len(got.Segments) > 0 {
				said = got.Segments[0].Text
			}
			if n := len(got.Segments); (got.Truncated != nil && *got.Truncated) != c.cut || (n == c.times) == c.cut || len(got.Text) > 3_000_000 ||
				got.Text != strings.Join(slices.Repeat([]string{said}, n), "\n") {
				t.Errorf("%d of %d segments, %d bytes of text, truncated %v", n, c.times, len(got.Text), got.Truncated)
			}
		})
	}
}

func answer200(r events.APIGatewayV2HTTPResponse) apitest.Response {
	return apitest.Response{Status: r.StatusCode, Body: r.Body}
}

// Pages of calls go on where the last one ended while calls are added.
func TestCallPages(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	var want []string
	for n := range 25 {
		id := fmt.Sprintf("call%02d", n)
		want = append([]string{id}, want...)
		b.putCall(id, b.newCall(olga, b.Now().Add(time.Duration(n)*time.Millisecond), "Hi"))
	}
	var got []string
	for cursor := ""; ; {
		page := apitest.DecodeOK[contract.CallList](t, b.get(olga, callsPath+"?limit=10"+cursor))
		for _, c := range page.Calls {
			got = append(got, c.CallID)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = fmt.Sprint("&cursor=", *page.NextCursor)
		b.putCall(fmt.Sprint("later", len(got)), b.newCall(olga, b.Now().Add(time.Hour), "Hi"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if page := apitest.DecodeOK[contract.CallList](t, b.get(olga, callsPath+"?cursor=9007199254740991")); len(page.Calls) > 0 {
		t.Errorf("past the end: %+v", page)
	}
}

// A transcript that is replaced while it is read is the new one.
func TestReplacedTranscript(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCall("call1", b.newCall(olga, b.Now(), "Old"))
	found, _, err := b.recordings.Call(t.Context(), olga, "call1")
	b.must(err)
	b.putCall("call1", b.newCall(olga, b.Now(), "New"))
	got, err := b.recordings.Transcript(t.Context(), found)
	if err != nil || got.Segments[0].Text != "New" {
		t.Errorf("got %+v, %v", got, err)
	}
	b.must(b.recordings.Put(t.Context(), "call1", b.nextStamp(), nil))
	if got, err := b.recordings.Transcript(t.Context(), found); err == nil {
		t.Errorf("the deleted one is read: %+v", got)
	}
}

// Calls of one moment are listed once each, however small the pages are.
func TestCallsOfOneMoment(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	for n := range 30 {
		b.putCall(fmt.Sprint("call", n), b.newCall(olga, b.Now(), "Hi"))
	}
	for _, limit := range []int{1, 4, 29, 30, 50} {
		seen := map[string]int{}
		for cursor := ""; ; {
			page := apitest.DecodeOK[contract.CallList](t, b.get(olga, fmt.Sprint(callsPath, "?limit=", limit, cursor)))
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
