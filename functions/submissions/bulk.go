package submissions

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// SubmitBulk serves POST /talent-network/candidates/submit-bulk: a batch of up
// to 100, each judged by itself, with files that were uploaded before.
func (s *Service) SubmitBulk(ctx context.Context, call *gateway.Call, in contract.BulkRequest) (contract.BulkResponse, error) {
	intake, err := s.beginAttempt(ctx, call, in.IdempotencyKey, recruiterEmails(in.Items), namedUploads(in.Items))
	if err != nil {
		return contract.BulkResponse{}, err
	}
	var response contract.BulkResponse
	if stored := intake.attempt.Answer; stored != nil {
		err = call.Replay(stored, &response)
	} else {
		response, err = s.submitBulk(ctx, intake, in.Items)
		err = s.releaseOnError(ctx, intake.attempt, err)
	}
	for i := range response.Items {
		response.Items[i].ClientReferenceID = optional.Value(in.Items[i].ClientReferenceID)
	}
	return response, err
}

func (s *Service) submitBulk(ctx context.Context, intake *batchIntake, items []contract.BulkItem) (contract.BulkResponse, error) {
	if err := intake.agency.RequireManagement(); err != nil {
		return contract.BulkResponse{}, err
	}
	judged := make([]contract.BulkItemResult, len(items))
	var subs []submission.Submission
	for i, item := range items {
		sub, problems := s.judgeItem(ctx, intake, i, item)
		sub, unusable := intake.addUpload(sub, item.Resume.ResumeFileID)
		problems = append(problems, unusable...)
		judged[i] = contract.BulkItemResult{Index: i, Status: contract.BulkRejected, Errors: bulkErrors(problems)}
		if problems == nil {
			subs = append(subs, sub)
		}
	}
	return acceptAndEnqueue(ctx, s, intake, len(items), subs, func(outcomes []submission.Outcome) (contract.BulkResponse, error) {
		results := slices.Clone(judged)
		for n, sub := range subs {
			setOutcome(&results[sub.Index], sub, outcomes[n])
		}
		return contract.BulkResponse{BatchID: intake.batch.String(), Items: results}, nil
	})
}

// setOutcome sets in the result of a valid item what became of it.
func setOutcome(item *contract.BulkItemResult, sub submission.Submission, o submission.Outcome) {
	item.SubmissionID = sub.ID.String()
	switch {
	case o.EnqueueFailed():
		item.Status = contract.BulkRejected
		item.Errors = bulkErrors([]problem{{contract.EnqueueFailed, "", "The submission could not be queued. Submit the candidate again."}})
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
			e.Field = &p.field
			e.Message = p.field + ": " + p.message
		}
		errs = append(errs, e)
	}
	return errs
}

// recruiterEmails returns the recruiterEmail of each item, as sent.
func recruiterEmails(items []contract.BulkItem) []*string {
	emails := make([]*string, len(items))
	for i, item := range items {
		emails[i] = item.RecruiterEmail
	}
	return emails
}

// namedUploads lists the uploads that the items name, each once, without malformed ids.
func namedUploads(items []contract.BulkItem) []uuid.UUID {
	var ids []uuid.UUID
	for _, item := range items {
		if id := parseUploadID(item.Resume.ResumeFileID); id != uuid.Nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
