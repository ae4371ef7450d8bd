package capacity_test

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// turns measures a function that runs for warmTime again and again, in turns with others.
type turns struct {
	do func()
	// used are the processor times of do by turn, in µs; times are all times that passed.
	used  []float64
	times []time.Duration
	// bytes and mallocs are what all turns allocated.
	bytes, mallocs uint64
}

func newTurns(do func()) *turns {
	do()
	return &turns{do: do}
}

// run runs the function for one turn.
func (t *turns) run() {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	used := processorTime()
	count := len(t.times)
	for end := time.Now().Add(warmTime); time.Now().Before(end); {
		begun := time.Now()
		t.do()
		t.times = append(t.times, time.Since(begun))
	}
	t.used = append(t.used, float64((processorTime()-used).Nanoseconds())/1000/float64(len(t.times)-count))
	runtime.ReadMemStats(&after)
	t.bytes += after.TotalAlloc - before.TotalAlloc
	t.mallocs += after.Mallocs - before.Mallocs
}

// report reports the shortest turn, the percentiles of the times, and the allocations.
func (t *turns) report(b *testing.B) {
	b.Helper()
	slices.Sort(t.times)
	count := len(t.times)
	b.ReportMetric(slices.Min(t.used), "cpu-us")
	b.ReportMetric(float64(t.times[count/2].Nanoseconds())/1000, "p50-us")
	b.ReportMetric(float64(t.times[count*99/100].Nanoseconds())/1000, "p99-us")
	b.ReportMetric(float64(t.bytes)/float64(count), "B/op")
	b.ReportMetric(float64(t.mallocs)/float64(count), "allocs/op")
}
