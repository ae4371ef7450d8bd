package ingest

import (
	"context"
	"errors"
	"slices"
	"time"
	"unicode"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// ingestClaim performs the steps in the order of the published codes. An error
// other than an *itemFailure is worth another attempt.
func (s *Service) ingestClaim(ctx context.Context, claim submission.Claim) error {
	for _, check := range []func(context.Context, submission.Claim) error{s.checkProvider, s.checkErased, s.checkOwner, s.checkUpload} {
		if err := check(ctx, claim); err != nil {
			return err
		}
	}
	content, err := s.resumes.Get(ctx, claim.ResumeKey, resume.MaxFile)
	if err != nil {
		return err
	}
	fields, contentType, err := s.readResume(ctx, claim, content)
	if err != nil {
		return err
	}
	verdict := resume.CheckIdentity(fields, claim.Name, claim.Email, claim.LinkedInURL)
	claim.Evidence = verdict.String()
	if verdict.Mismatch {
		return &itemFailure{
			code: contract.ResumeIdentityMismatch, evidence: claim.Evidence,
			message: "The resume belongs to another person: its name differs and it has none of the submitted addresses. " +
				"Submit the candidate with their own resume.",
		}
	}
	provider := profile.ByEnvironment(claim.Environment, s.live, s.test)
	verified, err := provider.Profile(ctx, identity.Slug(claim.LinkedInURL))
	if err != nil {
		return publishOutcome(claim, err)
	}
	candidate := newCandidate(claim, fields, verified, s.host.Now())
	return s.commitCandidate(ctx, claim, candidate, content, contentType)
}

// checkOwner fails if the member was removed or deactivated after the submit.
func (s *Service) checkOwner(ctx context.Context, claim submission.Claim) error {
	member, err := s.accounts.Member(ctx, claim.AgencyID, claim.OwnerID)
	switch {
	case err != nil || member.Active():
		return err
	case member.Deactivated:
		return newFailure(contract.RecruiterDeactivated, "The recruiter was deactivated. Submit the candidate for an active member.")
	}
	return newFailure(contract.RecruiterNotFound,
		"The recruiter is no longer an approved member of the agency. Submit the candidate for an approved member.")
}

// checkUpload fails if the upload was erased, or found to be unreadable, after the submit. It
// reads the record and not the bucket, where a missing file looks like one that the function
// may not read.
func (s *Service) checkUpload(ctx context.Context, claim submission.Claim) error {
	erased, unreadable, err := s.submissions.UploadState(ctx, claim.Submission)
	switch {
	case erased:
		return errErased
	case unreadable != "":
		return newFailure(contract.ResumeParseFailed, unreadable)
	}
	return err
}

// readResume reads the file and returns its fields and content type. A fault of the file is
// permanent and is stored with the upload, so that its other submissions need not read it.
func (s *Service) readResume(ctx context.Context, claim submission.Claim, content []byte) (resume.Fields, string, error) {
	document, err := resume.Read(ctx, content)
	var unreadable *resume.Failure
	switch {
	case errors.As(err, &unreadable):
		return resume.Fields{}, "", s.failFile(ctx, claim, unreadable.Message, unreadable)
	case err != nil:
		return resume.Fields{}, "", err
	case isWordless(document):
		return resume.Fields{}, "", s.failFile(ctx, claim, wordlessMessage, nil)
	}
	return resume.Extract(document, s.host.Now()), document.Type.ContentType(), nil
}

func (s *Service) failFile(ctx context.Context, claim submission.Claim, message string, cause error) error {
	f := newFailure(contract.ResumeParseFailed, "The resume cannot be read: "+message+".")
	f.cause = cause
	if err := s.submissions.MarkUnreadable(ctx, claim.Submission, f.message, s.host.Now()); err != nil {
		s.host.Log.WarnContext(ctx, "ingest: an unreadable upload was not marked", "error", err)
	}
	return f
}

// checkProvider fails early, before the resume is read, if no profile can be verified now.
func (s *Service) checkProvider(_ context.Context, claim submission.Claim) error {
	if claim.Environment == profile.SandboxEnvironment {
		return nil
	}
	return publishOutcome(claim, s.breaker.CheckOpen())
}

// publishOutcome returns the failure that publishes a provider's error. An outage
// parks the item; for test keys, an outage of the stand-in uses up its attempts.
func publishOutcome(claim submission.Claim, err error) error {
	var unavailable *profile.Unavailable
	switch {
	case errors.Is(err, profile.ErrNotFound):
		return newFailure(contract.LinkedInProfileNotFound,
			"No public LinkedIn profile was found at this URL. Check linkedinUrl and submit again.")
	case errors.Is(err, profile.ErrNoExperience):
		return newFailure(contract.LinkedInNoExperience,
			"The LinkedIn profile shows no work experience. Ask the candidate to complete it and submit again.")
	case errors.As(err, &unavailable):
		return &itemFailure{
			code:    contract.VerificationUnavailable,
			message: "The LinkedIn profile could not be verified at the moment. Submit the candidate again later.",
			cause:   unavailable, retry: unavailable.Retryable, alarm: unavailable.Operator, after: unavailable.RetryAfter,
			park: claim.Environment != profile.SandboxEnvironment && unavailable.IsOutage(),
		}
	}
	return err
}

// keptConfidences are the fields for which the membership keeps the confidence.
var keptConfidences = []string{"skills", "languages", "education", "yearsOfExperience"}

// newCandidate returns what ingestion has learned: the current job is the profile's,
// or the resume's if the profile shows none.
func newCandidate(claim submission.Claim, fields resume.Fields, p profile.Profile, readAt time.Time) network.Candidate {
	title := p.Title
	company := p.Company
	if title == "" && company == "" {
		title = fields.Title
		company = fields.Company
	}
	kept := network.Resume{
		ReadAt: readAt, Skills: fields.Skills, Languages: fields.Languages, Years: fields.Years, Confidence: map[string]float64{},
	}
	for _, e := range fields.Education {
		kept.Education = append(kept.Education, network.Study{School: e.School, Degree: e.Degree, From: e.Start.Year, To: e.End.Year})
	}
	for _, name := range keptConfidences {
		if value, ok := fields.Confidence[name]; ok {
			kept.Confidence[name] = value
		}
	}
	return network.Candidate{
		Tenant: claim.Tenant(), OwnerID: claim.OwnerID, ScreeningCallLink: claim.ScreeningCallLink,
		Preferences: claim.Preferences, SubmittedAt: claim.SubmittedAt, Resume: kept,
		Person: network.Person{
			Name: claim.Name, Email: claim.Email, LinkedInURL: claim.LinkedInURL, Title: title, Company: company, Location: p.Location,
		},
	}
}

// errErased ends a submission if its person or upload was erased after it was
// accepted. Both have the code of an erased upload, so that the agency cannot tell
// which of the two it was.
var errErased = &itemFailure{code: contract.InvalidResumeReference, message: submission.ErasedMessage}

// checkErased fails if the person was erased after the submit: a person submitted
// after the erasure is a candidate like any other. Before the item ends it deletes
// what an earlier attempt may have stored.
func (s *Service) checkErased(ctx context.Context, claim submission.Claim) error {
	erased, err := s.persons.IsErased(ctx, identityHashes(claim), acceptedAt(claim))
	if err != nil || !erased {
		return err
	}
	err = profile.Forget(ctx, s.profiles, identity.Hash(claim.LinkedInURL))
	if err := errors.Join(err, s.submissions.DropSentFile(ctx, claim.Submission)); err != nil {
		return err
	}
	return errErased
}

func identityHashes(claim submission.Claim) []string {
	return entity.PersonHashes(&claim.Email, &claim.LinkedInURL)
}

// acceptedAt returns the time of the submit in milliseconds, the precision of erasures.
func acceptedAt(claim submission.Claim) time.Time {
	return claim.SubmittedAt.Truncate(time.Millisecond)
}

// errClaimLost means that the claim is over: another worker holds the item or has
// ended it, and records its outcome.
var errClaimLost = errors.New("the claim was lost")

// maxCommitRounds bounds the attempts to find a place for the candidate while
// others change it; a lost round means that another writer won.
const maxCommitRounds = 20

// commitCandidate gives the membership its own copy of the file and stores
// membership, preferences, identities and the outcome of the item in one
// transaction, which holds only while the owner is an active member and the person
// is not erased. A newer submission of the same person keeps its own file.
func (s *Service) commitCandidate(
	ctx context.Context, claim submission.Claim, candidate network.Candidate, content []byte, contentType string,
) error {
	candidate.ResumeKey = claim.CopyKey()
	copied := false
	var conflict error
	for range maxCommitRounds {
		place, err := s.network.FindPlace(ctx, candidate, claim.CandidateUserID())
		if err != nil {
			return err
		}
		if !copied && !place.HasNewer {
			if err := s.resumes.Put(ctx, candidate.ResumeKey, contentType, content); err != nil {
				return err
			}
			copied = true
		}
		unused := place.ReplacedResume
		if place.HasNewer { // a round, or a worker, that was lost may have copied the file
			unused = candidate.ResumeKey
		}
		now := s.host.Now()
		tx := s.submissions.Succeed(s.write(), claim, place.ID, unused, now)
		tx.Check(s.accounts.RequireActiveMember(claim.AgencyID, claim.OwnerID))
		for _, hash := range identityHashes(claim) {
			s.persons.CheckNotErased(hash, acceptedAt(claim))(tx)
		}
		conflict = s.network.Ingest(tx, candidate, place, network.Write{
			Now: now, ID: claim.ID.String(), Changes: []changefeed.Change{claim.SuccessChange(place.ID, now)},
		}).Run(ctx)
		if conflict == nil {
			s.removeFiles(ctx, claim, unused)
			// Newer statements came between the submission and its ingestion, or its acceptance had a clock that was behind.
			if len(place.NewerStatements) > 0 {
				s.host.Log.InfoContext(ctx, "ingest: newer statements kept", "submission", claim.ID, "kept", place.NewerStatements)
			}
			return nil
		}
		if !dynamo.IsCondCheckFailed(conflict) {
			return conflict
		}
		if held, err := s.submissions.Held(ctx, claim); err != nil || !held {
			return errors.Join(errClaimLost, err)
		}
		// If neither is the reason, others changed the candidate's place, which is worth another round.
		if err := errors.Join(s.checkErased(ctx, claim), s.checkOwner(ctx, claim)); err != nil {
			return err
		}
	}
	return conflict
}

// removeFiles deletes the files that a committed candidate no longer needs: the
// one that came with the submission, and unused ("" for none). A failure is only
// logged: the bucket drops the one in time, and a disposal leads to the other.
func (s *Service) removeFiles(ctx context.Context, claim submission.Claim, unused string) {
	err := s.submissions.DropSentFile(ctx, claim.Submission)
	if unused != "" {
		err = errors.Join(err, s.resumes.Delete(ctx, unused))
	}
	if err != nil {
		s.host.Log.WarnContext(ctx, "ingest: a file was not removed", "error", err)
	}
}

// A resume has at least minWords words of letters, and no character makes up more than maxShare
// of its text, or of its letters (contract, Resume files).
const (
	minWords = 5
	maxShare = 0.95
)

// wordlessMessage is public, and becomes a part of a sentence.
const wordlessMessage = "the file has fewer than five words, or hardly anything but one character; send a resume with text"

// unspaced are the scripts that write words without spaces between them.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// isWordless reports whether a document cannot be a resume, whatever its language.
func isWordless(d resume.Document) bool {
	words := 0
	all := map[rune]int{}
	letters := map[rune]int{}
	for _, line := range slices.Concat(d.Blocks...) {
		inside := false
		for _, r := range line {
			switch { // a word is a run of letters and their marks, or a letter of an unspaced script
			case !unicode.IsLetter(r) && !unicode.IsMark(r):
				inside = false
			case !inside, unicode.IsLetter(r) && unicode.In(r, unspaced...):
				words++
				inside = true
			}
			if !unicode.IsSpace(r) {
				all[r]++
			}
			if unicode.IsLetter(r) {
				letters[r]++
			}
		}
	}
	return words < minWords || greatestShare(all) > maxShare || greatestShare(letters) > maxShare
}

func greatestShare(counts map[rune]int) float64 {
	total := 0
	most := 0
	for _, n := range counts {
		total += n
		most = max(most, n)
	}
	return float64(most) / float64(max(total, 1))
}
