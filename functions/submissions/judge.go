package submissions

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// problem is one reason to reject an item: the code of a bulk item, and what a single submit says
// of the field, or of the request as a whole if field is empty.
type problem struct {
	code           contract.SubmissionError
	field, message string
}

// judgeItem returns the submission of a candidate, without its file, and all that is
// wrong with it.
func (s *Service) judgeItem(ctx context.Context, intake *batchIntake, index int, c contract.BulkItem) (submission.Submission, []problem) {
	var found []problem
	if exceedsLength(c.Name, maxName) || !text.IsSingleLine(c.Name) {
		found = append(found, problem{contract.InvalidName, "name", "must be one line of at most 300 characters, without control characters"})
	}
	email, ok := identity.Email(c.Email)
	if !ok || exceedsLength(c.Email, maxEmail) {
		found = append(found, problem{contract.InvalidEmail, "email", "must be an e-mail address such as name@example.com"})
	}
	linkedIn, ok := identity.LinkedInURI(c.LinkedInURL)
	if !ok || exceedsLength(c.LinkedInURL, maxURL) {
		found = append(found, problem{contract.InvalidLinkedInURL, "linkedinUrl",
			"must be a LinkedIn profile URL such as https://www.linkedin.com/in/name"})
	}
	if c.ScreeningCallLink != nil && (!decode.IsLink(*c.ScreeningCallLink) || exceedsLength(*c.ScreeningCallLink, maxURL)) {
		found = append(found, problem{contract.InvalidCallLink, "screeningCallLink",
			"must be an absolute URL of at most 2,048 characters, with the scheme " + strings.Join(contract.LinkSchemes, ", ")})
	}
	owner, refused := intake.findOwner(c.RecruiterEmail)
	return submission.Submission{
		ID: submission.NewID(intake.batch, index), BatchID: intake.batch, Index: index, AgencyID: intake.agency.ID, OwnerID: owner.ID,
		Environment: intake.call.Caller.Environment, Name: c.Name, Email: email, LinkedInURL: linkedIn,
		Preferences: c.Preferences, ScreeningCallLink: optional.Value(c.ScreeningCallLink), ClientReferenceID: optional.Value(c.ClientReferenceID),
		SubmittedAt: intake.acceptedAt(), Deadline: s.submissions.Deadline(intake.acceptedAt()),
		Trace: cloud.TraceOf(ctx),
	}, append(found, refused...)
}

// The maximum lengths in characters (contract, Text formats).
const (
	maxName  = 300
	maxEmail = 320
	maxURL   = 2048
)

func exceedsLength(s string, characters int) bool { return utf8.RuneCountInString(s) > characters }

// findOwner returns the member that owns the candidate: the one named or, if none is, the
// agency's primary owner; and what is wrong with it. A name that is wrong does not fall back to that owner.
func (b *batchIntake) findOwner(recruiterEmail *string) (account.Member, []problem) {
	member := b.primaryOwner
	if recruiterEmail != nil {
		member = b.named.ByEmail(canonicalEmail(*recruiterEmail))
	}
	code := contract.RecruiterNotFound
	switch {
	case member.Active():
		return member, nil
	case member.Deactivated:
		code = contract.RecruiterDeactivated
	}
	if recruiterEmail == nil {
		return member, []problem{{code, "", refusals[code].primaryOwner}}
	}
	return member, []problem{{code, "recruiterEmail", refusals[code].named}}
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

// addUpload sets the file of a submission to the upload that a bulk item names.
func (b *batchIntake) addUpload(sub submission.Submission, resumeFileID string) (submission.Submission, []problem) {
	upload, found := b.uploads[parseUploadID(resumeFileID)]
	if !found || !upload.Usable(b.acceptedAt()) {
		return sub, []problem{{contract.InvalidResumeReference, "resume.resumeFileId",
			"is unknown or has expired; upload the file with POST /resumes and use the returned resumeFileId"}}
	}
	sub.UploadID = upload.ID
	sub.ResumeKey = upload.Key()
	sub.FileName = optional.Value(upload.FileName)
	return sub, nil
}

// parseUploadID returns the id in the form in which it was issued, hyphens included. It
// returns uuid.Nil, which no upload has, for a malformed one.
func parseUploadID(s string) uuid.UUID {
	id, err := uuid.Parse(s)
	if err != nil || len(s) != len(id.String()) {
		return uuid.Nil
	}
	return id
}
