package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// fakeService is the part of the service that SubmitAll uses, in this process: uploads by their
// bytes, idempotent bulks, batches whose items end on the second read, and the rate of the write
// tier in clock minutes.
type fakeService struct {
	mu        sync.Mutex
	uploads   map[string]string // id by content
	answers   map[string]string // answer by Idempotency-Key
	batches   map[string][]contract.BatchItem
	submitted map[string]int // how often each reference was accepted
	reads     map[string]int
	writes    map[int64]int // by minute
	throttled int
	bulkSizes []int
}

func newFakeService() *fakeService {
	return &fakeService{uploads: map[string]string{}, answers: map[string]string{}, batches: map[string][]contract.BatchItem{},
		submitted: map[string]int{}, reads: map[string]int{}, writes: map[int64]int{}}
}

// RoundTrip serves a request without a network, so that it can be under a moved clock.
func (f *fakeService) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w.Result(), nil
}

func (f *fakeService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	time.Sleep(50 * time.Millisecond) // under the moved clock, an answer takes time
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Method == http.MethodPost && !f.countWrite(w) {
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	switch operation := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]; operation {
	case "resumes":
		f.upload(w, body)
	case "submit-bulk":
		f.submit(w, r.Header.Get("Idempotency-Key"), body)
	default:
		f.read(w, operation)
	}
}

func (f *fakeService) countWrite(w http.ResponseWriter) bool {
	now := time.Now()
	f.writes[now.Unix()/60]++
	left := contract.WriteTier.Limit - f.writes[now.Unix()/60]
	w.Header().Set("X-RateLimit-Remaining", fmt.Sprint(max(left, 0)))
	w.Header().Set("X-RateLimit-Reset", fmt.Sprint(60-now.Unix()%60))
	if left < 0 {
		f.throttled++
	}
	return left >= 0
}

func (f *fakeService) upload(w http.ResponseWriter, body []byte) {
	if bytes.Contains(body, []byte(`"contentBase64":""`)) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"type":"invalid_request_error","code":"empty_file","details":{"fieldErrors":{"contentBase64":["it is empty"]}}}}`)
		return
	}
	id := f.uploads[string(body)]
	if id == "" {
		id = fmt.Sprint("upload-", len(f.uploads))
		f.uploads[string(body)] = id
	}
	_, _ = fmt.Fprintf(w, `{"resumeFileId":%q}`, id)
}

func (f *fakeService) submit(w http.ResponseWriter, key string, body []byte) {
	if f.answers[key] == "" {
		var in contract.BulkRequest
		_ = json.Unmarshal(body, &in)
		out := contract.BulkResponse{BatchID: fmt.Sprint("batch-", len(f.answers))}
		for i, item := range in.Items {
			result := contract.BulkItemResult{Index: i, Status: contract.BulkQueued, ClientReferenceID: *item.ClientReferenceID}
			if item.Email == "" {
				result.Status = contract.BulkRejected
				result.Errors = []contract.BulkItemError{{Code: "invalid_email"}}
			} else {
				f.batches[out.BatchID] = append(f.batches[out.BatchID], contract.BatchItem{Index: i, Status: contract.Succeeded, CandidateUserID: "cu_" + item.Resume.ResumeFileID})
			}
			f.submitted[*item.ClientReferenceID]++
			out.Items = append(out.Items, result)
		}
		answer, _ := json.Marshal(out)
		f.answers[key] = string(answer)
		f.bulkSizes = append(f.bulkSizes, len(in.Items))
	}
	_, _ = io.WriteString(w, f.answers[key])
}

func (f *fakeService) read(w http.ResponseWriter, id string) {
	items := slices.Clone(f.batches[id])
	f.reads[id]++
	if f.reads[id] == 1 && len(items) > 0 {
		items[0].Status = contract.Processing
	}
	_ = json.NewEncoder(w).Encode(contract.Batch{BatchID: id, ItemCount: len(items), Items: items})
}

// newCandidates returns n candidates. The second has no resume and the third no e-mail address.
func newCandidates(n int) (all []client.Candidate) {
	for i := range n {
		candidate := client.Candidate{
			Item:       contract.BulkItem{Name: "Ada Example", Email: fmt.Sprintf("ada-%d@example.com", i), ClientReferenceID: new(fmt.Sprint("r", i)), OnMarketConfirmed: true},
			ReadResume: func() ([]byte, error) { return fmt.Appendf(nil, "resume %d", i), nil },
		}
		switch i {
		case 1:
			candidate.ReadResume = func() ([]byte, error) { return nil, nil }
		case 2:
			candidate.Item.Email = ""
		}
		all = append(all, candidate)
	}
	return all
}

func newClientOf(f *fakeService) *client.Client {
	return client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: f}))
}

// submitAll runs SubmitAll to its end, and returns the outcomes by reference.
func submitAll(ctx context.Context, t *testing.T, c *client.Client, candidates []client.Candidate, options client.SubmitAllOptions) (map[string]client.Outcome, error) {
	t.Helper()
	all := map[string]client.Outcome{}
	for outcome, err := range c.SubmitAll(ctx, candidates, options) {
		if err != nil {
			return all, err
		}
		if _, twice := all[outcome.ClientReferenceID]; twice {
			t.Errorf("%s has two outcomes", outcome.ClientReferenceID)
		}
		all[outcome.ClientReferenceID] = outcome
	}
	return all, nil
}

// A thousand candidates take the time that the rate of the key needs, and no request more is sent
// than it allows.
func TestSubmitAllIsPaced(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFakeService()
		begun := time.Now()
		paused := time.Duration(0)
		all, err := submitAll(t.Context(), t, newClientOf(f), newCandidates(1000), client.SubmitAllOptions{Progress: func(p client.Progress) { paused = max(paused, p.Pause) }})
		if err != nil {
			t.Fatal(err)
		}
		counts := map[client.OutcomeStatus]int{}
		for _, outcome := range all {
			counts[outcome.Status]++
		}
		if counts[client.OutcomeSucceeded] != 998 || counts[client.OutcomeRejected] != 2 {
			t.Errorf("got %v", counts)
		}
		for reference, want := range map[string]contract.SubmissionError{"r1": "empty_file", "r2": "invalid_email"} {
			if errs := all[reference].Errors; len(errs) != 1 || errs[0].Code != want {
				t.Errorf("%s: got %+v; want %s", reference, all[reference], want)
			}
		}
		if !slices.Equal(f.bulkSizes, []int{99, 100, 100, 100, 100, 100, 100, 100, 100, 100}) {
			t.Errorf("the bulks have %v items", f.bulkSizes)
		}
		// 1,010 requests, 60 a minute, from a minute's beginning on.
		if took := time.Since(begun); f.throttled > 0 || took < 16*time.Minute || took > 17*time.Minute+10*time.Second || paused < 30*time.Second {
			t.Errorf("it took %v with pauses of up to %v, and %d requests were refused", took, paused, f.throttled)
		}
	})
}

// A bulk of which no resume is accepted is not among the requests that are left.
func TestNoRequestIsLeftOfABulkThatIsNotSent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		candidates := newCandidates(2)
		for i := range candidates {
			candidates[i].ReadResume = func() ([]byte, error) { return nil, nil }
		}
		var last client.Progress
		_, err := submitAll(t.Context(), t, newClientOf(newFakeService()), candidates, client.SubmitAllOptions{Progress: func(p client.Progress) { last = p }})
		if err != nil || last.Ended != 2 || last.Requests != 0 {
			t.Errorf("got %+v, %v", last, err)
		}
	})
}

// killer is a service whose client's process ends at the request number at: before the request
// arrives, or after it is done and before its response arrives.
type killer struct {
	*fakeService
	at    int
	after bool
	kill  context.CancelFunc
	mu    sync.Mutex
	count int
}

func (k *killer) RoundTrip(r *http.Request) (*http.Response, error) {
	k.mu.Lock()
	k.count++
	dies := k.count == k.at
	k.mu.Unlock()
	if !dies {
		return k.fakeService.RoundTrip(r)
	}
	if k.after {
		_, _ = k.fakeService.RoundTrip(r)
	}
	k.kill()
	return nil, context.Canceled
}

// A process can end at any request, or while it writes a record: the next one continues, each
// candidate is accepted once, and every outcome is returned.
func TestSubmitAllContinuesAfterAnEnd(t *testing.T) {
	t.Parallel()
	const n, requests = 5, 8 // five uploads, a bulk, two reads of its batch
	for at := range 2 * requests {
		synctest.Test(t, func(t *testing.T) {
			f := newFakeService()
			path := filepath.Join(t.TempDir(), "journal")
			ctx, kill := context.WithCancel(t.Context())
			k := &killer{fakeService: f, at: at/2 + 1, after: at%2 == 1, kill: kill}
			c := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: k}))
			before, err := submitAll(ctx, t, c, newCandidates(n), client.SubmitAllOptions{Journal: path})
			if err == nil {
				t.Fatalf("request %d is not reached", k.at)
			}
			appendText(t, path, `{"upload":{"clientRef`)
			all, err := submitAll(t.Context(), t, newClientOf(f), newCandidates(n), client.SubmitAllOptions{Journal: path})
			if err != nil {
				t.Fatal(err)
			}
			if len(all) != n {
				t.Errorf("request %d: %d outcomes after %d", k.at, len(all), len(before))
			}
			for reference, times := range f.submitted {
				if times != 1 {
					t.Errorf("request %d: %s was accepted %d times", k.at, reference, times)
				}
			}
			if len(f.submitted) != n-1 || len(f.answers) != 1 {
				t.Errorf("request %d: %d were accepted in %d bulks", k.at, len(f.submitted), len(f.answers))
			}
			again, err := submitAll(t.Context(), t, client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(nil)), newCandidates(n), client.SubmitAllOptions{Journal: path})
			if err != nil || len(again) != n {
				t.Errorf("a finished journal: %d outcomes, %v", len(again), err)
			}
		})
	}
}

// A journal is refused if continuing with it could do something else than what it records.
func TestSubmitAllRefusesJournals(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		candidates []client.Candidate
		key        string
		more, want string
	}{
		"another key":  {newCandidates(1), "rmk_test_other", "", "another API key"},
		"no reference": {[]client.Candidate{{}}, key, "", "no ClientReferenceID"},
		"twice":        {append(newCandidates(1), newCandidates(1)...), key, "", "two candidates"},
		"no record":    {newCandidates(1), key, "{]\n", "is not a record"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFakeService()
			path := filepath.Join(t.TempDir(), "journal")
			if _, err := submitAll(t.Context(), t, newClientOf(f), newCandidates(1), client.SubmitAllOptions{Journal: path}); err != nil {
				t.Fatal(err)
			}
			appendText(t, path, tt.more)
			c := client.New("http://api.example/api/external/v1", tt.key, client.WithHTTPClient(&http.Client{Transport: f}))
			_, err := submitAll(t.Context(), t, c, tt.candidates, client.SubmitAllOptions{Journal: path})
			if refused, ok := errors.AsType[*client.NotStartedError](err); !ok || !strings.Contains(refused.Error(), tt.want) {
				t.Errorf("got %v; want %q", err, tt.want)
			}
			if len(f.answers) != 1 {
				t.Errorf("%d bulks", len(f.answers))
			}
		})
	}
}

// A bulk whose answer was lost is not sent again once its Idempotency-Key has expired.
func TestSubmitAllGivesUpAfterADay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFakeService()
		path := filepath.Join(t.TempDir(), "journal")
		ctx, kill := context.WithCancel(t.Context())
		k := &killer{fakeService: f, at: 2, after: true, kill: kill} // the bulk
		c := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: k}))
		if _, err := submitAll(ctx, t, c, newCandidates(1), client.SubmitAllOptions{Journal: path}); err == nil || len(f.answers) != 1 {
			t.Fatalf("got %v after %d bulks", err, len(f.answers))
		}
		time.Sleep(24 * time.Hour)
		if _, err := submitAll(t.Context(), t, newClientOf(f), newCandidates(1), client.SubmitAllOptions{Journal: path}); err == nil || !strings.Contains(err.Error(), "too long ago") {
			t.Errorf("got %v", err)
		}
	})
}

// A bulk whose answer was lost is not sent again by the same call either, once its Idempotency-Key has expired.
func TestSubmitAllRetriesNoLongerThanADay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFakeService()
		bulks := 0
		lose := roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := f.RoundTrip(request)
			if strings.HasSuffix(request.URL.Path, "/submit-bulk") {
				bulks++
				time.Sleep(24 * time.Hour)
				return nil, errors.New("the connection is lost")
			}
			return response, err
		})
		c := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: lose}))
		if _, err := submitAll(t.Context(), t, c, newCandidates(1), client.SubmitAllOptions{}); err == nil || bulks != 1 {
			t.Errorf("got %v after %d bulks", err, bulks)
		}
	})
}

// A batch that the service has forgotten holds its candidates, and no others.
func TestSubmitAllHoldsForgottenBatches(t *testing.T) {
	t.Parallel()
	f := newFakeService()
	path := filepath.Join(t.TempDir(), "journal")
	forget := roundTripper(func(request *http.Request) (*http.Response, error) {
		if strings.Contains(request.URL.Path, "/batches/") {
			text := `{"error":{"type":"not_found","message":"Not found."}}`
			return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text)), Request: request}, nil
		}
		return f.RoundTrip(request)
	})
	c := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: forget}))
	all := slices.Delete(newCandidates(4), 1, 3) // without those that end at once
	for n := range all {
		_, err := submitAll(t.Context(), t, c, all[:n+1], client.SubmitAllOptions{Journal: path})
		held, ok := errors.AsType[*client.HeldError](err)
		if !ok || len(held.Candidates) != n+1 || !strings.Contains(held.Candidates[0].Reason, "has expired") || len(f.answers) != n+1 {
			t.Errorf("got %v after %d bulks", err, len(f.answers))
		}
	}
	plan, err := c.PlanAll(all, client.SubmitAllOptions{Journal: path})
	if err != nil || len(plan.UnderWay) != 2 {
		t.Errorf("%+v, %v; want two under way", plan, err)
	}
}

// A file that is no journal stays as it is, also one without a line break, and for a plan. A first line that a crash has cut off is written again.
func TestSubmitAllOverwritesNoOtherFile(t *testing.T) {
	t.Parallel()
	for text, refused := range map[string]bool{"AGENCY_KEY=rmk_live_x": true, `{"a":1}`: true, "{": false, `{"begin":{"version":2,`: false, "": false} {
		path := filepath.Join(t.TempDir(), "journal")
		appendText(t, path, text)
		_, err := newClientOf(newFakeService()).PlanAll(newCandidates(1), client.SubmitAllOptions{Journal: path})
		content, readErr := os.ReadFile(path)
		if (err != nil) != refused || readErr != nil || refused && string(content) != text {
			t.Errorf("%q: %v; the file has %q, %v", text, err, content, readErr)
		}
	}
}

// Leaving the loop ends the run, and its journal can be opened again.
func TestSubmitAllEndsWithItsLoop(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	c := newClientOf(newFakeService())
	for range c.SubmitAll(t.Context(), newCandidates(5), client.SubmitAllOptions{Journal: path}) {
		for _, err := range c.SubmitAll(t.Context(), newCandidates(5), client.SubmitAllOptions{Journal: path}) {
			if err == nil || !strings.Contains(err.Error(), "in use") {
				t.Errorf("two calls at a time: %v", err)
			}
		}
		break
	}
	if all, err := submitAll(t.Context(), t, c, newCandidates(5), client.SubmitAllOptions{Journal: path}); err != nil || len(all) != 5 {
		t.Errorf("got %d outcomes, %v", len(all), err)
	}
}

func appendText(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.WriteString(text)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A journal is not written behind a link, nor waited for in a pipe.
func TestSubmitAllFollowsNoLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := newFakeService()
	target := filepath.Join(dir, "target")
	link := filepath.Join(dir, "journal")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for _, there := range []bool{false, true} {
		if there {
			appendText(t, target, "")
		}
		if _, err := submitAll(t.Context(), t, newClientOf(f), newCandidates(1), client.SubmitAllOptions{Journal: link}); err == nil || !strings.Contains(err.Error(), "is a link") {
			t.Errorf("target there: %v: got %v", there, err)
		}
	}
	if content, err := os.ReadFile(target); err != nil || len(content) > 0 || len(f.answers) > 0 {
		t.Errorf("the target has %q, %v, and %d bulks were sent", content, err, len(f.answers))
	}
}

// roundTripper is an http.RoundTripper.
type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }
