// Package submissions serves the endpoints that accept candidates and report
// what became of them: resumes, submit, submit-bulk and batches.
//
// A submit handler begins an attempt (it claims the Idempotency-Key and reads what
// items are judged by), judges the items, accepts and enqueues the batch, and ends the
// attempt. A single submit is a bulk of one that brings its file. The package does not
// know how a submission is ingested.
package submissions

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// Service holds what the handlers work with.
type Service struct {
	accounts    *account.Store
	claims      *idempotency.Store
	submissions *submission.Store
	resumes     objectstore.Bucket
	queue       messaging.Queue
	log         *slog.Logger
}

// New opens the function's tables, bucket and queue and mounts its handlers. It
// fails on a missing or malformed setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	s := &Service{
		accounts:    account.Open(o),
		claims:      idempotency.NewStore(o.Table(topology.Submissions)),
		submissions: submission.Open(o),
		resumes:     objectstore.Open(o, topology.Resumes),
		queue:       messaging.Open(o, topology.IngestQueue),
		log:         o.Log,
	}
	return gateway.Open(o, contract.Submissions, map[string]gateway.Handler{
		"uploadResume":    gateway.Handle(s.UploadResume),
		"submitBulk":      gateway.Handle(s.SubmitBulk).BeginEarly(),
		"submitCandidate": gateway.Handle(s.Submit).BeginEarly(),
		"getBatch":        gateway.Handle(s.GetBatch).BeginEarly(),
		"listBatches":     gateway.Handle(s.ListBatches).BeginEarly(),
	})
}
