package soak

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The limits that the system must keep under load.
const (
	maxSlowdown     = 1.5             // of reads during the flood, at p50 and p99
	maxProbeTime    = 5 * time.Second // for another agency's submission during the flood
	maxMemoryGrowth = 1.5             // from before the flood to the end, plus memorySlack
	memorySlack     = 64              // megabytes by which a small process may grow in addition
)

// printReport prints the tables and returns the limits that were exceeded.
func (l *loadRun) printReport() error {
	l.printMinutes()
	l.printOperations()
	warm := l.started.Add(l.minute)
	return errors.Join(l.checkErrors(), l.checkFlood(warm), l.checkMemory(warm))
}

func (l *loadRun) printMinutes() {
	table := tabwriter.NewWriter(l.o.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	printf(table, "minute\trequests\t/s\tp50 ms\tp99\tp99.9\terrors\tmemory MB\t\n")
	for from, n := l.started, 1; from.Add(l.minute / 2).Before(l.ended); from, n = from.Add(l.minute), n+1 {
		to := from.Add(l.minute)
		times := l.seen.selectTimes(from, to, isAny)
		printf(table, "%d\t%d\t%.1f\t%s\t%s\t%s\t%d\t%s\t\n", n, len(times), float64(len(times))/l.minute.Seconds(),
			formatMillis(quantile(times, 0.5)), formatMillis(quantile(times, 0.99)), formatMillis(quantile(times, 0.999)),
			l.seen.countFailed(from, to), formatMemory(l.memory.peakBetween(from, to)))
	}
	_ = table.Flush()
}

func (l *loadRun) printOperations() {
	table := tabwriter.NewWriter(l.o.Out, 0, 0, 2, ' ', 0)
	printf(table, "\noperation\trequests\tp50 ms\tp99\n")
	names := map[string]bool{}
	for _, o := range l.seen.seen {
		names[o.operation] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		times := l.seen.selectTimes(l.started, l.ended, func(o observation) bool { return o.operation == name })
		printf(table, "%s\t%d\t%s\t%s\n", name, len(times), formatMillis(quantile(times, 0.5)), formatMillis(quantile(times, 0.99)))
	}
	_ = table.Flush()
}

func (l *loadRun) checkErrors() error {
	printf(l.o.Out, "\n%d requests, %d throttled, %d failed, %d failed submissions of the probe\n",
		len(l.seen.seen), l.seen.throttled, len(l.seen.failed), len(l.probe.failed))
	failed := slices.Clone(l.probe.failed)
	for _, f := range l.seen.failed {
		failed = append(failed, f.err)
	}
	if l.seen.throttled > 0 {
		failed = append(failed, fmt.Errorf("%d requests were throttled", l.seen.throttled))
	}
	return errors.Join(failed[:min(len(failed), 10)]...)
}

// checkFlood compares response times during the flood with those before it.
func (l *loadRun) checkFlood(warm time.Time) error {
	f := &l.flood
	size := l.o.scale(floodSize)
	printf(l.o.Out, "flood of %d: drained after %s, ended: %v\n", size, f.end.Sub(f.begun).Round(time.Second), f.outcomes)
	var failed []error
	if f.outcomes[string(contract.Succeeded)] != size {
		failed = append(failed, fmt.Errorf("the flood ended as %v", f.outcomes))
	}
	before := l.seen.selectTimes(warm, f.begun, isRead)
	during := l.seen.selectTimes(f.begun, f.end, isRead)
	for name, q := range map[string]float64{"p50": 0.5, "p99": 0.99} {
		was := quantile(before, q)
		is := quantile(during, q)
		ratio := float64(is) / float64(max(was, time.Microsecond))
		printf(l.o.Out, "reads %s: %s ms before the flood, %s ms in it: %.2f times\n", name, formatMillis(was), formatMillis(is), ratio)
		if ratio > maxSlowdown {
			failed = append(failed, fmt.Errorf("reads are %.2f times slower at %s, want %v", ratio, name, maxSlowdown))
		}
	}
	was := l.probe.selectTimes(warm, f.begun)
	is := l.probe.selectTimes(f.begun, f.end)
	printf(l.o.Out, "another agency's submission to its end: p50 %s, longest %s ms before; p50 %s, longest %s ms in the flood (%d submissions)\n",
		formatMillis(quantile(was, 0.5)), formatMillis(quantile(was, 1)), formatMillis(quantile(is, 0.5)), formatMillis(quantile(is, 1)), len(is))
	if longest := quantile(is, 1); longest > maxProbeTime {
		failed = append(failed, fmt.Errorf("another agency's submission took %s, want %s", roundDuration(longest), maxProbeTime))
	}
	return errors.Join(failed...)
}

// checkMemory compares the memory at the end with that before the flood.
func (l *loadRun) checkMemory(warm time.Time) error {
	var failed []error
	before := l.memory.peakBetween(warm, l.flood.begun)
	last := l.memory.peakBetween(l.ended.Add(-l.minute), l.ended)
	for name, megabytes := range last {
		if was := before[name]; was > 0 && float64(megabytes) > memorySlack+maxMemoryGrowth*float64(was) {
			failed = append(failed, fmt.Errorf("%s grew from %d MB to %d MB", name, was, megabytes))
		}
	}
	return errors.Join(failed...)
}
