package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// correct returns the candidates of newCandidates without their two mistakes.
func correct(n int) []client.Candidate {
	all := newCandidates(n)
	all[1].ReadResume = func() ([]byte, error) { return []byte("resume of one"), nil }
	all[2].Item.Email = "ada-2@example.com"
	return all
}

// heldReferences returns the references of a HeldError; nil if err is none.
func heldReferences(err error) (references []string) {
	held, _ := errors.AsType[*client.HeldError](err)
	if held == nil {
		return nil
	}
	for _, one := range held.Candidates {
		references = append(references, one.ClientReferenceID)
	}
	return references
}

// A candidate that did not succeed is sent again when it or its resume has changed, or when the caller asks for it;
// one that succeeded never is.
func TestSubmitAllSendsAgain(t *testing.T) {
	t.Parallel()
	changed := newCandidates(4)
	changed[0].Item.Name = "Bea Example"
	changed[2].Item.Email = "ada-2@example.com"
	replaced := newCandidates(4)
	replaced[0].ReadResume = func() ([]byte, error) { return []byte("another resume"), nil }
	unreadable := correct(4)
	unreadable[1].ReadResume = func() ([]byte, error) { return nil, errors.New("no such file") }
	for name, tt := range map[string]struct {
		candidates []client.Candidate
		retry      bool
		accepted   map[string]int // how often each reference arrived in a bulk, after the second run
		again      []string
		held       []string
		succeeded  int
	}{
		"unchanged":           {newCandidates(4), false, map[string]int{"r0": 1, "r2": 1, "r3": 1}, nil, nil, 2},
		"corrected":           {correct(4), false, map[string]int{"r0": 1, "r1": 1, "r2": 2, "r3": 1}, []string{"r1", "r2"}, nil, 4},
		"on request":          {newCandidates(4), true, map[string]int{"r0": 1, "r2": 2, "r3": 1}, []string{"r1", "r2"}, nil, 2},
		"more":                {correct(6), false, map[string]int{"r0": 1, "r1": 1, "r2": 2, "r3": 1, "r4": 1, "r5": 1}, []string{"r1", "r2"}, nil, 6},
		"succeeded, changed":  {changed, false, map[string]int{"r0": 1, "r2": 2, "r3": 1}, []string{"r2"}, []string{"r0"}, 3},
		"succeeded, replaced": {replaced, false, map[string]int{"r0": 1, "r2": 1, "r3": 1}, nil, []string{"r0"}, 2},
		"unreadable":          {unreadable, false, map[string]int{"r0": 1, "r2": 2, "r3": 1}, []string{"r1", "r2"}, []string{"r1"}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFakeService()
				options := client.SubmitAllOptions{Journal: filepath.Join(t.TempDir(), "journal")}
				if _, err := submitAll(t.Context(), t, newClientOf(f), newCandidates(4), options); err != nil {
					t.Fatal(err)
				}
				options.RetryFailed = tt.retry
				plan, err := newClientOf(f).PlanAll(tt.candidates, options)
				if err != nil || !slices.Equal(plan.Again, tt.again) || len(plan.Outcomes) != 4 {
					t.Errorf("the plan is %+v, %v; want %s again", plan, err, tt.again)
				}
				for range 2 { // the third run has nothing to send, but what was asked for
					all, err := submitAll(t.Context(), t, newClientOf(f), tt.candidates, options)
					if got := countSucceeded(all); got != tt.succeeded || !slices.Equal(heldReferences(err), tt.held) {
						t.Errorf("%d succeeded, %v; want %d, and %s held", got, err, tt.succeeded, tt.held)
					}
					options.RetryFailed = false
				}
				if diff := cmp.Diff(tt.accepted, f.submitted); diff != "" {
					t.Errorf("accepted (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func countSucceeded(all map[string]client.Outcome) (n int) {
	for outcome := range maps.Values(all) {
		if outcome.Status == client.OutcomeSucceeded {
			n++
		}
	}
	return n
}

// The run that sends corrected candidates can end at any request: the next one continues, and each of them is
// accepted once more.
func TestSubmitAllSendsAgainAfterAnEnd(t *testing.T) {
	t.Parallel()
	const requests = 5 // two uploads, a bulk, two reads of its batch
	for at := range 2 * requests {
		synctest.Test(t, func(t *testing.T) {
			f := newFakeService()
			options := client.SubmitAllOptions{Journal: filepath.Join(t.TempDir(), "journal")}
			if _, err := submitAll(t.Context(), t, newClientOf(f), newCandidates(4), options); err != nil {
				t.Fatal(err)
			}
			ctx, kill := context.WithCancel(t.Context())
			k := &killer{fakeService: f, at: at/2 + 1, after: at%2 == 1, kill: kill}
			c := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: k}))
			if _, err := submitAll(ctx, t, c, correct(4), options); err == nil {
				t.Fatalf("request %d is not reached", k.at)
			}
			plan, err := newClientOf(f).PlanAll(correct(4), options)
			if err != nil || len(plan.Outcomes) != 4 {
				t.Errorf("request %d: the plan has %d outcomes, %v", k.at, len(plan.Outcomes), err)
			}
			all, err := submitAll(t.Context(), t, newClientOf(f), correct(4), options)
			if err != nil || countSucceeded(all) != 4 {
				t.Errorf("request %d: got %v, %v", k.at, all, err)
			}
			if diff := cmp.Diff(map[string]int{"r0": 1, "r1": 1, "r2": 2, "r3": 1}, f.submitted); diff != "" {
				t.Errorf("request %d: accepted (-want +got):\n%s", k.at, diff)
			}
		})
	}
}

// A bulk without an answer can be sent again only as it was. Its candidates are held while one of them is changed or
// gone, and all others are sent.
func TestSubmitAllHoldsWhatHasNoAnswer(t *testing.T) {
	t.Parallel()
	changed := correct(5)
	changed[0].Item.Name = "Bea Example"
	for name, tt := range map[string]struct {
		candidates []client.Candidate
		held       []string
		reason     string
	}{
		"changed": {changed, []string{"r0", "r1", "r2"}, "has changed"},
		"gone":    {correct(5)[1:], []string{"r0", "r1", "r2"}, "is not among the candidates"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFakeService()
				options := client.SubmitAllOptions{Journal: filepath.Join(t.TempDir(), "journal")}
				ctx, kill := context.WithCancel(t.Context())
				k := &killer{fakeService: f, at: 4, kill: kill} // the bulk
				c := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: k}))
				if _, err := submitAll(ctx, t, c, correct(3), options); err == nil {
					t.Fatal("the bulk is not reached")
				}
				all, err := submitAll(t.Context(), t, newClientOf(f), tt.candidates, options)
				if !slices.Equal(heldReferences(err), tt.held) || !strings.Contains(fmt.Sprint(err), tt.reason) || len(all) != 2 {
					t.Errorf("got %v, %v; want %s held because it %s", all, err, tt.held, tt.reason)
				}
				if all, err := submitAll(t.Context(), t, newClientOf(f), correct(5), options); err != nil || countSucceeded(all) != 5 {
					t.Errorf("restored: got %v, %v", all, err)
				}
			})
		})
	}
}

// A resume that was replaced between its upload and its bulk is uploaded again.
func TestSubmitAllSendsTheNewResume(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFakeService()
		options := client.SubmitAllOptions{Journal: filepath.Join(t.TempDir(), "journal")}
		ctx, kill := context.WithCancel(t.Context())
		k := &killer{fakeService: f, at: 1, after: true, kill: kill} // the upload, which is upload-0
		c := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: k}))
		if _, err := submitAll(ctx, t, c, newCandidates(1), options); err == nil {
			t.Fatal("the upload is not reached")
		}
		const upload = `{"upload":{"clientReferenceId":"r0","resumeFileId":"upload-0","resume":"0","rate":{"left":9,"ends":"2026-01-02T03:04:05Z"}}}`
		appendText(t, options.Journal, upload+"\n")
		all, err := submitAll(t.Context(), t, newClientOf(f), replaceResume(newCandidates(1)), options)
		if got := all["r0"].CandidateUserID; err != nil || got != "cu_upload-1" {
			t.Errorf("got %q, %v; want the second upload", got, err)
		}
	})
}

func replaceResume(all []client.Candidate) []client.Candidate {
	all[0].ReadResume = func() ([]byte, error) { return []byte("another resume"), nil }
	return all
}

// A plan sends nothing and creates no journal.
func TestPlanAll(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	for range 2 {
		plan, err := client.New("http://api.example", key).PlanAll(newCandidates(101), client.SubmitAllOptions{Journal: path})
		if err != nil || plan.Requests != 103 || len(plan.Outcomes)+len(plan.Again)+len(plan.Held) > 0 {
			t.Errorf("got %+v, %v", plan, err)
		}
		if found, _ := filepath.Glob(path); found != nil {
			t.Errorf("found %s", found)
		}
	}
	twice := append(newCandidates(1), newCandidates(1)...)
	if _, err := client.New("http://api.example", key).PlanAll(twice, client.SubmitAllOptions{}); err == nil {
		t.Error("two candidates have one reference")
	}
}

// refuser is a service that refuses a bulk as a whole if an item has no name.
type refuser struct{ *fakeService }

func (s refuser) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	in := contract.BulkRequest{}
	_ = json.Unmarshal(body, &in) // an upload has no items
	var problems []string
	for i, item := range in.Items {
		if item.Name == "" {
			problems = append(problems, fmt.Sprintf("items[%d].name: must not be empty.", i))
		}
	}
	if problems == nil {
		return s.fakeService.RoundTrip(r)
	}
	w := httptest.NewRecorder()
	w.WriteHeader(http.StatusBadRequest)
	details := &contract.ErrorDetails{FieldErrors: map[string][]string{"items": problems}}
	_ = json.NewEncoder(w).Encode(contract.ErrorEnvelope{Error: contract.ErrorBody{Type: "invalid_request_error", Details: details}})
	return w.Result(), nil
}

// Items for which the service refuses a bulk as a whole are held, and the others sent; also if the bulk is one that was
// sent before without an answer.
func TestSubmitAllHoldsRefusedItems(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		testRefusedItems(t, killed)
	}
}

func testRefusedItems(t *testing.T, killed bool) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeService()
		options := client.SubmitAllOptions{Journal: filepath.Join(t.TempDir(), "journal")}
		c := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: refuser{f}}))
		candidates := correct(5)
		candidates[1].Item.Name = ""
		candidates[4].Item.Name = ""
		if killed {
			ctx, kill := context.WithCancel(t.Context())
			k := &killer{fakeService: f, at: 6, kill: kill} // the bulk
			killedClient := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: k}))
			if _, err := submitAll(ctx, t, killedClient, candidates, options); err == nil {
				t.Fatal("the bulk is not reached")
			}
		}
		all, err := submitAll(t.Context(), t, c, candidates, options)
		held, _ := errors.AsType[*client.HeldError](err)
		want := []client.HeldCandidate{{"r1", "name", "was refused: must not be empty."}, {"r4", "name", "was refused: must not be empty."}}
		if countSucceeded(all) != 3 || held == nil || !slices.Equal(held.Candidates, want) {
			t.Errorf("got %v, %v; want %v", all, err, want)
		}
		if all, err := submitAll(t.Context(), t, c, correct(5), options); err != nil || countSucceeded(all) != 5 || len(f.uploads) != 5 {
			t.Errorf("corrected: got %v, %v, with %d uploads", all, err, len(f.uploads))
		}
	})
}

// No request is left of a bulk of the journal that is sent again and refused, be it for all of its items or for some.
func TestNoRequestIsLeftOfARefusedBulkOfTheJournal(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ refused, candidates int }{
		"for all of its items":                    {5, 5},
		"for some, in a call with new candidates": {2, 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFakeService()
				options := client.SubmitAllOptions{Journal: filepath.Join(t.TempDir(), "journal")}
				candidates := correct(tt.candidates)
				for i := range tt.refused {
					candidates[i].Item.Name = ""
				}
				ctx, kill := context.WithCancel(t.Context())
				k := &killer{fakeService: f, at: 6, kill: kill} // the bulk
				killed := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: k}))
				if _, err := submitAll(ctx, t, killed, candidates[:5], options); err == nil {
					t.Fatal("the bulk is not reached")
				}
				var last client.Progress
				options.Progress = func(p client.Progress) { last = p }
				c := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: refuser{f}}))
				all, err := submitAll(t.Context(), t, c, candidates, options)
				if len(heldReferences(err)) != tt.refused || countSucceeded(all) != tt.candidates-tt.refused || last.Requests != 0 {
					t.Errorf("got %v, %v after %+v", all, err, last)
				}
			})
		})
	}
}
