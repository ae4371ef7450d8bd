package match_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// TestPut lists a recruiter's matches oldest first, and has the pending ones in the
// index by the time they expire, and by their candidates.
func TestPut(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	db, table := cloudtest.Database(t, topology.Marketplace)
	entities := entity.NewStore(table, db.WriteTx)
	s := match.NewStore(entities)
	put := func(id string, version int64, status contract.MatchStatus, sent time.Time) {
		t.Helper()
		m := &match.Match{
			RecruiterID: "rec1", RoleID: "r1", Status: status, SentAt: contract.At(sent),
			Candidate: match.Candidate{CandidateID: "cand1", Name: "Ada Sample", Email: new("ada@example.com")},
		}
		if err := s.Put(ctx, id, entity.Stamp{Version: version, At: now}, m); err != nil {
			t.Fatal(err)
		}
	}
	state := func() (listed []contract.MatchStatus, pending, due int) {
		t.Helper()
		for row, err := range entities.Query(ctx, entity.Query{PK: "U#rec1"}) {
			var m match.Match
			if err != nil || row.Into(&m) != nil {
				t.Fatal(err)
			}
			switch row.SK[0] {
			case 'Q':
				pending++
			case 'M':
				listed = append(listed, m.Status)
			}
		}
		_, err := entities.Due(now.Add(match.ExpiryPeriod), 100, 1).Turn(ctx, func() bool { return true },
			func(_ context.Context, page []cloud.DueKey) error {
				for _, key := range page {
					if key.SK == match.Key("").SK {
						due++
					}
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		return listed, pending, due
	}
	put("late", 1, "pending", now.Add(time.Hour))
	put("early", 1, "pending", now)
	put("early", 2, "submitted", now)
	put("middle", 1, "pending", now.Add(-time.Hour))
	listed, pending, due := state()
	if diff := cmp.Diff([]contract.MatchStatus{"pending", "submitted", "pending"}, listed); diff != "" || pending != 2 || due != 1 {
		t.Errorf("%d pending, %d due, list (-want +got):\n%s", pending, due, diff)
	}
	if erased, err := s.Erase(ctx, "middle", now); err != nil || !erased {
		t.Fatal(erased, err)
	}
	if listed, pending, due := state(); len(listed) != 2 || pending != 1 || due != 0 {
		t.Errorf("after the erasure: %v, %d pending, %d due", listed, pending, due)
	}
}

// The label of an application is there from the submission on, and the stage of a
// rejection with nothing else.
func TestApplication(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		match        match.Match
		label, stage string
	}{
		"pending":               {match.Match{Status: contract.MatchStatusPending, ProgressLabel: new("Offer")}, "", ""},
		"dismissed":             {match.Match{Status: contract.MatchStatusDismissed, ProgressLabel: new("Rejected"), RejectedAfterStage: new("Offer")}, "", ""},
		"submitted, no label":   {match.Match{Status: contract.MatchStatusSubmitted}, "Submitted", ""},
		"submitted, on its way": {match.Match{Status: contract.MatchStatusSubmitted, ProgressLabel: new("Mid round"), RejectedAfterStage: new("Offer")}, "Mid round", ""},
		"rejected":              {match.Match{Status: contract.MatchStatusSubmitted, ProgressLabel: new("Rejected"), RejectedAfterStage: new("Offer")}, "Rejected", "Offer"},
		"rejected at once":      {match.Match{Status: contract.MatchStatusSubmitted, ProgressLabel: new("Rejected")}, "Rejected", ""},
	} {
		a := tt.match.Application()
		if got := [2]string{or(a.ProgressLabel), or(a.RejectedAfterStage)}; got != [2]string{tt.label, tt.stage} {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func or(s *contract.ProgressLabel) string {
	if s == nil {
		return ""
	}
	return string(*s)
}

// A page of all matches reads no more of them than it shows, and one to know of more.
func TestListReadsNoMoreThanItShows(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var limits []int32
	d := newTestStore(t, func(_ context.Context, c cloud.Call, send func() error) error {
		if in, ok := c.Input.(*dynamodb.QueryInput); ok {
			mu.Lock()
			defer mu.Unlock()
			limits = append(limits, aws.ToInt32(in.Limit))
		}
		return send()
	})
	for n := range 5 {
		d.putMatch(fmt.Sprint("m", n), 1, contract.MatchStatusPending)
	}
	page, next, err := d.List(t.Context(), "rec1", contract.MatchFilterAll, "", 2, sent)
	if len(page) != 2 || next == "" || err != nil || !slices.Equal(limits, []int32{3}) {
		t.Errorf("%d rows, next %q, %v, by reading %v; want 2 by reading 3", len(page), next, err, limits)
	}
}
