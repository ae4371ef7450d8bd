package match_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/entity"
	"github.com/recruiting-marketplace/external-api/shared/match"
)

// BenchmarkExpire stores 2,000 matches that are due at once, of 50 recruiters. "rate"
// is how many a second, in times of the rate at which the same database stored them
// before as pending, with as many writers as the sweeper has: the limit is 0.7.
func BenchmarkExpire(b *testing.B) {
	const matches, writers = 2000, 64
	d := newDesk(b)
	run := int64(0)
	var written, expired time.Duration
	for b.Loop() {
		run++
		start := time.Now()
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for n := w; n < matches; n += writers {
					m := match.Match{
						RecruiterID: fmt.Sprint("rec", n%50), RoleID: "r1", Status: match.Pending, SentAt: contract.At(sent),
						Candidate: match.Candidate{CandidateID: fmt.Sprint("cand", n), Name: "Ada Sample"},
					}
					d.must(d.Put(b.Context(), fmt.Sprint("m", n), entity.Stamp{Version: run, At: sent}, &m))
				}
			})
		}
		all.Wait()
		written += time.Since(start)
		start = time.Now()
		if n := d.sweep(sent.Add(match.Window)); n != matches {
			b.Fatalf("%d of %d were stored", n, matches)
		}
		expired += time.Since(start)
	}
	b.ReportMetric(float64(matches*b.N)/expired.Seconds(), "expired/s")
	b.ReportMetric(written.Seconds()/expired.Seconds(), "rate")
}
