package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

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
		r.candidates[reference], r.hashes[reference] = candidate, hashItem(candidate.Item)
		r.order = append(r.order, reference)
	}
	var err error
	if r.journal, err = openJournal(options.Journal, c.baseURL, hashText(c.key)); err != nil {
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

// sendAll returns the outcomes that the journal knows, and uploads and submits what it does not have.
func (r *submitRun) sendAll(ctx context.Context) error {
	for _, reference := range r.order {
		if outcome, ended := r.journal.outcomes[reference]; ended && !r.yield(ctx, outcome) {
			return ctx.Err()
		}
	}
	for _, b := range r.journal.bulks {
		if err := r.sendBulk(ctx, b); err != nil {
			return err
		}
	}
	pending := slices.DeleteFunc(slices.Clone(r.order), r.journal.isSent)
	for references := range slices.Chunk(pending, bulkItems) {
		uploaded, err := r.uploadAll(ctx, references)
		if err != nil {
			return err
		}
		if len(uploaded) == 0 {
			continue
		}
		b := &sentBulk{IdempotencyKey: uuid.NewString(), References: uploaded, At: time.Now()}
		for _, reference := range uploaded {
			b.Hashes = append(b.Hashes, r.hashes[reference])
		}
		if err := r.journal.append(record{Bulk: b}); err != nil {
			return err
		}
		if err := r.sendBulk(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// sendBulk submits a bulk that the journal has, unless it was answered, and has
// its batch followed.
func (r *submitRun) sendBulk(ctx context.Context, b *sentBulk) error {
	if b.Response == nil {
		in := contract.BulkRequest{IdempotencyKey: b.IdempotencyKey}
		for _, reference := range b.References {
			item := r.candidates[reference].Item
			item.Resume.ResumeFileID = r.journal.uploads[reference]
			in.Items = append(in.Items, item)
		}
		out, err := r.client.SubmitBulk(ctx, in)
		if refused, ok := errors.AsType[*Error](err); ok && isBodyRefused(refused) { // after any other error an earlier attempt may have been accepted
			return errors.Join(describeRefusal(refused, b), r.journal.append(record{Refused: b.IdempotencyKey}))
		}
		if err == nil {
			err = r.journal.append(record{Answer: &bulkAnswer{b.IdempotencyKey, out}})
		}
		if err != nil {
			return err
		}
		b.Response = &out
		r.update(func(p *Progress) { p.Submitted, p.Requests = p.Submitted+len(b.References), p.Requests-1 })
	}
	r.spawn(func() error { return r.follow(ctx, b) })
	return nil
}

// describeRefusal adds the problems, which name items by their index, and the references of the
// first and last item.
func describeRefusal(refused *Error, b *sentBulk) error {
	return fmt.Errorf("the bulk of %q to %q: %w %s %s", b.References[0], b.References[len(b.References)-1], refused, refused.Form, refused.Fields)
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

// countProgress returns how far the journal is.
func (r *submitRun) countProgress() Progress {
	p := Progress{Candidates: len(r.order)}
	pending := 0
	for _, reference := range r.order {
		_, ended := r.journal.outcomes[reference]
		_, uploaded := r.journal.uploads[reference]
		if ended {
			p.Ended++
		}
		if ended || uploaded {
			p.Uploaded++
		} else {
			p.Requests++
		}
		if !r.journal.isSent(reference) {
			pending++
		}
	}
	p.Requests += (pending + bulkItems - 1) / bulkItems
	for _, b := range r.journal.bulks {
		if b.Response != nil {
			p.Submitted += len(b.References)
		} else {
			p.Requests++
		}
	}
	return p
}

// update changes the progress and reports it.
func (r *submitRun) update(change func(*Progress)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Pause = 0
	change(&r.progress)
	if r.report != nil {
		r.report(r.progress)
	}
}
