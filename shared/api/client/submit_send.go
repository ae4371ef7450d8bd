package client

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// sendAll returns the outcomes that the journal knows, and uploads and submits what it does not have.
func (r *submitRun) sendAll(ctx context.Context) error {
	for _, reference := range r.order {
		if s := r.journal.at(reference); s.isEnded() {
			if err := r.yield(ctx, *s.last.Outcome); err != nil {
				return err
			}
		}
	}
	for _, b := range slices.Clone(r.journal.bulks) {
		if b.Response == nil && r.isHeld(b.References[0]) {
			continue
		}
		err := r.sendBulk(ctx, b)
		if errors.Is(err, errItemsHeld) {
			err = r.sendNew(ctx, slices.Clone(b.References))
		}
		if err != nil {
			return err
		}
	}
	pending := slices.DeleteFunc(slices.Clone(r.order), func(reference string) bool {
		return r.journal.at(reference).isSent() || r.isHeld(reference)
	})
	for references := range slices.Chunk(pending, bulkItems) {
		uploaded, err := r.uploadAll(ctx, references)
		if err != nil {
			return err
		}
		if err := r.sendNew(ctx, uploaded); err != nil {
			return err
		}
	}
	return nil
}

// errItemsHeld means that a bulk was refused because of items that are held now.
var errItemsHeld = errors.New("items are held")

// sendNew submits candidates as a bulk, and again without those that are held because the service refused the
// bulk for them.
func (r *submitRun) sendNew(ctx context.Context, references []string) error {
	for {
		references = slices.DeleteFunc(references, r.isHeld)
		if len(references) == 0 {
			r.advance(Progress{Requests: -1}) // the bulk that is not sent
			return nil
		}
		b := &sentBulk{IdempotencyKey: uuid.NewString(), References: slices.Clone(references), At: time.Now()}
		for _, reference := range references {
			b.Hashes = append(b.Hashes, r.hashItem(reference))
		}
		if err := r.journal.append(record{Bulk: b}); err != nil {
			return err
		}
		if err := r.sendBulk(ctx, b); !errors.Is(err, errItemsHeld) {
			return err
		}
	}
}

// sendBulk submits a bulk that the journal has, unless it was answered, and has
// its batch followed.
func (r *submitRun) sendBulk(ctx context.Context, b *sentBulk) error {
	if b.Response == nil {
		in := contract.BulkRequest{IdempotencyKey: b.IdempotencyKey}
		for _, reference := range b.References {
			item := r.candidates[reference].Item
			item.Resume.ResumeFileID = r.journal.at(reference).upload.ResumeFileID
			in.Items = append(in.Items, item)
		}
		sender := *r.client
		sender.last = b.At.Round(0).Add(keyLife)
		out, err := sender.SubmitBulk(ctx, in)
		// After any other error an earlier attempt may have been accepted.
		if refused, ok := errors.AsType[*Error](err); ok && isBodyRefused(refused) {
			if err := r.journal.append(record{Refused: b.IdempotencyKey}); err != nil {
				return err
			}
			if r.holdRefused(refused, b) {
				return errItemsHeld
			}
			last := b.References[len(b.References)-1] // the problems name items by their index
			return fmt.Errorf("the bulk of %q to %q: %w %s %s", b.References[0], last, refused, refused.Form, refused.Fields)
		}
		if err == nil {
			err = r.journal.append(record{Answer: &bulkAnswer{b.IdempotencyKey, out}})
		}
		if err != nil {
			return err
		}
		r.advance(Progress{Submitted: len(b.References), Requests: -1})
	}
	r.spawn(func() error { return r.follow(ctx, b) })
	return nil
}

// uploadAll uploads the resumes that are not uploaded yet, and returns the references without those
// of refused resumes.
func (r *submitRun) uploadAll(ctx context.Context, references []string) ([]string, error) {
	next := make(chan string)
	var workers sync.WaitGroup
	for range uploadsAtOnce {
		workers.Go(func() {
			for reference := range next {
				if err := r.upload(ctx, reference); err != nil {
					r.cancel(err)
				}
			}
		})
	}
	for _, reference := range references {
		if ctx.Err() == nil && !r.journal.at(reference).isUploaded() {
			next <- reference
		}
	}
	close(next)
	workers.Wait()
	isLeft := func(reference string) bool { return !r.journal.at(reference).isUploaded() }
	return slices.DeleteFunc(slices.Clone(references), isLeft), context.Cause(ctx)
}

// upload uploads a candidate's resume. If the service refuses the file, that is the candidate's
// outcome.
func (r *submitRun) upload(ctx context.Context, reference string) error {
	candidate := r.candidates[reference]
	content, err := candidate.ReadResume()
	if err != nil {
		r.hold(reference, resumeField, err.Error())
		r.advance(Progress{Requests: -1})
		return nil
	}
	hash := hashText(string(content))
	file := contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString(content)}
	if candidate.ResumeName != "" {
		file.FileName = &candidate.ResumeName
	}
	out, err := r.client.Upload(ctx, file)
	if refused, ok := errors.AsType[*Error](err); ok && isBodyRefused(refused) {
		r.advance(Progress{Uploaded: 1, Submitted: 1, Requests: -1})
		problems := slices.Concat(refused.Form, refused.Fields["contentBase64"], refused.Fields["fileName"])
		if len(problems) == 0 {
			problems = []string{refused.Message}
		}
		outcome := Outcome{ClientReferenceID: reference, Status: OutcomeRejected, Errors: []contract.BulkItemError{{
			Code: contract.SubmissionError(refused.Code), Field: new(resumeField), Message: strings.Join(problems, " "),
		}}}
		return r.end(ctx, outcome, fingerprint{r.hashItem(reference), hash})
	}
	if err != nil {
		return fmt.Errorf("the resume of %q: %w", reference, err)
	}
	if err := r.journal.append(record{Upload: &sentUpload{reference, out.ResumeFileID, hash}}); err != nil {
		return err
	}
	r.advance(Progress{Uploaded: 1, Requests: -1})
	return nil
}

// isBodyRefused reports whether a body will be refused however often it is sent.
func isBodyRefused(refused *Error) bool {
	return refused.Status == http.StatusBadRequest || refused.Status == http.StatusRequestEntityTooLarge
}

// follow reads the batch of an answered bulk until all its items have ended. The more batches are
// open, the longer it waits, so that together they stay within half the rate.
func (r *submitRun) follow(ctx context.Context, b *sentBulk) error {
	r.open.Add(1)
	defer r.open.Add(-1)
	for _, item := range b.Response.Items {
		if item.Status != contract.BulkRejected {
			continue
		}
		outcome := Outcome{Status: OutcomeRejected, SubmissionID: item.SubmissionID, Errors: item.Errors}
		if err := r.endItem(ctx, b, item.Index, outcome); err != nil {
			return err
		}
	}
	for slices.ContainsFunc(b.References, func(reference string) bool { return r.journal.at(reference).awaits(b) }) {
		batch, header, err := callOperation[contract.Batch](ctx, r.client, "getBatch", contract.BatchRequest{BatchID: b.Response.BatchID})
		if refused, ok := errors.AsType[*Error](err); ok && refused.Status == http.StatusNotFound {
			for _, reference := range b.References { // the batch is older than batches are kept
				if r.journal.at(reference).awaits(b) {
					r.hold(reference, "", fmt.Sprintf(reasonForgotten, b.Response.BatchID))
				}
			}
			return nil
		}
		if err != nil {
			return err
		}
		if err := r.endItems(ctx, b, batch); err != nil || batch.Terminal() {
			return err
		}
		if err := r.client.wait(ctx, max(retryAfter(header), time.Duration(r.open.Load())*time.Second)); err != nil {
			return err
		}
	}
	return nil
}

func (r *submitRun) endItems(ctx context.Context, b *sentBulk, batch contract.Batch) error {
	for _, item := range batch.Items {
		if !item.Status.Terminal() {
			continue
		}
		outcome := Outcome{
			Status: OutcomeStatus(item.Status), SubmissionID: item.SubmissionID, CandidateUserID: item.CandidateUserID,
		}
		if item.ErrorCode != "" {
			outcome.Errors = []contract.BulkItemError{{Code: item.ErrorCode, Message: item.ErrorMessage}}
		}
		if err := r.endItem(ctx, b, item.Index, outcome); err != nil {
			return err
		}
	}
	return nil
}

// endItem ends an item of a bulk, unless it has ended or its candidate is sent again.
func (r *submitRun) endItem(ctx context.Context, b *sentBulk, index int, outcome Outcome) error {
	reference := b.References[index]
	if !r.journal.at(reference).awaits(b) {
		return nil
	}
	outcome.ClientReferenceID = reference
	outcome.BatchID = b.Response.BatchID
	return r.end(ctx, outcome, fingerprint{b.Hashes[index], r.journal.at(reference).upload.Resume})
}
