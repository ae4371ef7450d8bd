package submissions

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// SubmitBulk serves POST /talent-network/candidates/submit-bulk: a batch of up
// to 100, each judged by itself, whose files were uploaded before.
func (s *Service) SubmitBulk(ctx context.Context, call *gateway.Call, in contract.BulkRequest) (contract.BulkResponse, error) {
	intake, err := s.beginAttempt(ctx, call, in.IdempotencyKey, namedUploads(in.Items))
	if err != nil || intake.attempt.Answer != nil {
		call.Replay(intake.attempt.Answer)
		return contract.BulkResponse{}, err
	}
	out, err := s.submitBulk(ctx, intake, in.Items)
	return out, s.failAttempt(ctx, intake.attempt, err)
}

func (s *Service) submitBulk(ctx context.Context, in *batchIntake, items []contract.BulkItem) (contract.BulkResponse, error) {
	if err := in.agency.RequireManagement(); err != nil {
		return contract.BulkResponse{}, err
	}
	out := contract.BulkResponse{BatchID: in.batch.String(), Items: make([]contract.BulkItemResult, len(items))}
	var subs []submission.Submission
	for i, item := range items {
		sub, problems := s.judgeItem(in, i, item)
		sub, unusable := in.addUpload(sub, item.Resume.ResumeFileID)
		problems = append(problems, unusable...)
		out.Items[i] = contract.BulkItemResult{Index: i, ClientReferenceID: value(item.ClientReferenceID), Status: contract.BulkRejected, Errors: bulkErrors(problems)}
		if problems == nil {
			subs = append(subs, sub)
		}
	}
	return acceptAndEnqueue(ctx, s, in, len(items), subs, func(outcomes []submission.Outcome) (contract.BulkResponse, error) {
		for n, sub := range subs {
			setOutcome(&out.Items[sub.Index], sub, outcomes[n])
		}
		return out, nil
	})
}

// setOutcome says what became of an item that was fit.
func setOutcome(item *contract.BulkItemResult, sub submission.Submission, o submission.Outcome) {
	item.SubmissionID = sub.ID.String()
	switch {
	case o.EnqueueFailed():
		item.Status, item.Errors = contract.BulkRejected, bulkErrors([]problem{{contract.EnqueueFailed, "", "The submission could not be queued. Submit the candidate again."}})
	case o.Status == contract.Deduplicated:
		item.Status = contract.BulkDeduplicated
	default:
		item.Status = contract.BulkQueued
	}
}

func bulkErrors(problems []problem) []contract.BulkItemError {
	var errs []contract.BulkItemError
	for _, p := range problems {
		e := contract.BulkItemError{Code: p.code, Message: p.message}
		if p.field != "" {
			e.Field, e.Message = &p.field, p.field+": "+p.message
		}
		errs = append(errs, e)
	}
	return errs
}

// namedUploads lists the uploads that the items name, each once. What is no id of ours
// needs no look.
func namedUploads(items []contract.BulkItem) []uuid.UUID {
	var ids []uuid.UUID
	for _, item := range items {
		if id := parseUploadID(item.Resume.ResumeFileID); id != uuid.Nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
