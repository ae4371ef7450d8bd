package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	hashes     map[string]string
	order      []string // references, in the order of the candidates
	outcomes   chan Outcome
	work       sync.WaitGroup
	cancel     context.CancelCauseFunc
	open       atomic.Int64 // batches that are being followed

	mu       sync.Mutex
	progress Progress
	report   func(Progress)
}

// openRun checks the candidates and reads the journal.
func (c *Client) openRun(candidates []Candidate, options SubmitAllOptions) (*submitRun, error) {
	paced := *c
	if paced.pacer == nil {
		paced.pacer = newPacer()
	}
	r := &submitRun{
		client: &paced, candidates: map[string]Candidate{}, hashes: map[string]string{}, report: options.Progress,
		outcomes: make(chan Outcome),
	}
	paced.onPause = func(d time.Duration) { r.update(func(p *Progress) { p.Pause = d }) }
	for i, candidate := range candidates {
		if candidate.Item.ClientReferenceID == nil || *candidate.Item.ClientReferenceID == "" {
			return nil, fmt.Errorf("candidate %d has no ClientReferenceID", i)
		}
		reference := *candidate.Item.ClientReferenceID
		if _, twice := r.candidates[reference]; twice {
			return nil, fmt.Errorf("two candidates have the ClientReferenceID %q", reference)
		}
		r.candidates[reference] = candidate
		r.hashes[reference] = hashItem(candidate.Item)
		r.order = append(r.order, reference)
	}
	var err error
	r.journal, err = openJournal(options.Journal, c.baseURL, hashText(c.key))
	if err != nil {
		return nil, err
	}
	if err := r.checkJournal(); err != nil {
		r.journal.close()
		return nil, err
	}
	if w := r.journal.rate; w != nil && time.Now().Before(w.Ends) { // uploads that were under way are not in it
		paced.pacer.set(contract.WriteTier, rateWindow{max(w.Left-uploadsAtOnce, 0), w.Ends})
	}
	r.progress = r.countProgress()
	return r, nil
}

// checkJournal returns an error if a candidate of the journal is not the one of this call.
func (r *submitRun) checkJournal() error {
	for _, b := range r.journal.bulks {
		for i, reference := range b.References {
			_, present := r.candidates[reference]
			switch {
			case present && r.hashes[reference] != b.Hashes[i]:
				return fmt.Errorf("%q has changed since it was sent; submit it under another ClientReferenceID", reference)
			case !present && b.Response == nil:
				return fmt.Errorf("%q was sent, without an answer so far, and is not among the candidates", reference)
			}
		}
		if b.Response == nil && time.Since(b.At) > keyLife {
			return fmt.Errorf("the bulk of %q and %d more was sent at %s without an answer, too long ago to be sent again; look for it with Batches",
				b.References[0], len(b.References)-1, b.At.Format(time.RFC3339))
		}
	}
	return nil
}

func hashItem(item contract.BulkItem) string {
	item.Resume = contract.ResumeReference{}
	text, err := json.Marshal(item)
	if err != nil {
		panic(err) // the type has only strings, numbers and booleans
	}
	return hashText(string(text))
}

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// start does all the work. The first error ends it.
func (r *submitRun) start(ctx context.Context) {
	defer close(r.outcomes)
	r.update(func(*Progress) {})
	r.spawn(func() error { return r.sendAll(ctx) })
	r.work.Wait()
}

// spawn runs a part of the work.
func (r *submitRun) spawn(part func() error) {
	r.work.Go(func() {
		if err := part(); err != nil {
			r.cancel(err)
		}
	})
}

// yield returns an outcome to the caller. It reports false if the call has ended.
func (r *submitRun) yield(ctx context.Context, outcome Outcome) bool {
	select {
	case <-ctx.Done():
		return false
	case r.outcomes <- outcome:
		return true
	}
}

// end records and returns an outcome.
func (r *submitRun) end(ctx context.Context, outcome Outcome) error {
	if err := r.journal.append(record{Outcome: &outcome}); err != nil {
		return err
	}
	r.update(func(p *Progress) { p.Ended++ })
	if !r.yield(ctx, outcome) {
		return ctx.Err()
	}
	return nil
}
