package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// status shows the system and both keys; a key that is refused is its failure.
func TestStatus(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("GET /health", respond(200, `{"status":"ok","version":"1.2.3"}`))
	mux.HandleFunc("GET /identity", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer rmk_test_y" {
			respond(401, `{"error":{"type":"authentication_error","code":"revoked_api_key","message":"No."}}`).ServeHTTP(w, r)
			return
		}
		_, _ = io.WriteString(w, `{"principal":"agency","agency":{"name":"Northlight"},"scopes":["identity:read"],"rateLimits":{"default":{"limit":600},"write":{"limit":60,"windowSeconds":60}}}`)
	})
	address := newServer(t, mux)
	out, messages, code := runAt(t, address, "status")
	for _, want := range []string{address, "yes, version 1.2.3", "Northlight", "identity:read", "600 reads and 60 writes in 60 seconds", "RECRUITER_KEY  refused"} {
		if !strings.Contains(out, want) {
			t.Errorf("got %s; want %q", out, want)
		}
	}
	if code != exitRefused || !strings.Contains(messages, "RECRUITER_KEY: identity: 401") {
		t.Errorf("exits with %d: %s", code, messages)
	}
	if out, _, _ := runAt(t, address, "status", "--json"); !json.Valid([]byte(out)) || !strings.Contains(out, `"RECRUITER_KEY":{"refused":`) {
		t.Errorf("got %s", out)
	}
	if _, messages, code := runAt(t, "http://127.0.0.1:1", "status"); code != exitUnreachable || !strings.Contains(messages, "http://127.0.0.1:1: health") {
		t.Errorf("exits with %d: %s", code, messages)
	}
}

// logs prints the events of the console, and says where there is none.
func TestLogs(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("GET /console/events", respond(200, "retry: 1000\n\n"+
		"id: 1\nevent: request\ndata: {\"at\":\"2026-03-01T09:00:00.123Z\",\"method\":\"GET\",\"path\":\"/identity\",\"status\":200,\"ms\":7,\"requestId\":\"r\"}\n\n: 0 dropped\n\n"+
		"id: 2\nevent: attempt\ndata: {\"at\":\"2026-03-01T09:00:01Z\",\"status\":\"failed\",\"ms\":\"12\",\"code\":\"profile_not_found\",\"batchId\":\"b\"}\n\n"))
	address := newServer(t, mux)
	want := "2026-03-01 09:00:00  200             7 ms  GET /identity\n2026-03-01 09:00:01  failed         12 ms  attempt at a submission  profile_not_found  b\n"
	for _, args := range [][]string{{"logs"}, {"logs", "--follow"}} {
		out, messages, code := runAt(t, address, append(args, "--base-url", address+contract.BasePath)...)
		if out != want || code != 0 {
			t.Errorf("%s exits with %d: %s %s; want %s", args, code, out, messages, want)
		}
	}
	out, _, _ := runAt(t, address, "logs", "--json", "--base-url", address+contract.BasePath)
	if line, _, _ := strings.Cut(out, "\n"); line != `{"kind":"request","at":"2026-03-01T09:00:00.123Z","method":"GET","path":"/identity","status":200,"ms":7,"requestId":"r"}` {
		t.Errorf("got %s", out)
	}
	none := newServer(t, http.NotFoundHandler())
	if _, messages, code := runAt(t, none, "logs", "--base-url", none+contract.BasePath); code != exitRefused || !strings.Contains(messages, "has no console") {
		t.Errorf("exits with %d: %s", code, messages)
	}
}

// batches reads no further than --since, and finds the batch of a reference.
func TestBatchesAreChosen(t *testing.T) {
	t.Parallel()
	asked := map[string]int{}
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cursor := r.URL.Query().Get("cursor")
		asked[cursor]++
		pages := map[string]string{
			"":  `{"batches":[{"batchId":"b3","createdAt":"2026-03-03T09:00:00Z","clientReferenceId":"x"},{"batchId":"b2","createdAt":"2026-03-02T09:00:00Z"}],"nextCursor":"c"}`,
			"c": `{"batches":[{"batchId":"b1","createdAt":"2026-03-01T09:00:00Z","clientReferenceId":"x"}],"nextCursor":"d"}`,
			"d": `{"batches":[],"nextCursor":null}`,
		}
		_, _ = io.WriteString(w, pages[cursor])
	})
	address := newServer(t, service)
	for args, want := range map[string]string{
		"": "b3 b2 b1", "--reference x": "b3 b1", "--since 2026-03-02": "b3 b2", "--since 2026-03-01T09:00:00Z": "b3 b2 b1", "--reference x --since 2026-03-02": "b3",
		"--since 24h": "", "--reference y": "",
	} {
		out, _, code := runAt(t, address, append([]string{"batches"}, strings.Fields(args)...)...)
		var got []string
		for line := range strings.Lines(out) {
			if id := strings.Fields(line)[0]; id != "BATCH" {
				got = append(got, id)
			}
		}
		if strings.Join(got, " ") != want || code != 0 {
			t.Errorf("%q exits with %d: got %q; want %q", args, code, got, want)
		}
	}
	if asked["d"] != 4 { // by the runs that --since does not end
		t.Errorf("the pages were read %v times", asked)
	}
	if _, messages, code := runAt(t, address, "batches", "--since", "yesterday"); code != exitInput || !strings.Contains(messages, `"yesterday" is not a time`) {
		t.Errorf("exits with %d: %s", code, messages)
	}
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	if got, err := (batchesCommand{Since: "90m"}).parseSince(now); err != nil || !got.Equal(now.Add(-90*time.Minute)) {
		t.Errorf("got %v, %v", got, err)
	}
}

// preferences bulk asks for fifty candidates at a time, and prints a line for each membership.
func TestPreferencesOfMany(t *testing.T) {
	t.Parallel()
	var sizes []int
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := contract.LookupRequest{}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		sizes = append(sizes, len(in.Candidates))
		_, _ = io.WriteString(w, `{"results":[{"index":0,"status":"resolved","candidates":[{"candidateUserId":"cu_x","preferences":{"locations":["uk"],"salaryMin":90000}},`+
			`{"candidateUserId":"cu_y","preferences":null}]},{"index":1,"status":"not_found"}]}`)
	})
	args := []string{"preferences", "bulk"}
	for i := range 60 {
		args = append(args, fmt.Sprintf("p%d@example.com", i))
	}
	out, messages, code := runCommand(t, service, args...)
	want := []string{
		"p0@example.com   resolved   cu_x       uk         -          90000       -               -", "p0@example.com   resolved   cu_y       -          -          -           -               -",
		"p1@example.com   not_found  -          -          -          -           -               -", "p50@example.com  resolved   cu_x       uk         -          90000       -               -",
	}
	for _, line := range want {
		if !strings.Contains(out, line+"\n") {
			t.Errorf("exits with %d: %s %s; want %q", code, out, messages, line)
		}
	}
	if len(sizes) != 2 || sizes[0] != 50 || sizes[1] != 10 {
		t.Errorf("the requests have %v references", sizes)
	}
}

// Commands for several candidates send as many requests as they need, and say what the requests before a failed one did.
func TestManyCandidates(t *testing.T) {
	t.Parallel()
	for command, most := range map[string]int{"lookup": 50, "preferences bulk": 50, "off-market": 100, "re-enable": 100} {
		for _, failing := range []bool{false, true} {
			var sizes []int
			service := answerReferences(t, &sizes, most, failing)
			args := append(strings.Fields(command), "--json")
			for i := range most + 10 {
				args = append(args, fmt.Sprintf("p%d@example.com", i))
			}
			out, messages, code := runCommand(t, service, args...)
			want := most + 10
			wantCode := 0
			if failing {
				want = most
				wantCode = exitRefused
			}
			if got := strings.Count(out, "\n"); got != want || code != wantCode || len(sizes) != 2 || sizes[0] != most || sizes[1] != 10 {
				t.Errorf("%s exits with %d: %d lines after requests of %v references: %s", command, code, got, sizes, messages)
			}
			last := fmt.Sprintf(`"index":%d,`, want-1)
			if isChange := most == 100; isChange && !strings.Contains(out, last) {
				t.Errorf("%s: no result has %s: %s", command, last, out)
			}
		}
	}
}

// answerReferences returns a service that has a result for each reference, and refuses requests with fewer than most of them if failing.
func answerReferences(t *testing.T, sizes *[]int, most int, failing bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := contract.LookupRequest{}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		*sizes = append(*sizes, len(in.Candidates))
		if failing && len(in.Candidates) < most {
			respond(400, `{"error":{"type":"invalid_request_error","message":"No."}}`).ServeHTTP(w, r)
			return
		}
		var results []string
		for i := range in.Candidates {
			results = append(results, fmt.Sprintf(`{"index":%d,"ok":true,"status":"found"}`, i))
		}
		_, _ = io.WriteString(w, `{"results":[`+strings.Join(results, ",")+`]}`)
	})
}

// Each candidate of several requests is named by its own reference, and one that could not be changed is an outcome.
func TestChangesOfManyCandidates(t *testing.T) {
	t.Parallel()
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := contract.MarketRequest{}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		ok := len(in.Candidates) == 100
		_, _ = fmt.Fprintf(w, `{"results":[{"index":1,"ok":%t,"status":"not_found"}]}`, ok)
	})
	args := []string{"off-market"}
	for i := range 102 {
		args = append(args, fmt.Sprintf("p%d@example.com", i))
	}
	out, messages, code := runCommand(t, service, args...)
	if code != exitOutcome || !strings.Contains(out, "\np1@example.com ") || !strings.Contains(out, "\np101@example.com ") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
}

func TestFastTrack(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("GET /talent-network/candidates/cu_1/fast-track", respond(200, `{"candidateUserId":"cu_1","fastTrack":false}`))
	mux.HandleFunc("PUT /talent-network/candidates/cu_1/fast-track", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, `{"candidateUserId":"cu_1","offMarket":true,%s`, body[1:])
	})
	for args, want := range map[string]string{
		"fast-track cu_1": "fast track  off\n", "fast-track show cu_1": "fast track  off\n", "fast-track set cu_1 on": "on, once the candidate is back on the market\n",
		"fast-track set cu_1 off": "fast track  off\n", "fast-track set cu_1 on --json": `{"candidateUserId":"cu_1","fastTrack":true,"offMarket":true}` + "\n",
	} {
		if out, messages, code := runCommand(t, mux, strings.Fields(args)...); code != 0 || !strings.HasSuffix(out, want) {
			t.Errorf("%s exits with %d: %s %s; want %q", args, code, out, messages, want)
		}
	}
}

func TestResumesUpload(t *testing.T) {
	t.Parallel()
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := contract.ResumeFile{}
		_ = json.NewDecoder(r.Body).Decode(&in)
		_, _ = fmt.Fprintf(w, `{"resumeFileId":"id-of-%s","fileName":%[1]q,"contentType":"text/plain","sizeBytes":11,"expiresAt":"2026-03-08T09:00:00Z"}`, *in.FileName)
	})
	good := writeFile(t, "ada.txt", "Ada Example")
	bad := writeFile(t, "none.txt", "")
	out, messages, code := runCommand(t, service, "resumes", "upload", good)
	if code != 0 || !strings.Contains(out, "id-of-ada.txt  ada.txt  text/plain  11     2026-03-08 09:00:00") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
	refusing := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := contract.ResumeFile{}
		_ = json.NewDecoder(r.Body).Decode(&in)
		if *in.FileName == "bea.txt" {
			respond(403, `{"error":{"type":"permission_error","message":"No."}}`).ServeHTTP(w, r)
			return
		}
		_, _ = fmt.Fprintf(w, `{"resumeFileId":"id-of-%s"}`, *in.FileName)
	})
	out, messages, code = runCommand(t, refusing, "resumes", "upload", good, writeFile(t, "bea.txt", "Bea Example"), good)
	if code != exitRefused || strings.Count(out, "id-of-ada.txt") != 1 { // what was uploaded before the failure is printed
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
	if out, messages, code := runCommand(t, unused(t), "resumes", "upload", good, bad); code != exitInput || !strings.Contains(out, "none.txt: the file is empty") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
}
