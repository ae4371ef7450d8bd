package notetaker_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
)

// Pages hold every call once, however many share a rank, and if their rows are more than the
// megabyte that one request returns.
func TestListOfTies(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	h := cloudtest.System(t, nil, func() time.Time { return now })
	table := h.Opener().Table(topology.Marketplace)
	bucket := objectstore.Open(h.Opener(), topology.MarketplaceBucket)
	s := notetaker.NewStore(entity.NewStore(table, dynamo.New(h.AWS).WriteTx), bucket)
	var want []string
	for i := range 40 * 2048 { // about 40 share a rank
		id := fmt.Sprint("call", i)
		if entity.RankOf(now, id) != entity.RankOf(now, "call0") && i > 5 {
			continue
		}
		want = append(want, id)
		c := notetaker.Call{
			RecruiterID: "rec1", ScheduledAt: contract.At(now), Summary: new(strings.Repeat("x", 50_000)),
			Transcript: &notetaker.Transcript{Segments: []notetaker.Segment{{Text: "Hello"}}},
		}
		if err := s.Put(ctx, id, entity.Stamp{Version: 1, At: now}, &c); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(want)
	for _, limit := range []int{1, 5, 50} {
		var got []string
		for after := int64(0); ; {
			page, next, err := s.List(ctx, "rec1", after, limit)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range page {
				got = append(got, c.ID)
			}
			after = next
			if next == 0 {
				break
			}
		}
		byRank := func(a, b string) int { return cmp.Compare(entity.RankOf(now, a), entity.RankOf(now, b)) }
		if !slices.IsSortedFunc(got, byRank) {
			t.Errorf("limit %d: calls of one time are not in the order of the hashes of their ids", limit)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("limit %d: got %d calls, want %d: %q", limit, len(got), len(want), got)
		}
	}
}
