package submissions

import (
	"context"
	"maps"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// Submit serves POST /talent-network/candidates/submit: a batch of one, with its
// file in the request.
func (s *Service) Submit(ctx context.Context, call *gateway.Call, in contract.SubmitRequest) (contract.SubmitResponse, error) {
	file, fileErr := readFile(in.Resume, "resume")
	if fileErr != nil { // the rest is judged all the same, and a refusal needs no claim
		in.IdempotencyKey = ""
	}
	intake, err := s.beginAttempt(ctx, call, in.IdempotencyKey, []*string{in.RecruiterEmail}, nil)
	if err != nil {
		return contract.SubmitResponse{}, err
	}
	var response contract.SubmitResponse
	if stored := intake.attempt.Answer; stored != nil {
		err = call.Replay(stored, &response)
	} else {
		response, err = s.submitOne(ctx, intake, in, file, fileErr)
		err = s.releaseOnError(ctx, intake.attempt, err)
	}
	response.ClientReferenceID = optional.Value(in.ClientReferenceID)
	return response, err
}

func (s *Service) submitOne(
	ctx context.Context, intake *batchIntake, request contract.SubmitRequest, file file, fileErr error,
) (response contract.SubmitResponse, err error) {
	sub, problems := s.judgeItem(ctx, intake, 0, contract.BulkItem{
		Name: request.Name, LinkedInURL: request.LinkedInURL, Email: request.Email, Preferences: request.Preferences,
		ScreeningCallLink: request.ScreeningCallLink, RecruiterEmail: request.RecruiterEmail, ClientReferenceID: request.ClientReferenceID,
	})
	if err := validationError(problems, fileErr); err != nil {
		return response, err
	}
	if err := intake.agency.RequireManagement(); err != nil {
		return response, err
	}
	sub.ResumeKey = sub.UploadKey()
	sub.FileName = optional.Value(request.Resume.FileName)
	if err := s.resumes.Put(ctx, sub.ResumeKey, file.contentType, file.content); err != nil {
		return response, err
	}
	render := func(outcomes []submission.Outcome) (contract.SubmitResponse, error) {
		if outcomes[0].EnqueueFailed() {
			return contract.SubmitResponse{}, errNotQueued
		}
		return contract.SubmitResponse{
			Accepted: true, Deduplicated: outcomes[0].Status == contract.Deduplicated,
			BatchID: sub.BatchID.String(), SubmissionID: sub.ID.String(),
		}, nil
	}
	return acceptAndEnqueue(ctx, s, intake, 1, []submission.Submission{sub}, render)
}

// validationError returns the refusal of a request for the problems of its one
// candidate and of the file, or nil if there are none.
func validationError(problems []problem, fileErr error) error {
	if problems == nil {
		return fileErr
	}
	refusal := fault.Fields(contract.ValidationFailed, map[string][]string{})
	maps.Copy(refusal.Fields, fault.As(fileErr).Fields) // none of nil
	for _, p := range problems {
		if p.field == "" {
			refusal.Form = append(refusal.Form, p.message)
		} else {
			refusal.Fields[p.field] = append(refusal.Fields[p.field], p.field+": "+p.message)
		}
	}
	return refusal
}
