package ingest

import (
	"context"
	"errors"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

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
	err = s.profiles.Forget(ctx, identity.Hash(claim.LinkedInURL))
	if err := errors.Join(err, s.submissions.DropSentFile(ctx, claim.Submission)); err != nil {
		return err
	}
	return errErased
}

// requireNotErased adds to a transaction the condition that the person is not erased.
func (s *Service) requireNotErased(tx *dynamo.WriteTx, claim submission.Claim) {
	for _, hash := range identityHashes(claim) {
		s.persons.CheckNotErased(hash, acceptedAt(claim))(tx)
	}
}

func identityHashes(claim submission.Claim) []string {
	return entity.PersonHashes(&claim.Email, &claim.LinkedInURL)
}

// acceptedAt returns the time of the submit in milliseconds, the precision of erasures.
func acceptedAt(claim submission.Claim) time.Time {
	return claim.SubmittedAt.Truncate(time.Millisecond)
}
