package ingest

import (
	"context"
	"errors"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
)

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
		conflict = s.writeMembership(ctx, claim, candidate, place, unused)
		if conflict == nil {
			s.removeFiles(ctx, claim, unused)
			// Newer statements came between the submission and its ingestion, or its acceptance had a clock that was behind.
			if len(place.NewerStatements) > 0 {
				s.host.Log.InfoContext(ctx, "ingest: newer statements stand", "submission", claim.ID, "kept", place.NewerStatements)
			}
			return nil
		}
		if err := s.checkConflict(ctx, claim, conflict); err != nil {
			return err
		}
	}
	return conflict
}

// checkConflict returns nil if a failed commit is worth another round, because
// others changed the candidate's place, and otherwise the reason that it is not.
func (s *Service) checkConflict(ctx context.Context, claim submission.Claim, err error) error {
	if !dynamo.IsCondCheckFailed(err) {
		return err
	}
	if held, err := s.submissions.Held(ctx, claim); err != nil || !held {
		return errors.Join(errClaimLost, err)
	}
	return errors.Join(s.checkErased(ctx, claim), s.checkOwner(ctx, claim))
}

func (s *Service) writeMembership(
	ctx context.Context, claim submission.Claim, candidate network.Candidate, place network.Place, unused string,
) error {
	now := s.host.Now()
	tx := s.submissions.Succeed(s.write(), claim, place.ID, unused, now)
	tx.Check(s.accounts.RequireActiveMember(claim.AgencyID, claim.OwnerID))
	for _, hash := range identityHashes(claim) {
		s.persons.CheckNotErased(hash, acceptedAt(claim))(tx)
	}
	return s.network.Ingest(tx, candidate, place, network.Write{
		Now: now, Mark: claim.ID.String(), Changes: []changefeed.Change{claim.SuccessChange(place.ID, now)},
	}).Run(ctx)
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
