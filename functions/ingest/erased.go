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

// errErased ends a submission whose person, or upload, was erased after it was
// accepted. The code is that of an erased upload, for an erased person's is one; it
// does not tell the agency which of the two it was.
var errErased = &failure{code: contract.InvalidResumeReference, message: submission.ErasedMessage}

// checkErased fails when the person was erased after the submit: one who is
// submitted after the erasure is a candidate like any other. Then it removes what an
// earlier attempt may have kept, before the item ends.
func (s *Service) checkErased(ctx context.Context, c submission.Claim) error {
	erased, err := s.persons.IsErased(ctx, personsOf(c), acceptedAt(c))
	if err != nil || !erased {
		return err
	}
	if err := errors.Join(s.profiles.Forget(ctx, identity.Hash(c.LinkedInURL)), s.submissions.DropSent(ctx, c.Submission)); err != nil {
		return err
	}
	return errErased
}

// requireNotErased makes a transaction hold only while the person is not erased.
func (s *Service) requireNotErased(tx *dynamo.WriteTx, c submission.Claim) {
	for _, hash := range personsOf(c) {
		s.persons.NotErased(hash, acceptedAt(c))(tx)
	}
}

func personsOf(c submission.Claim) []string { return entity.Persons(&c.Email, &c.LinkedInURL) }

// acceptedAt is of the milliseconds that erasures are told in.
func acceptedAt(c submission.Claim) time.Time { return c.SubmittedAt.Truncate(time.Millisecond) }
