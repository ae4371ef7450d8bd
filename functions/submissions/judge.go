package submissions

import (
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// problem is one reason to reject an item: the code of a bulk item, and what a
// single submit says of the field.
type problem struct {
	code           contract.SubmissionError
	field, message string
}

// judgeItem makes the submission of a candidate, or tells all that is wrong with it.
// Where its file lies is not looked at.
func (s *Service) judgeItem(in *batchIntake, index int, c contract.BulkItem) (submission.Submission, []problem) {
	var found []problem
	email, ok := identity.Email(c.Email)
	if !ok {
		found = append(found, problem{contract.InvalidEmail, "email", "must be an e-mail address such as name@example.com"})
	}
	linkedIn, ok := identity.LinkedInURI(c.LinkedInURL)
	if !ok {
		found = append(found, problem{contract.InvalidLinkedInURL, "linkedinUrl", "must be a LinkedIn profile URL such as https://www.linkedin.com/in/name"})
	}
	owner, refusal := findOwner(in.agency, c.RecruiterEmail)
	if refusal != "" {
		found = append(found, problem{refusal, "recruiterEmail", refusals[refusal]})
	}
	return submission.Submission{
		ID: submission.NewID(in.batch, index), BatchID: in.batch, Index: index, AgencyID: in.agency.ID, OwnerID: owner.ID,
		Environment: in.call.Caller.Environment, Name: c.Name, Email: email, LinkedInURL: linkedIn,
		Preferences: c.Preferences, ScreeningCallLink: value(c.ScreeningCallLink),
		SubmittedAt: in.acceptedAt(), Deadline: s.submissions.Deadline(in.acceptedAt()),
	}, found
}

// findOwner finds the member whose candidate it is: the one named, or the
// agency's primary owner. There is no falling back from one to the other.
func findOwner(agency account.Agency, recruiterEmail *string) (account.Member, contract.SubmissionError) {
	member, known := agency.Members[agency.PrimaryOwner]
	if recruiterEmail != nil {
		email, _ := identity.Email(*recruiterEmail) // "" is nobody's
		member, known = agency.MemberByEmail(email)
	}
	switch {
	case known && member.Active():
		return member, ""
	case known && member.Deactivated:
		return account.Member{}, contract.RecruiterDeactivated
	}
	return account.Member{}, contract.RecruiterNotFound
}

var refusals = map[contract.SubmissionError]string{
	contract.RecruiterNotFound:    "must be the e-mail address of a currently approved member of your agency",
	contract.RecruiterDeactivated: "is a deactivated member's; name an active member of your agency",
}

// addUpload gives a submission the file that a bulk item names.
func (in *batchIntake) addUpload(sub submission.Submission, resumeFileID string) (submission.Submission, []problem) {
	upload, known := in.uploads[parseUploadID(resumeFileID)]
	if !known || !upload.Usable(in.acceptedAt()) {
		return sub, []problem{{contract.InvalidResumeReference, "resume.resumeFileId", "names no usable upload; send the file to POST /resumes and use the id it answers"}}
	}
	sub.UploadID, sub.ResumeKey, sub.FileName = upload.ID, upload.Key(), value(upload.FileName)
	return sub, nil
}

// parseUploadID reads an id as it was told, hyphens and all; uuid.Nil is nobody's.
func parseUploadID(s string) uuid.UUID {
	id, err := uuid.Parse(s)
	if err != nil || len(s) != len(id.String()) {
		return uuid.Nil
	}
	return id
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
