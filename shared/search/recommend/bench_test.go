package recommend_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
)

// BenchmarkRank ranks for candidates as rich as those of a book, whose prose is looked up too, for
// all of them in each iteration. Times are the processor's, and the shortest of a candidate counts,
// because other work on the machine only adds.
func BenchmarkRank(b *testing.B) {
	var seekers []seeker
	for i := range 300 {
		s := seekerAt(i)
		s.Skills = append(s.Skills, recommend.SkillTerms(trial.Docs(1, now)[0].Description)...)
		seekers = append(seekers, s)
	}
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			v := newTestView(b, trial.Docs(n, now)...)
			b.ReportAllocs()
			runtime.GC()
			times := slices.Repeat([]time.Duration{math.MaxInt64}, len(seekers))
			for b.Loop() {
				for i, s := range seekers {
					start := cpuTime()
					recommend.Rank(v, open, s.Candidate.Criteria(now))
					times[i] = min(times[i], cpuTime()-start)
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2])/1e6, "p50-cpu-ms")
			b.ReportMetric(float64(times[len(times)*99/100])/1e6, "p99-cpu-ms")
		})
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
