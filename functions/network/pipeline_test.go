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
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/submission"
)

// pipeline is how a client's candidates really come: submit and submit-bulk, the
// queue, the worker. What the queue took is delivered when the client says so.
type pipeline struct {
	*client
	http.Handler
	worker *ingest.Service

	mu       sync.Mutex
	messages []string
}

func newPipeline(c *client) *pipeline {
	p := &pipeline{client: c}
	host := c.host
	host.AWS = cloud.WithHook(host.AWS, p.keep)
	var err error
	p.Handler, err = submissions.New(c.t.Context(), host)
	c.must(err)
	p.worker, err = ingest.New(c.t.Context(), host)
	c.must(err)
	return p
}

// keep is a hook that notes what the queue takes.
func (p *pipeline) keep(_ context.Context, call cloud.Call, send func() error) error {
	if in, ok := call.Input.(*sqs.SendMessageBatchInput); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, entry := range in.Entries {
			p.messages = append(p.messages, *entry.MessageBody)
		}
	}
	return send()
}

func (p *pipeline) post(path, body string) answer {
	return request(p.t.Context(), p.Handler, p.key, http.MethodPost, path, body)
}

// resume is each client's own, so that nobody else's clock ends its upload.
func (p *pipeline) resume() string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "Engineer. Ten years of experience with trains. Number %d.\n", p.first))
}

// body is a candidate as it is sent, with more fields.
func (f flight) body(more string) string {
	recruiter := ""
	if f.candidate.OwnerID != olga { // who is the primary owner
		recruiter = fmt.Sprintf(`"recruiterEmail":%q,`, agency().Members[f.candidate.OwnerID].Email)
	}
	return fmt.Sprintf(`{"name":%q,"linkedinUrl":%q,"email":%q,"preferences":%s,%s%s}`, f.candidate.Name, f.candidate.LinkedInURL,
		strings.ToUpper(f.candidate.Email), sentPreferences(f.candidate.Preferences.SalaryMin), recruiter, more)
}

// same tells whether two submissions are of the same candidate and owner.
func (f flight) same(other flight) bool {
	return f.email == other.email && f.slug == other.slug && f.candidate.OwnerID == other.candidate.OwnerID
}

// taken makes what was accepted a flight, or tells that it is a duplicate of one
// that is on its way.
func (p *pipeline) taken(f flight, batch, id string) (deduplicated bool) {
	if slices.ContainsFunc(p.flights, func(o flight) bool {
		return o.same(f) && p.now().Before(o.candidate.SubmittedAt.Add(submission.DefaultTimeout))
	}) {
		return true
	}
	parsed, err := uuid.Parse(id)
	p.must(err)
	f.newID, f.batch, f.submission = submission.Submission{ID: parsed}.CandidateUserID(), batch, id
	p.flights = append(p.flights, f)
	return false
}

func (p *pipeline) submit(f flight) {
	a := p.post("/talent-network/candidates/submit", f.body(`"resume":{"contentBase64":"`+p.resume()+`"}`))
	out := is[contract.SubmitResponse](p.t, a)
	p.differ("submit deduplicates", p.taken(f, out.BatchID, out.SubmissionID), out.Deduplicated)
}

func (p *pipeline) bulk(fs []flight) {
	upload := is[contract.ResumeUpload](p.t, p.post("/resumes", `{"contentBase64":"`+p.resume()+`"}`))
	var items []string
	for _, f := range fs {
		items = append(items, f.body(`"onMarketConfirmed":true,"resume":{"resumeFileId":"`+upload.ResumeFileID+`"}`))
	}
	out := is[contract.BulkResponse](p.t, p.post("/talent-network/candidates/submit-bulk", `{"items":[`+strings.Join(items, ",")+`]}`))
	for i, f := range fs {
		want := contract.BulkQueued
		if p.taken(f, out.BatchID, out.Items[i].SubmissionID) {
			want = contract.BulkDeduplicated
		}
		p.differ("bulk item", want, out.Items[i].Status)
	}
}

// land delivers a flight's message and checks how the item ended.
func (p *pipeline) land(f flight) {
	age := p.now().Sub(f.candidate.SubmittedAt)
	late := age >= submission.DefaultTimeout
	if !late && age > submission.DefaultTimeout-2*time.Minute {
		p.move(2 * time.Minute) // a worker begins nothing in the last minute
		late = true
	}
	want := contract.BatchItem{Status: contract.Failed, ErrorCode: contract.IngestTimedOut}
	if !late {
		want = contract.BatchItem{Status: contract.Succeeded}
		want.CandidateUserID = p.model.ingest(f.candidate.OwnerID, f.email, f.slug, f.candidate.Preferences.SalaryMin, f.newID, f.candidate.SubmittedAt, p.now())
	}
	for _, message := range p.messages {
		if strings.Contains(message, f.submission) {
			out, err := p.worker.Handle(p.t.Context(), events.SQSEvent{Records: []events.SQSMessage{{Body: message}}})
			if err != nil || len(out.BatchItemFailures) > 0 {
				p.t.Errorf("the worker fails: %v, %v", out, err)
			}
		}
	}
	if age > submission.Retention {
		return
	}
	batch := is[contract.Batch](p.t, request(p.t.Context(), p.Handler, p.key, http.MethodGet, "/talent-network/batches/"+f.batch, ""))
	for _, item := range batch.Items {
		if item.SubmissionID == f.submission {
			got := contract.BatchItem{Status: item.Status, ErrorCode: item.ErrorCode, CandidateUserID: item.CandidateUserID}
			p.differ("batch item", want, got)
		}
	}
}
