package network_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/ingest"
	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// pipeline is how a client's candidates come: submit and submit-bulk, the queue,
// the worker. What the queue was given is delivered when the client says so.
type pipeline struct {
	*client
	http.Handler
	worker *ingest.Service
	// faulty: calls fail, so an attempt may have to be repeated.
	faulty bool

	mu       sync.Mutex
	messages []string
}

func newPipeline(c *client, hooks []cloud.Hook) *pipeline {
	p := &pipeline{client: c, faulty: len(hooks) > 0}
	host := c.host
	for _, hook := range append([]cloud.Hook{p.keep}, hooks...) {
		host.AWS = cloud.WithHook(host.AWS, hook)
	}
	var err error
	p.Handler, err = submissions.New(c.t.Context(), host)
	c.must(err)
	p.worker, err = ingest.New(c.t.Context(), host)
	c.must(err)
	return p
}

// keep is a hook that notes what the queue is given. What does not reach it and
// could not be ended either is in flight too: the sweeper sends the same again.
func (p *pipeline) keep(_ context.Context, call cloud.Call, send func() error) error {
	if in, ok := call.Input.(*sqs.SendMessageBatchInput); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, entry := range in.Entries {
			if !slices.Contains(p.messages, *entry.MessageBody) {
				p.messages = append(p.messages, *entry.MessageBody)
			}
		}
	}
	return send()
}

// ask repeats a request, under one Idempotency-Key, until it is no fault of ours
// that is answered. An attempt that could not end its claim holds the key for a
// minute.
func (p *pipeline) ask(method, path, body string) apitest.Response {
	key := uuid.NewString()
	for {
		switch a := apitest.Send(p.t.Context(), p.Handler, p.key, method, path, body, "Idempotency-Key", key); a.Status {
		case http.StatusInternalServerError:
		case http.StatusConflict, http.StatusTooManyRequests:
			p.Move(time.Minute)
		default:
			return a
		}
	}
}

// resume differs for each client, so that no other client's clock ends its upload.
func (p *pipeline) resume() string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "Engineer. Ten years of experience with trains. Number %d.\n", p.first))
}

// body is a candidate as it is sent, with more fields.
func (f flight) body(more string) string {
	recruiter := ""
	if f.candidate.OwnerID != olga { // who is the primary owner
		recruiter = fmt.Sprintf(`"recruiterEmail":%q,`, newAgency().Members[f.candidate.OwnerID].Email)
	}
	return fmt.Sprintf(`{"name":%q,"linkedinUrl":%q,"email":%q,"preferences":%s,%s%s}`, f.candidate.Name, f.candidate.LinkedInURL,
		strings.ToUpper(f.candidate.Email), sentPreferences(f.candidate.Preferences.SalaryMin), recruiter, more)
}

// same reports whether two submissions are of the same candidate and owner.
func (f flight) same(other flight) bool {
	return f.email == other.email && f.slug == other.slug && f.candidate.OwnerID == other.candidate.OwnerID
}

// samePerson reports whether two items of one request are of the same person.
func (f flight) samePerson(other flight) bool {
	return f.slug == other.slug && f.candidate.OwnerID == other.candidate.OwnerID
}

// taken makes what was accepted a flight, or reports that it is a duplicate of one that is on its
// way.
func (p *pipeline) taken(f flight, batch, id string) (deduplicated bool) {
	parsed, err := uuid.Parse(id)
	p.must(err)
	item := p.item(batch, id)
	if item.Status == contract.Queued { // by the attempt that came through
		f.candidate.SubmittedAt = item.UpdatedAt.Time
	}
	if slices.ContainsFunc(p.flights, func(o flight) bool {
		return o.same(f) && f.candidate.SubmittedAt.Before(o.candidate.SubmittedAt.Add(submission.DefaultTimeout))
	}) {
		return true
	}
	if p.faulty && item.ErrorCode == contract.EnqueueFailed {
		return false // ended, though the call that ended it told an error
	}
	f.newID = submission.Submission{ID: parsed}.CandidateUserID()
	f.batch = batch
	f.submission = id
	p.flights = append(p.flights, f)
	return false
}

func (p *pipeline) submit(f flight) {
	a := p.ask(http.MethodPost, "/talent-network/candidates/submit", f.body(`"resume":{"contentBase64":"`+p.resume()+`"}`))
	out := apitest.DecodeOK[contract.SubmitResponse](p.t, a)
	p.differ("submit deduplicates", p.taken(f, out.BatchID, out.SubmissionID), out.Deduplicated)
}

func (p *pipeline) bulk(fs []flight) {
	upload := apitest.DecodeOK[contract.ResumeUpload](p.t, p.ask(http.MethodPost, "/resumes", `{"contentBase64":"`+p.resume()+`"}`))
	var items []string
	for _, f := range fs {
		items = append(items, f.body(`"onMarketConfirmed":true,"resume":{"resumeFileId":"`+upload.ResumeFileID+`"}`))
	}
	out := apitest.DecodeOK[contract.BulkResponse](p.t, p.ask(http.MethodPost, "/talent-network/candidates/submit-bulk", `{"items":[`+strings.Join(items, ",")+`]}`))
	for i, f := range fs {
		got := out.Items[i]
		want := contract.BulkQueued
		if p.faulty && got.Status == contract.BulkRejected {
			p.rejected(out, fs, i)
			continue
		}
		if slices.ContainsFunc(fs[:i], f.samePerson) || p.taken(f, out.BatchID, got.SubmissionID) {
			want = contract.BulkDeduplicated
		}
		p.differ("bulk item", want, got.Status)
	}
}

// rejected checks an item that the queue refused: it ended, for itself and for
// those of the same candidate in the request.
func (p *pipeline) rejected(out contract.BulkResponse, fs []flight, i int) {
	got := out.Items[i]
	p.differ("refused item", contract.BatchItem{Status: contract.Failed, ErrorCode: contract.EnqueueFailed}, p.end(out.BatchID, got.SubmissionID))
	for k, f := range fs {
		if f.samePerson(fs[i]) {
			p.differ("an item of the same candidate", got.Status, out.Items[k].Status)
		}
	}
}

// item reads an item of a batch.
func (p *pipeline) item(batch, id string) contract.BatchItem {
	for _, item := range apitest.DecodeOK[contract.Batch](p.t, p.ask(http.MethodGet, "/talent-network/batches/"+batch, "")).Items {
		if item.SubmissionID == id {
			return item
		}
	}
	p.t.Errorf("batch %s has no item %s", batch, id)
	return contract.BatchItem{}
}

// end is how an item of a batch ended.
func (p *pipeline) end(batch, id string) contract.BatchItem {
	item := p.item(batch, id)
	return contract.BatchItem{Status: item.Status, ErrorCode: item.ErrorCode, CandidateUserID: item.CandidateUserID}
}

// land delivers a flight's message and checks how the item ended. Where calls fail, the
// message is delivered again after the lease that was left behind.
func (p *pipeline) land(f flight) {
	for attempt := 1; !p.landed(f, attempt); attempt++ {
		p.Move(2 * time.Minute)
	}
}

func (p *pipeline) landed(f flight, attempt int) bool {
	age := p.Now().Sub(f.candidate.SubmittedAt)
	late := age >= submission.DefaultTimeout
	if !late && age > submission.DefaultTimeout-2*time.Minute {
		p.Move(2 * time.Minute) // a worker begins nothing in the last minute
		late = true
	}
	failed := p.deliver(f)
	if age > submission.Retention {
		return true
	}
	got := p.end(f.batch, f.submission)
	want := contract.BatchItem{Status: contract.Failed, ErrorCode: contract.IngestTimedOut}
	switch {
	case late:
	case p.faulty && !got.Status.Terminal():
		return false
	case p.faulty && attempt >= submission.MaxAttempts && got.Status == contract.Failed:
		want.ErrorCode = contract.InternalError
	default:
		want = contract.BatchItem{Status: contract.Succeeded}
		want.CandidateUserID = p.model.ingest(f.candidate.OwnerID, f.email, f.slug, f.candidate.Preferences.SalaryMin, f.newID, f.candidate.SubmittedAt, p.Now())
	}
	p.differ("batch item", want, got)
	if failed && !p.faulty {
		p.t.Errorf("the worker fails")
	}
	return true
}

// deliver gives the worker a flight's message and reports whether it failed.
func (p *pipeline) deliver(f flight) (failed bool) {
	for _, message := range p.messages {
		if strings.Contains(message, f.submission) {
			out, err := p.worker.Handle(p.t.Context(), events.SQSEvent{Records: []events.SQSMessage{{Body: message}}})
			failed = failed || err != nil || len(out.BatchItemFailures) > 0
		}
	}
	return failed
}
