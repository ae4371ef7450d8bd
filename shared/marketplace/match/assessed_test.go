package match_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// TestPendingRoles finds those of one candidate of one recruiter, up to the moment
// at which they expire.
func TestPendingRoles(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	db, table := cloudtest.Database(t, topology.Marketplace)
	s := match.NewStore(entity.NewStore(table, db.WriteTx))
	for _, m := range []struct {
		id, recruiter, candidate, role string
		status                         contract.MatchStatus
	}{
		{"m1", "rec1", "c1", "r1", contract.MatchStatusPending}, {"m2", "rec1", "c1", "r2", contract.MatchStatusSubmitted}, {"m3", "rec1", "c1", "r3", contract.MatchStatusDismissed},
		{"m4", "rec1", "c11", "r4", contract.MatchStatusPending}, {"m5", "rec2", "c1", "r5", contract.MatchStatusPending}, {"m6", "rec1", "c1", "r6", contract.MatchStatusPending},
	} {
		if err := s.Put(t.Context(), m.id, entity.Stamp{Version: 1, At: now}, &match.Match{
			RecruiterID: m.recruiter, RoleID: m.role, Status: m.status, SentAt: contract.At(now),
			Candidate: match.Candidate{CandidateID: m.candidate, Name: "Ada Sample"},
		}); err != nil {
			t.Fatal(err)
		}
	}
	for at, want := range map[time.Duration][]string{0: {"r1", "r6"}, match.ExpiryPeriod - time.Millisecond: {"r1", "r6"}, match.ExpiryPeriod: nil} {
		got, err := s.PendingRoles(t.Context(), "rec1", "c1", now.Add(at))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("after %v (-want +got), %v:\n%s", at, err, diff)
		}
	}
}
