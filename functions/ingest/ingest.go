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

// ingest does the steps in the order of the published codes. An error that is no *failure is worth another attempt.
func (s *Service) ingest(ctx context.Context, c submission.Claim) error {
	if err := s.checkErased(ctx, c); err != nil {
		return err
	}
	if err := s.checkOwner(ctx, c); err != nil {
		return err
	}
	if err := s.checkUpload(ctx, c); err != nil {
		return err
	}
	content, err := s.resumes.Get(ctx, c.ResumeKey, resume.MaxFile)
	if err != nil {
		return err
	}
	fields, contentType, err := s.understand(ctx, content)
	if err != nil {
		return err
	}
	verdict := resume.Contradicts(fields, c.Name, c.Email, c.LinkedInURL)
	c.Evidence = verdict.String()
	if verdict.Mismatch {
		return &failure{code: contract.ResumeIdentityMismatch, evidence: c.Evidence,
			message: "The resume is of another person: its name differs and it carries none of the submitted addresses. Submit the candidate with their own resume."}
	}
	verified, err := s.verify(ctx, c)
	if err != nil {
		return err
	}
	return s.commit(ctx, c, candidate(c, fields, verified), content, contentType)
}

// checkOwner fails when the member was removed or deactivated after the submit.
func (s *Service) checkOwner(ctx context.Context, c submission.Claim) error {
	agency, err := s.accounts.Agency(ctx, c.AgencyID)
	if err != nil {
		return err
	}
	member, known := agency.Members[c.OwnerID]
	switch {
	case known && member.Active():
		return nil
	case known && member.Deactivated:
		return &failure{code: contract.RecruiterDeactivated, message: "The recruiter was deactivated. Submit the candidate for an active member."}
	default:
		return &failure{code: contract.RecruiterNotFound, message: "The recruiter is no approved member of the agency any more. Submit the candidate for a member."}
	}
}

// checkUpload fails when the upload was erased after the submit. The record
// tells, never the bucket: a file that is missing there looks like one that may
// not be read.
func (s *Service) checkUpload(ctx context.Context, c submission.Claim) error {
	erased, err := s.submissions.Erased(ctx, c.Submission)
	if err == nil && erased {
		return errErased
	}
	return err
}

// understand reads the file; whatever is wrong with it is permanent.
func (s *Service) understand(ctx context.Context, content []byte) (resume.Fields, string, error) {
	document, err := resume.Read(ctx, content)
	var unreadable *resume.Failure
	if errors.As(err, &unreadable) {
		return resume.Fields{}, "", &failure{code: contract.ResumeParseFailed, message: "The resume cannot be read: " + unreadable.Message + ".", cause: unreadable}
	}
	if err != nil {
		return resume.Fields{}, "", err
	}
	return resume.Understand(document, s.host.Now()), document.Type.ContentType(), nil
}

// verify asks the provider of the key's environment for the profile.
func (s *Service) verify(ctx context.Context, c submission.Claim) (profile.Profile, error) {
	provider := profile.ByEnvironment(c.Environment, s.live, s.test)
	p, err := provider.Profile(ctx, identity.Slug(c.LinkedInURL))
	var unavailable *profile.Unavailable
	switch {
	case errors.Is(err, profile.ErrNotFound):
		err = &failure{code: contract.LinkedInProfileNotFound, message: "There is no public LinkedIn profile at this URL. Check linkedinUrl and submit again."}
	case errors.Is(err, profile.ErrNoExperience):
		err = &failure{code: contract.LinkedInNoExperience, message: "The LinkedIn profile shows no work experience. Ask the candidate to complete it and submit again."}
	case errors.As(err, &unavailable):
		err = &failure{code: contract.VerificationUnavailable, message: "The LinkedIn profile could not be verified at the moment. Submit the candidate again later.",
			cause: unavailable, retry: unavailable.Retryable, alarm: unavailable.Operator}
	}
	return p, err
}

// candidate is what ingestion has learned: the profile's current job where it
// tells one, else the resume's.
func candidate(c submission.Claim, fields resume.Fields, p profile.Profile) network.Candidate {
	title, company := p.Title, p.Company
	if title == "" && company == "" {
		title, company = fields.Title, fields.Company
	}
	return network.Candidate{
		AgencyID: c.AgencyID, OwnerID: c.OwnerID, Name: c.Name, Email: c.Email, LinkedInURL: c.LinkedInURL,
		Title: title, Company: company, Location: p.Location, ScreeningCallLink: c.ScreeningCallLink,
		Preferences: c.Preferences, SubmittedAt: c.SubmittedAt,
	}
}

// errLost: the claim is over; whoever holds or ended the item writes its end.
var errLost = errors.New("the claim was lost")

// commitRounds bounds the looks for a place when others change it meanwhile; each
// round lost is one that somebody else won.
const commitRounds = 20

// commit gives the membership its own copy of the file and writes membership,
// preferences, identities and the end of the item in one transaction, good only
// while the owner is an active member and the person is not erased. Where a newer
// submission of the person stands, its file does too.
func (s *Service) commit(ctx context.Context, c submission.Claim, who network.Candidate, content []byte, contentType string) error {
	var err error
	who.ResumeKey = c.CopyKey()
	copied := false
	for range commitRounds {
		var place network.Place
		if place, err = s.network.Place(ctx, who, c.CandidateUserID()); err != nil {
			return err
		}
		newer := place.Newer(who)
		if !copied && !newer {
			if err = s.resumes.Put(ctx, who.ResumeKey, contentType, content); err != nil {
				return err
			}
			copied = true
		}
		if err = s.finish(ctx, c, who, place); err == nil {
			unused := place.ReplacedResume(who)
			if copied && newer { // the copy is of a round that was lost
				unused = who.ResumeKey
			}
			s.clear(ctx, c, unused)
			return nil
		}
		if final := s.final(ctx, c, err); final != nil {
			return final
		}
	}
	return err
}

// final looks into a commit that failed: nil says that others changed the place, and
// another round may find one.
func (s *Service) final(ctx context.Context, c submission.Claim, err error) error {
	if !dynamo.IsCondCheckFailed(err) {
		return err
	}
	if held, heldErr := s.submissions.Held(ctx, c); heldErr != nil || !held {
		return errors.Join(errLost, heldErr)
	}
	return errors.Join(s.checkErased(ctx, c), s.checkOwner(ctx, c))
}

func (s *Service) finish(ctx context.Context, c submission.Claim, who network.Candidate, place network.Place) error {
	now := s.host.Now()
	tx := s.submissions.Succeed(s.write(), c, place.ID, now)
	tx.Check(s.accounts.RequireActiveMember(c.AgencyID, c.OwnerID))
	s.requireNotErased(tx, c)
	tx, err := s.network.Ingest(tx, who, place, network.Write{Now: now, Mark: c.ID.String()})
	if err != nil {
		return err
	}
	return tx.Run(ctx)
}

// clear removes the files that a candidate who is in by now needs no more: the one
// that came with the submission and an unused one, "" for none. A failure is only
// logged: an orphan costs storage.
func (s *Service) clear(ctx context.Context, c submission.Claim, unused string) {
	err := s.submissions.DropSent(ctx, c.Submission)
	if unused != "" {
		err = errors.Join(err, s.resumes.Delete(ctx, unused))
	}
	if err != nil {
		s.host.Log.WarnContext(ctx, "ingest: a file was not removed", "error", err)
	}
}
