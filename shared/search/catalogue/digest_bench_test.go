package catalogue_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// changedFor is the time for which an instance keeps a change over its base: that after which a newer base is certain to have it, and a publication.
const changedFor = 3 * time.Minute

// changingRoles is the number of roles: as many as change in that time at the highest rate.
const changingRoles = 180_000

// BenchmarkChangeRates lets many roles change at several rates, a digest a second, over the changes of three minutes, and searches them: the
// processor time of a second's digest and of a search, and the memory of the changes.
func BenchmarkChangeRates(b *testing.B) {
	s := newSized(b, changingRoles)
	for _, rate := range []int{0, 12, 100, 300, 1_000} {
		b.Run(fmt.Sprint(rate), func(b *testing.B) {
			before := liveBytes()
			f := catalogue.NewFollower(s.docs, 4)
			for second := 0; second < int(changedFor.Seconds()); second += 10 {
				f.Merge(changedDocs(s.docs, second*rate, 10*rate))
			}
			memory := liveBytes() - before
			var digests, searches []time.Duration
			for i := 0; b.Loop(); i++ {
				begun := processorTime()
				f.Merge(changedDocs(s.docs, i*rate, rate))
				digests = append(digests, processorTime()-begun)
				for j := range 20 {
					begun := processorTime()
					f.View().Search(s.queries[(i*20+j)%len(s.queries)])
					searches = append(searches, processorTime()-begun)
				}
			}
			slices.Sort(digests)
			slices.Sort(searches)
			for unit, times := range map[string][]time.Duration{"digest": digests, "search": searches} {
				b.ReportMetric(float64(times[len(times)/2])/1e6, unit+"-p50-ms")
				b.ReportMetric(float64(times[len(times)*99/100])/1e6, unit+"-p99-ms")
			}
			b.ReportMetric(memory, "memory-MB")
			b.ReportMetric(float64(f.DigestBytes())/float64(max(1, rate)), "bytes/change")
			runtime.KeepAlive(f)
		})
	}
}

// changedDocs returns n of the documents, in rotation, as they are after a change.
func changedDocs(docs []roleindex.Doc, from, n int) []roleindex.Doc {
	changed := make([]roleindex.Doc, n)
	for i := range changed {
		changed[i] = docs[(from+i)%len(docs)]
		changed[i].SalaryUpper++
	}
	return changed
}
