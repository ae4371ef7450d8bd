package sweep_test

import (
	"syscall"
	"testing"
	"time"
)

// BenchmarkWake has the sweeper send the wake-up messages of items that are due again, as after an outage of the profile provider. It reports
// the items in a second, and in a second of the process's processor time: the emulators run in processes of their own.
func BenchmarkWake(b *testing.B) {
	const items = 8_000
	for b.Loop() {
		b.StopTimer()
		s := newSlowSystem(b, 0)
		s.loadBacklog(backlog{wakeUps: items})
		b.StartTimer()
		begun := time.Now()
		used := processorTime(b)
		r := s.runSweep()
		if r.Resent != items {
			b.Fatalf("got %+v, want all %d sent", r, items)
		}
		b.ReportMetric(items/time.Since(begun).Seconds(), "items/s")
		b.ReportMetric(items/(processorTime(b)-used).Seconds(), "items/cpu-s")
	}
}

// processorTime returns the processor time that the process has used.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
