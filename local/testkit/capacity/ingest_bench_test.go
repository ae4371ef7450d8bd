package capacity_test

import (
	"testing"
	"time"
)

// BenchmarkIngest ingests one submission with a resume as text after the other, while the profile
// provider answers at once. "cpu-items/s" is how many a core ingests of which the database takes
// nothing; "items/s" is with the emulator's time.
func BenchmarkIngest(b *testing.B) {
	s := newScene(b, smallScale)
	var took, used time.Duration
	n := 0
	for ; b.Loop(); n++ {
		run := prepareIngestion(s)
		begun := time.Now()
		before := processorTime()
		run()
		took += time.Since(begun)
		used += processorTime() - before
	}
	b.ReportMetric(float64(n)/used.Seconds(), "cpu-items/s")
	b.ReportMetric(float64(n)/took.Seconds(), "items/s")
}
