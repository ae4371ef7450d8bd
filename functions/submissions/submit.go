package submissions

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Submit serves POST /talent-network/candidates/submit: a batch of one, with its file in the request.
func (s *Service) Submit(ctx context.Context, call *gateway.Call, in contract.SubmitRequest) (contract.SubmitResponse, error) {
	content, contentType, fileErr := readFile(in.Resume, "resume")
	if fileErr != nil { // the rest is judged all the same, and a refusal needs no claim
		in.IdempotencyKey = ""
	}
	response, err := runAttempt(ctx, s, call, in.IdempotencyKey, []*string{in.RecruiterEmail}, nil,
		func(intake *batchIntake) (response contract.SubmitResponse, err error) {
			sub, problems := s.judgeItem(ctx, intake, 0, contract.BulkItem{
				Name: in.Name, LinkedInURL: in.LinkedInURL, Email: in.Email, Preferences: in.Preferences,
				ScreeningCallLink: in.ScreeningCallLink, RecruiterEmail: in.RecruiterEmail, ClientReferenceID: in.ClientReferenceID,
			})
			if err := validationError(problems, fileErr); err != nil {
				return response, err
			}
			if err := intake.agency.RequireManagement(); err != nil {
				return response, err
			}
			sub.ResumeKey = sub.UploadKey()
			sub.FileName = optional.Value(in.Resume.FileName)
			if err := intake.writers.resumes.Put(ctx, sub.ResumeKey, contentType, content); err != nil {
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
		})
	response.ClientReferenceID = optional.Value(in.ClientReferenceID)
	return response, err
}

// validationError joins the problems of the one candidate and of the file; nil if there are none.
func validationError(problems []contract.BulkItemError, fileErr error) error {
	if problems == nil {
		return fileErr
	}
	refusal := fault.Fields(contract.ValidationFailed, map[string][]string{})
	maps.Copy(refusal.Fields, fault.As(fileErr).Fields) // none of nil
	for _, p := range problems {
		if p.Field == nil {
			refusal.Form = append(refusal.Form, p.Message)
		} else {
			refusal.Fields[*p.Field] = append(refusal.Fields[*p.Field], p.Message)
		}
	}
	return refusal
}

// SubmitBulk serves POST /talent-network/candidates/submit-bulk: a batch of up to 100, each judged by itself, with
// files that were uploaded before.
func (s *Service) SubmitBulk(ctx context.Context, call *gateway.Call, in contract.BulkRequest) (contract.BulkResponse, error) {
	var emails []*string
	var uploads []uuid.UUID // each once, without malformed ids
	for _, item := range in.Items {
		emails = append(emails, item.RecruiterEmail)
		if id := parseUploadID(item.Resume.ResumeFileID); id != uuid.Nil && !slices.Contains(uploads, id) {
			uploads = append(uploads, id)
		}
	}
	response, err := runAttempt(ctx, s, call, in.IdempotencyKey, emails, uploads,
		func(intake *batchIntake) (contract.BulkResponse, error) { return s.submitBulk(ctx, intake, in.Items) })
	for i := range response.Items {
		response.Items[i].ClientReferenceID = optional.Value(in.Items[i].ClientReferenceID)
	}
	return response, err
}

func (s *Service) submitBulk(ctx context.Context, intake *batchIntake, items []contract.BulkItem) (contract.BulkResponse, error) {
	if err := intake.agency.RequireManagement(); err != nil {
		return contract.BulkResponse{}, err
	}
	results := make([]contract.BulkItemResult, len(items))
	var subs []submission.Submission
	for i, item := range items {
		sub, problems := s.judgeItem(ctx, intake, i, item)
		upload, found := intake.uploads[parseUploadID(item.Resume.ResumeFileID)]
		if !found || !upload.Usable(intake.acceptedAt()) {
			problems = append(problems, newProblem(contract.InvalidResumeReference, "resume.resumeFileId",
				"is unknown or has expired; upload the file with POST /resumes and use the returned resumeFileId"))
		}
		sub.UploadID = upload.ID
		sub.ResumeKey = upload.Key()
		sub.FileName = optional.Value(upload.FileName)
		results[i] = contract.BulkItemResult{Index: i, Status: contract.BulkRejected, Errors: problems}
		if problems == nil {
			subs = append(subs, sub)
		}
	}
	return acceptAndEnqueue(ctx, s, intake, len(items), subs, func(outcomes []submission.Outcome) (contract.BulkResponse, error) {
		for n, sub := range subs {
			item := &results[sub.Index]
			item.SubmissionID = sub.ID.String()
			switch {
			case outcomes[n].EnqueueFailed():
				item.Status = contract.BulkRejected
				item.Errors = []contract.BulkItemError{
					{Code: contract.EnqueueFailed, Message: "The submission could not be queued. Submit the candidate again."},
				}
			case outcomes[n].Status == contract.Deduplicated:
				item.Status = contract.BulkDeduplicated
			default:
				item.Status = contract.BulkQueued
			}
		}
		return contract.BulkResponse{BatchID: intake.batch.String(), Items: results}, nil
	})
}

func newProblem(code contract.SubmissionError, field, message string) contract.BulkItemError {
	return contract.BulkItemError{Code: code, Field: &field, Message: field + ": " + message}
}

// judgeItem returns a candidate's submission, without its file, and all that is wrong with it.
func (s *Service) judgeItem(
	ctx context.Context, intake *batchIntake, index int, c contract.BulkItem,
) (submission.Submission, []contract.BulkItemError) {
	var found []contract.BulkItemError
	if exceedsLength(c.Name, maxName) || !text.IsSingleLine(c.Name) {
		found = append(found, newProblem(contract.InvalidName, "name",
			"must be one line of at most 300 characters, without control characters"))
	}
	email, ok := identity.Email(c.Email)
	if !ok {
		found = append(found, newProblem(contract.InvalidEmail, "email", "must be an e-mail address such as name@example.com"))
	}
	linkedIn, ok := identity.LinkedInURI(c.LinkedInURL)
	if !ok {
		found = append(found, newProblem(contract.InvalidLinkedInURL, "linkedinUrl",
			"must be a LinkedIn profile URL such as https://www.linkedin.com/in/name"))
	}
	if c.ScreeningCallLink != nil && (!decode.IsLink(*c.ScreeningCallLink) || exceedsLength(*c.ScreeningCallLink, maxURL)) {
		found = append(found, newProblem(contract.InvalidCallLink, "screeningCallLink",
			"must be an absolute URL of at most 2,048 characters, with the scheme "+strings.Join(contract.LinkSchemes, ", ")))
	}
	owner, refused := intake.findOwner(c.RecruiterEmail)
	return submission.Submission{
		ID: submission.NewID(intake.batch, index), BatchID: intake.batch, Index: index, AgencyID: intake.agency.ID, OwnerID: owner.ID,
		Environment: intake.call.Caller.Environment, Name: c.Name, Email: email, LinkedInURL: linkedIn,
		Preferences: c.Preferences, ScreeningCallLink: optional.Value(c.ScreeningCallLink),
		ClientReferenceID: optional.Value(c.ClientReferenceID),
		SubmittedAt:       intake.acceptedAt(), Deadline: intake.writers.submissions.Deadline(intake.acceptedAt()),
		Trace: cloud.TraceOf(ctx),
	}, append(found, refused...)
}

// The maximum lengths in characters (contract, Text formats); package identity has those of addresses and profiles.
const (
	maxName = 300
	maxURL  = 2048
)

func exceedsLength(s string, characters int) bool { return utf8.RuneCountInString(s) > characters }

// findOwner returns the member that owns the candidate: the one named or, if none is, the
// agency's primary owner; and what is wrong with it. A name that is wrong does not fall back to that owner.
func (b *batchIntake) findOwner(recruiterEmail *string) (account.Member, []contract.BulkItemError) {
	member := b.primaryOwner
	if recruiterEmail != nil {
		email, _ := identity.Email(*recruiterEmail) // "", which no member has, if it is not valid
		member = b.named.ByEmail(email)
	}
	code := contract.RecruiterNotFound
	switch {
	case member.Active():
		return member, nil
	case member.Deactivated:
		code = contract.RecruiterDeactivated
	}
	if recruiterEmail == nil {
		return member, []contract.BulkItemError{{Code: code, Message: refusals[code].primaryOwner}}
	}
	return member, []contract.BulkItemError{newProblem(code, "recruiterEmail", refusals[code].named)}
}

// refusals are the messages of a member who is named, and of the primary owner where none is.
var refusals = map[contract.SubmissionError]struct{ named, primaryOwner string }{
	contract.RecruiterNotFound: {
		"must be the e-mail address of a currently approved member of your agency",
		"the agency has no approved primary owner; send recruiterEmail",
	},
	contract.RecruiterDeactivated: {
		"belongs to a deactivated member; use an active member of your agency",
		"the agency's primary owner is deactivated; send recruiterEmail",
	},
}

// parseUploadID returns the id in the form in which it was issued, hyphens included. It returns uuid.Nil, which no
// upload has, for a malformed one.
func parseUploadID(s string) uuid.UUID {
	id, err := uuid.Parse(s)
	if err != nil || len(s) != len(id.String()) {
		return uuid.Nil
	}
	return id
}
