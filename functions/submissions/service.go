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
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
)

// Service holds what the handlers work with.
type Service struct {
	accounts    *account.Store
	submissions reader
	writers     tenant.Guarded[*writers]
	log         *slog.Logger
}

// reader reads the store of submissions.
type reader interface {
	FindUploads(context.Context, tenant.ID, []uuid.UUID) (map[uuid.UUID]submission.Upload, error)
	ReadBatch(context.Context, tenant.ID, uuid.UUID, time.Time) (contract.Batch, time.Time, error)
	ListBatches(context.Context, tenant.ID, string, int, time.Time) ([]contract.BatchSummary, string, error)
}

type writers struct {
	claims      *idempotency.Store
	submissions *submission.Store
	resumes     objectstore.Bucket
	queue       messaging.Queue
}

// New opens the function's tables, bucket and queue and mounts its handlers. It fails on a missing or malformed
// setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	store := submission.Open(o)
	guarded := tenant.Guard(&writers{
		idempotency.NewStore(o.Table(topology.Submissions)), store,
		objectstore.Open(o, topology.Resumes), messaging.Open(o, topology.IngestQueue),
	})
	s := &Service{account.Open(o), store, guarded, o.Log}
	return gateway.Open(o, contract.Submissions, map[string]gateway.Handler{
		"uploadResume":    gateway.HandleWrite(guarded, s.UploadResume),
		"submitBulk":      gateway.Handle(s.SubmitBulk).BeginEarly(),
		"submitCandidate": gateway.Handle(s.Submit).BeginEarly(),
		"getBatch":        gateway.Handle(s.GetBatch).BeginEarly(),
		"listBatches":     gateway.Handle(s.ListBatches).BeginEarly(),
	})
}

// GetBatch serves GET /talent-network/batches/{batchId}.
func (s *Service) GetBatch(ctx context.Context, call *gateway.Call, in contract.BatchRequest) (contract.Batch, error) {
	id, err := uuid.Parse(in.BatchID)
	if err != nil {
		return contract.Batch{}, err
	}
	batch, parkedUntil, err := s.submissions.ReadBatch(ctx, call.Caller.Tenant(), id, call.Now)
	if err != nil {
		return batch, err
	}
	call.BatchID = in.BatchID
	if !batch.Terminal() {
		call.SetRetryAfter(pollingWait(call.Now.Sub(batch.CreatedAt.Time), parkedUntil.Sub(call.Now)))
	}
	return batch, nil
}

// ListBatches serves GET /talent-network/batches.
func (s *Service) ListBatches(ctx context.Context, call *gateway.Call, in contract.ListBatchesRequest) (out contract.BatchList, err error) {
	after, err := cursor.Read(call, in.Cursor, submission.ValidBatchPosition)
	if err != nil {
		return out, err
	}
	batches, next, err := s.submissions.ListBatches(ctx, call.Caller.Tenant(), after, int(in.Limit), call.Now)
	if next != "" {
		out.NextCursor = new(cursor.New(next))
	}
	out.Batches = batches
	return out, err
}

// pollingWait returns the wait before the next poll. It grows with the batch's age: most batches end within seconds,
// and one that has taken minutes will not end in the next second. While all in-flight items are parked, the wait lasts
// until the first of them continues, but at most [maxPollingWait].
func pollingWait(age, parked time.Duration) time.Duration {
	wait := 30 * time.Second
	switch {
	case age < 30*time.Second:
		wait = 2 * time.Second
	case age < 5*time.Minute:
		wait = 5 * time.Second
	}
	return max(wait, min(parked, maxPollingWait))
}

// maxPollingWait bounds the wait, so that a client notices a provider that recovers early.
const maxPollingWait = 2 * time.Minute

// UploadResume serves POST /resumes. The file is stored before the record that names it, and the same bytes lead to
// the same upload.
func (s *Service) UploadResume(ctx context.Context, call *gateway.Call, w *writers, in contract.ResumeFile) (contract.ResumeUpload, error) {
	content, contentType, err := readFile(in, "contentBase64")
	if err != nil {
		return contract.ResumeUpload{}, err
	}
	upload, exists, err := w.submissions.FindUpload(ctx, submission.Upload{
		ID: call.NewID(), Tenant: call.Caller.Tenant(), FileName: in.FileName, ContentType: contentType,
		Size: int64(len(content)), SHA256: fmt.Sprintf("%x", sha256.Sum256(content)), CreatedAt: call.Now.UnixMilli(),
	})
	if err != nil || exists {
		return toResumeUpload(upload), err
	}
	if err := w.resumes.Put(ctx, upload.Key(), contentType, content); err != nil {
		return contract.ResumeUpload{}, err
	}
	upload, err = w.submissions.CommitUpload(ctx, upload)
	return toResumeUpload(upload), err
}

func toResumeUpload(u submission.Upload) contract.ResumeUpload {
	return contract.ResumeUpload{
		ResumeFileID: u.ID.String(), FileName: u.FileName, ContentType: u.ContentType, SizeBytes: u.Size, SHA256: u.SHA256,
		CreatedAt: contract.At(cloud.FromMillis(u.CreatedAt)), ExpiresAt: contract.At(cloud.FromMillis(u.ExpiresAt)),
	}
}

// readFile decodes a resume, whose type is detected from its content, and refuses a file that is recognisably of
// another kind. The errors name the field of the request that holds the content, or the object that it is in.
func readFile(in contract.ResumeFile, field string) (content []byte, contentType string, err error) {
	refuse := func(code contract.Code, message string) *fault.Error {
		path := "contentBase64"
		if field != path {
			path = field + "." + path
		}
		return fault.Field(code, field, path+": "+message)
	}
	content, err = decode.Base64(in.ContentBase64)
	if err != nil {
		return nil, "", refuse(contract.InvalidBase64, decode.NoBase64).Because(err)
	}
	kind, err := filetype.Sniff(content)
	var refused *filetype.Refusal
	switch {
	case errors.As(err, &refused) && refused.Empty:
		return nil, "", refuse(contract.EmptyFile, refused.Message)
	case errors.As(err, &refused):
		return nil, "", refuse(contract.UnsupportedFileType, refused.Message)
	case err != nil:
		return nil, "", err
	}
	return content, kind.ContentType(), nil
}
