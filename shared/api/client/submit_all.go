package client

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Candidate is a candidate for [Client.SubmitAll].
type Candidate struct {
	// Item is what is submitted. Its ClientReferenceID is required and its own among all candidates.
	// Its Resume is set by SubmitAll.
	Item contract.BulkItem
	// ResumeName is the name of the resume's file, "" for none.
	ResumeName string
	// ReadResume returns the resume's bytes. It is called right before they are uploaded, by several
	// goroutines for different candidates, and for each candidate of the journal, to see whether they
	// have changed.
	ReadResume func() ([]byte, error)
}

// SubmitAllOptions are the settings of [Client.SubmitAll].
type SubmitAllOptions struct {
	// Journal is the path of a file that records what was sent, so that the same call after a crash
	// continues where that one ended. It is created with mode 600, and holds references, ids and
	// outcomes but nothing of a resume. A link is refused. With "" nothing is recorded.
	Journal string
	// RetryFailed sends candidates of the journal again that were rejected or failed, though they
	// have not changed.
	RetryFailed bool
	// Progress is called after every step, by one goroutine at a time.
	Progress func(Progress)
}

// Progress is how far [Client.SubmitAll] has come, in numbers of candidates. What an earlier call
// recorded in the journal is included.
type Progress struct {
	Candidates, Uploaded, Submitted, Ended int
	// Requests is the number of requests of the write tier that are still to be sent.
	Requests int
	// Pause is above zero if the next request waits that long for the rate of the key.
	Pause time.Duration
}

// OutcomeStatus is what became of a candidate.
type OutcomeStatus string

// The outcomes of a candidate. All but Rejected are those of a batch item.
const (
	OutcomeSucceeded    = OutcomeStatus(contract.Succeeded)
	OutcomeFailed       = OutcomeStatus(contract.Failed)
	OutcomeDeduplicated = OutcomeStatus(contract.Deduplicated)
	// OutcomeRejected means that the resume was refused or the item was rejected at submit time.
	OutcomeRejected = OutcomeStatus(contract.BulkRejected)
)

// Outcome is what became of one candidate. Which ids are set depends on how far it came.
type Outcome struct {
	ClientReferenceID string        `json:"clientReferenceId"`
	Status            OutcomeStatus `json:"status"`
	BatchID           string        `json:"batchId,omitempty"`
	SubmissionID      string        `json:"submissionId,omitempty"`
	CandidateUserID   string        `json:"candidateUserId,omitempty"`
	// Errors has the reasons of a rejection, or the one of a failure. Take an unknown code as final.
	Errors []contract.BulkItemError `json:"errors,omitempty"`
}

// NotStartedError is why [Client.SubmitAll] has sent nothing and not even returned the outcomes that its
// journal may hold.
type NotStartedError struct{ error }

// Unwrap returns the reason.
func (e *NotStartedError) Unwrap() error { return e.error }

// SubmitAll submits all candidates and returns the outcome of each, as it becomes known, by its
// ClientReferenceID. It uploads the resumes, submits bulks of at most 100 items, and reads their
// batches until every item has ended. It waits before a request for which the key has no rate left,
// as with [WithPacing].
//
// An error ends the outcomes and is the last pair. If there is a journal, the same call continues
// after an error, a crash or a loop that was left: outcomes that are known are returned again at
// once, and no candidate is submitted twice. For that the Idempotency-Key of each bulk is in the
// journal before the request is sent; an upload that was under way may be repeated, which yields
// the same upload. Only one call can use a journal at a time.
//
// A [NotStartedError] means that nothing was sent and no outcome returned: a candidate without a
// reference or with that of another one, or a journal that is damaged, in use, or of another key or
// base URL.
//
// A candidate of the journal that did not succeed is sent again when its item or its resume has
// changed, or with RetryFailed: in another bulk, with an Idempotency-Key of its own, under the same
// ClientReferenceID. One that succeeded never is. A [HeldError] is the last error of a call that has
// otherwise done everything: it has the candidates that could not be sent.
func (c *Client) SubmitAll(ctx context.Context, candidates []Candidate, options SubmitAllOptions) iter.Seq2[Outcome, error] {
	return func(yield func(Outcome, error) bool) {
		run, err := c.openRun(candidates, options)
		if err != nil {
			yield(Outcome{}, &NotStartedError{err})
			return
		}
		defer run.journal.close()
		if len(run.again) > 0 {
			err = run.journal.append(record{Again: run.again})
		}
		if err != nil {
			yield(Outcome{}, &NotStartedError{err})
			return
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		run.cancel = cancel
		go run.start(ctx)
		open := true
		for outcome := range run.outcomes {
			open = open && yield(outcome, nil)
			if !open {
				cancel(context.Canceled)
			}
		}
		if err := context.Cause(ctx); open && err != nil {
			yield(Outcome{}, err)
		}
	}
}

const (
	// bulkItems is the number of items of a bulk (contract, Limits).
	bulkItems = 100
	// uploadsAtOnce is the number of uploads that the service takes at a time (contract, Limits).
	uploadsAtOnce = 4
	// keyLife is how long an Idempotency-Key is surely known (contract, Limits).
	keyLife = 23 * time.Hour
)

// submitRun is a call of SubmitAll.
type submitRun struct {
	client     *Client
	journal    *journal
	candidates map[string]Candidate
	order      []string // references, in the order of the candidates
	outcomes   chan Outcome
	work       sync.WaitGroup
	cancel     context.CancelCauseFunc
	open       atomic.Int64 // batches that are being followed
	again      []string     // references of candidates that begin their next attempt

	mu        sync.Mutex
	held      []HeldCandidate
	isNotSent map[string]bool // references of held
	progress  Progress
	report    func(Progress)
}

// openRun checks the candidates and reads the journal.
func (c *Client) openRun(candidates []Candidate, options SubmitAllOptions) (*submitRun, error) {
	paced := *c
	paced.pacer = cmp.Or(paced.pacer, newPacer())
	r := &submitRun{
		client: &paced, candidates: map[string]Candidate{}, isNotSent: map[string]bool{}, report: options.Progress,
		outcomes: make(chan Outcome),
	}
	paced.onPause = func(d time.Duration) { r.advance(Progress{Pause: d}) }
	for i, candidate := range candidates {
		if candidate.Item.ClientReferenceID == nil || *candidate.Item.ClientReferenceID == "" {
			return nil, fmt.Errorf("candidate %d has no ClientReferenceID", i)
		}
		reference := *candidate.Item.ClientReferenceID
		if _, twice := r.candidates[reference]; twice {
			return nil, fmt.Errorf("two candidates have the ClientReferenceID %q", reference)
		}
		r.candidates[reference] = candidate
		r.order = append(r.order, reference)
	}
	var err error
	r.journal, err = openJournal(options.Journal, c.baseURL, hashText(c.key))
	if err != nil {
		return nil, err
	}
	for _, b := range r.journal.bulks {
		r.holdUnanswered(b)
	}
	for _, reference := range r.order {
		r.chooseAgain(reference, options.RetryFailed)
	}
	r.journal.apply(record{Again: r.again})
	r.progress = r.countProgress()
	return r, nil
}

func (r *submitRun) hashItem(reference string) string {
	item := r.candidates[reference].Item
	item.Resume = contract.ResumeReference{}
	text, _ := json.Marshal(item) // of strings, numbers and booleans
	return hashText(string(text))
}

func hashText(text string) string {
	return fmt.Sprintf("%.8x", sha256.Sum256([]byte(text)))
}

// start does all the work. The first error ends it.
func (r *submitRun) start(ctx context.Context) {
	defer close(r.outcomes)
	r.advance(Progress{})
	r.spawn(func() error { return r.sendAll(ctx) })
	r.work.Wait()
	if len(r.held) > 0 {
		r.cancel(&HeldError{r.held})
	}
}

func (r *submitRun) spawn(part func() error) {
	r.work.Go(func() {
		if err := part(); err != nil {
			r.cancel(err)
		}
	})
}

// yield returns an outcome to the caller, unless the call has ended.
func (r *submitRun) yield(ctx context.Context, outcome Outcome) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case r.outcomes <- outcome:
		return nil
	}
}

// end records and returns the outcome of the data in sent.
func (r *submitRun) end(ctx context.Context, outcome Outcome, sent fingerprint) error {
	if err := r.journal.append(record{Outcome: &outcome, Sent: sent}); err != nil {
		return err
	}
	r.advance(Progress{Ended: 1})
	return r.yield(ctx, outcome)
}

func (r *submitRun) countProgress() Progress {
	p := Progress{Candidates: len(r.order)}
	pending := 0
	for _, reference := range r.order {
		s := r.journal.at(reference)
		switch {
		case s.isEnded():
			p.Uploaded++
			p.Submitted++
			p.Ended++
		case r.isHeld(reference):
		case s.bulk != nil && s.bulk.Response != nil:
			p.Uploaded++
			p.Submitted++
		case s.bulk != nil, s.isUploaded():
			p.Uploaded++
		default:
			p.Requests++
		}
		if !s.isSent() && !r.isHeld(reference) {
			pending++
		}
	}
	p.Requests += (pending + bulkItems - 1) / bulkItems
	for _, b := range r.journal.bulks {
		if b.Response == nil && !r.isHeld(b.References[0]) {
			p.Requests++
		}
	}
	return p
}

func (r *submitRun) advance(more Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Uploaded += more.Uploaded
	r.progress.Submitted += more.Submitted
	r.progress.Ended += more.Ended
	r.progress.Requests += more.Requests
	r.progress.Pause = more.Pause
	if r.report != nil {
		r.report(r.progress)
	}
}
