package client

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

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
