package network

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// GetCandidate serves GET /talent-network/candidates/{candidateUserId}.
func (s *Service) GetCandidate(ctx context.Context, call *gateway.Call, in contract.CandidateRequest) (contract.Candidate, error) {
	m, owner, err := s.readVisible(ctx, call, in.CandidateUserID)
	if err != nil {
		return contract.Candidate{}, err
	}
	return contract.Candidate{
		FoundCandidate: contract.FoundCandidate{CandidateRow: candidateRow(m.Row(), owner, call.Now), Resume: resumeFacts(m)},
		Preferences:    m.Preferences, LastSubmission: lastSubmission(m, call.Now),
	}, nil
}

// lastSubmission returns the newest submission of a membership; nil if it was never submitted. The
// key of its resume names the item of the batch that it came with.
func lastSubmission(m network.Membership, now time.Time) *contract.LastSubmission {
	row := m.Row()
	last := contract.LastSubmission{Source: row.LastSubmissionSource, SubmittedAt: contract.At(m.LastSubmittedAt())}
	if m.LastSubmittedAt().IsZero() {
		return nil
	}
	place, ok := submission.ParseCopyKey(m.ResumeKey)
	kept := now.Before(m.SubmittedAt.Add(submission.Retention))
	if ok && kept && row.LastSubmissionSource == contract.CandidateSourceExternalAPI {
		last.BatchID = place.Batch.String()
		last.SubmissionID = submission.NewID(place.Batch, place.Index).String()
	}
	return &last
}
