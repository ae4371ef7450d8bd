// Package submissions serves the endpoints that take candidates in and tell
// what became of them: resumes, submit, submit-bulk and batches.
//
// A submit handler begins an attempt (the idempotency claim beside what items are
// judged by), judges the items, has the batch taken, and ends the attempt. A
// single submit is a bulk of one that brings its file. What ingestion makes of a
// submission is not known here.
package submissions

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/submission"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Service holds what the handlers work with.
type Service struct {
	accounts    *account.Store
	claims      *idempotency.Store
	submissions *submission.Store
	resumes     cloud.Bucket
	queue       cloud.Queue
	log         *slog.Logger
}

// New opens the function's tables, bucket and queue and mounts its handlers. It
// fails on a missing or malformed setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	s, err := open(h)
	if err != nil {
		return nil, err
	}
	return gateway.ForHost(h, contract.Submissions, map[string]gateway.Handler{
		"uploadResume":    gateway.Handle(s.UploadResume),
		"submitBulk":      gateway.Handle(s.SubmitBulk),
		"submitCandidate": gateway.Handle(s.Submit),
		"getBatch":        gateway.Handle(s.GetBatch),
	})
}

func open(h cloud.Host) (*Service, error) {
	accounts, err := h.Table(topology.Accounts)
	if err != nil {
		return nil, err
	}
	table, err := h.Table(topology.Submissions)
	if err != nil {
		return nil, err
	}
	settings, err := submission.SettingsFrom(h)
	if err != nil {
		return nil, err
	}
	resumes, err := h.Bucket(topology.Resumes)
	if err != nil {
		return nil, err
	}
	queue, err := h.Queue(topology.IngestQueue)
	if err != nil {
		return nil, err
	}
	write := dynamo.New(h.AWS).WriteTx
	return &Service{
		accounts:    account.NewStore(accounts, write),
		claims:      idempotency.NewStore(table),
		submissions: submission.NewStore(table, write, settings),
		resumes:     resumes,
		queue:       queue,
		log:         h.Log,
	}, nil
}
