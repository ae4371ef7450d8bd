package changefeed_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// TestASegmentFitsAnItem fails if entries are moved together whose changes exceed 200 KB, or one that exceeds them alone is not moved. An
// item has at most 400 KB, so that the feed would be stuck.
func TestASegmentFitsAnItem(t *testing.T) {
	t.Parallel()
	const kilobyte = 1 << 10
	for name, test := range map[string]struct {
		sizes    []int
		segments int
	}{
		"together":              {[]int{99 * kilobyte, 99 * kilobyte}, 1},
		"more than 200 KB":      {[]int{101 * kilobyte, 101 * kilobyte}, 2},
		"one more than 200 KB":  {[]int{250 * kilobyte}, 1},
		"more than 400 KB":      {[]int{250 * kilobyte, 190 * kilobyte}, 2},
		"a small one, and more": {[]int{kilobyte, 101 * kilobyte, 101 * kilobyte}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newTestFeed(t)
			var want []string
			for i, size := range test.sizes {
				e := newEntry(string(rune('a'+i)), start)
				e.Changes[0].CandidateUserID = strings.Repeat("x", size)
				f.must(f.record(agency, e))
				want = append(want, e.Subject)
			}
			page, err := f.Read(t.Context(), agency, changefeed.Position{}, 10, nil)
			f.must(err)
			var got []string
			for _, c := range page.Changes {
				got = append(got, c.SubmissionID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			segments, err := f.table.Get(topology.PK, "A#"+string(agency)).Range(topology.SK, dynamo.BeginsWith, "S#").Consistent(true).Count(t.Context())
			if f.must(err); int(segments) != test.segments {
				t.Errorf("got %d segments, want %d", segments, test.segments)
			}
		})
	}
}
