package ingest

import (
	"context"
	"errors"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// ingestClaim does the steps in the order of the published codes. An error that is no *failure is worth another attempt.
func (s *Service) ingestClaim(ctx context.Context, claim submission.Claim) error {
	if err := s.checkErased(ctx, claim); err != nil {
		return err
	}
	if err := s.checkOwner(ctx, claim); err != nil {
		return err
	}
	if err := s.checkUpload(ctx, claim); err != nil {
		return err
	}
	content, err := s.resumes.Get(ctx, claim.ResumeKey, resume.MaxFile)
	if err != nil {
		return err
	}
	fields, contentType, err := s.readResume(ctx, content)
	if err != nil {
		return err
	}
	verdict := resume.CheckIdentity(fields, claim.Name, claim.Email, claim.LinkedInURL)
	claim.Evidence = verdict.String()
	if verdict.Mismatch {
		return &itemFailure{code: contract.ResumeIdentityMismatch, evidence: claim.Evidence,
			message: "The resume is of another person: its name differs and it carries none of the submitted addresses. Submit the candidate with their own resume."}
	}
	verified, err := s.verifyProfile(ctx, claim)
	if err != nil {
		return err
	}
	return s.commitCandidate(ctx, claim, newCandidate(claim, fields, verified), content, contentType)
}

// checkOwner fails when the member was removed or deactivated after the submit.
func (s *Service) checkOwner(ctx context.Context, claim submission.Claim) error {
	agency, err := s.accounts.Agency(ctx, claim.AgencyID)
	if err != nil {
		return err
	}
	member, known := agency.Members[claim.OwnerID]
	switch {
	case known && member.Active():
		return nil
	case known && member.Deactivated:
		return &itemFailure{code: contract.RecruiterDeactivated, message: "The recruiter was deactivated. Submit the candidate for an active member."}
	default:
		return &itemFailure{code: contract.RecruiterNotFound, message: "The recruiter is no approved member of the agency any more. Submit the candidate for a member."}
	}
}

// checkUpload fails when the upload was erased after the submit. The record
// tells, never the bucket: a file that is missing there looks like one that may
// not be read.
func (s *Service) checkUpload(ctx context.Context, claim submission.Claim) error {
	erased, err := s.submissions.UploadErased(ctx, claim.Submission)
	if err == nil && erased {
		return errErased
	}
	return err
}

// readResume reads the file; whatever is wrong with it is permanent.
func (s *Service) readResume(ctx context.Context, content []byte) (resume.Fields, string, error) {
	document, err := resume.Read(ctx, content)
	var unreadable *resume.Failure
	if errors.As(err, &unreadable) {
		return resume.Fields{}, "", &itemFailure{code: contract.ResumeParseFailed, message: "The resume cannot be read: " + unreadable.Message + ".", cause: unreadable}
	}
	if err != nil {
		return resume.Fields{}, "", err
	}
	return resume.Extract(document, s.host.Now()), document.Type.ContentType(), nil
}

// verifyProfile asks the provider of the key's environment for the profile.
func (s *Service) verifyProfile(ctx context.Context, claim submission.Claim) (profile.Profile, error) {
	provider := profile.ByEnvironment(claim.Environment, s.live, s.test)
	p, err := provider.Profile(ctx, identity.Slug(claim.LinkedInURL))
	var unavailable *profile.Unavailable
	switch {
	case errors.Is(err, profile.ErrNotFound):
		err = &itemFailure{code: contract.LinkedInProfileNotFound, message: "There is no public LinkedIn profile at this URL. Check linkedinUrl and submit again."}
	case errors.Is(err, profile.ErrNoExperience):
		err = &itemFailure{code: contract.LinkedInNoExperience, message: "The LinkedIn profile shows no work experience. Ask the candidate to complete it and submit again."}
	case errors.As(err, &unavailable):
		err = &itemFailure{code: contract.VerificationUnavailable, message: "The LinkedIn profile could not be verified at the moment. Submit the candidate again later.",
			cause: unavailable, retry: unavailable.Retryable, alarm: unavailable.Operator}
	}
	return p, err
}

// newCandidate is what ingestion has learned: the profile's current job where it
// tells one, else the resume's.
func newCandidate(claim submission.Claim, fields resume.Fields, p profile.Profile) network.Candidate {
	title, company := p.Title, p.Company
	if title == "" && company == "" {
		title, company = fields.Title, fields.Company
	}
	return network.Candidate{
		AgencyID: claim.AgencyID, OwnerID: claim.OwnerID, Name: claim.Name, Email: claim.Email, LinkedInURL: claim.LinkedInURL,
		Title: title, Company: company, Location: p.Location, ScreeningCallLink: claim.ScreeningCallLink,
		Preferences: claim.Preferences, SubmittedAt: claim.SubmittedAt,
	}
}

// errClaimLost: the claim is over; whoever holds or ended the item writes its end.
var errClaimLost = errors.New("the claim was lost")

// maxCommitRounds bounds the looks for a place when others change it meanwhile; each
// round lost is one that somebody else won.
const maxCommitRounds = 20

// commitCandidate gives the membership its own copy of the file and writes membership,
// preferences, identities and the end of the item in one transaction, good only
// while the owner is an active member and the person is not erased. Where a newer
// submission of the person stands, its file does too.
func (s *Service) commitCandidate(ctx context.Context, claim submission.Claim, candidate network.Candidate, content []byte, contentType string) error {
	var err error
	candidate.ResumeKey = claim.CopyKey()
	copied := false
	for range maxCommitRounds {
		var place network.Place
		if place, err = s.network.FindPlace(ctx, candidate, claim.CandidateUserID()); err != nil {
			return err
		}
		newer := place.HasNewer(candidate)
		if !copied && !newer {
			if err = s.resumes.Put(ctx, candidate.ResumeKey, contentType, content); err != nil {
				return err
			}
			copied = true
		}
		if err = s.writeMembership(ctx, claim, candidate, place); err == nil {
			unused := place.ReplacedResume(candidate)
			if copied && newer { // the copy is of a round that was lost
				unused = candidate.ResumeKey
			}
			s.removeFiles(ctx, claim, unused)
			return nil
		}
		if final := s.explainConflict(ctx, claim, err); final != nil {
			return final
		}
	}
	return err
}

// explainConflict looks into a commit that failed: nil says that others changed the place, and
// another round may find one.
func (s *Service) explainConflict(ctx context.Context, claim submission.Claim, err error) error {
	if !dynamo.IsCondCheckFailed(err) {
		return err
	}
	if held, heldErr := s.submissions.Held(ctx, claim); heldErr != nil || !held {
		return errors.Join(errClaimLost, heldErr)
	}
	return errors.Join(s.checkErased(ctx, claim), s.checkOwner(ctx, claim))
}

func (s *Service) writeMembership(ctx context.Context, claim submission.Claim, candidate network.Candidate, place network.Place) error {
	now := s.host.Now()
	tx := s.submissions.Succeed(s.write(), claim, place.ID, now)
	tx.Check(s.accounts.RequireActiveMember(claim.AgencyID, claim.OwnerID))
	s.requireNotErased(tx, claim)
	tx, err := s.network.Ingest(tx, candidate, place, network.Write{Now: now, Mark: claim.ID.String()})
	if err != nil {
		return err
	}
	return tx.Run(ctx)
}

// removeFiles removes the files that a candidate who is in by now needs no more: the one
// that came with the submission and an unused one, "" for none. A failure is only
// logged: an orphan costs storage.
func (s *Service) removeFiles(ctx context.Context, claim submission.Claim, unused string) {
	err := s.submissions.DropSentFile(ctx, claim.Submission)
	if unused != "" {
		err = errors.Join(err, s.resumes.Delete(ctx, unused))
	}
	if err != nil {
		s.host.Log.WarnContext(ctx, "ingest: a file was not removed", "error", err)
	}
}
