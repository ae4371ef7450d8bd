package system_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var faultTable = flag.String("faults", "", "run every case of the fault sweep, and write the table of its results to this file")

// Calls of every operation that writes fail, are lost, happen twice, take too long, are throttled,
// or are the last call of their process. After recovery, the stored state is that after a run
// without a fault, and a caller that repeats its request gets the same response.
//
// For each of the first three calls of each kind, one fault is chosen, in rotation; with -short,
// only for every fourth of these calls. With the flag -faults, every call gets every fault.
func TestFaultSweep(t *testing.T) {
	t.Parallel()
	results := newSweepResults()
	t.Cleanup(func() { results.writeTable(t) })
	all := sweptOperations()
	if *faultTable != "" {
		for _, op := range all {
			for i := range sweptFaults {
				t.Run(op.name+"/"+sweptFaults[i].name, func(t *testing.T) {
					t.Parallel()
					newFaultSystem(t).sweepOperation(op, results, func(int, numberedCall) *callFault { return &sweptFaults[i] })
				})
			}
		}
		return
	}
	begun := 0
	// Four share a system: the start of one costs as much as three cases, and each case reads all that is stored.
	for some := range slices.Chunk(all, 4) {
		first := begun
		begun += len(some)
		t.Run(some[0].name, func(t *testing.T) {
			t.Parallel()
			f := newFaultSystem(t)
			for n, op := range some {
				f.sweepOperation(op, results, func(number int, call numberedCall) *callFault {
					if call.nth > 3 || testing.Short() && number%4 != 0 { // a kind may have many similar calls, such as one for each shard
						return nil
					}
					return &sweptFaults[(first+n+number)%len(sweptFaults)]
				})
			}
		})
	}
}

// sweepOperation runs an operation once without a fault, and once for each of its calls with the
// fault that choose returns for it, if any.
func (f *faultSystem) sweepOperation(op operation, results *sweepResults, choose func(number int, call numberedCall) *callFault) {
	f.t.Helper()
	c, calls, model := f.runCase(op, numberedCall{}, nil)
	for _, d := range c.defects {
		f.t.Errorf("%s: without a fault: %s", op.name, d.text)
	}
	if len(calls) == 0 {
		f.t.Errorf("%s: made no call", op.name)
	}
	for i, call := range calls {
		fault := choose(i, call)
		if fault == nil {
			continue
		}
		c, _, state := f.runCase(op, call, fault)
		if c == nil {
			f.t.Errorf("%s: %s: there was no such call", op.name, call)
			continue
		}
		state.compareWith(model, c)
		for _, d := range c.defects {
			text := fmt.Sprintf("%s: %s at %s: %s: %s", op.name, fault.name, call, defectNames[d.kind], d.text)
			f.t.Error(text)
		}
		results.add(op.name, fault.name, c.defects)
	}
}

var defectNames = [defectKinds]string{lost: "lost", twice: "twice", stuck: "stuck", orphan: "orphan"}

// sweepResults counts the cases of a sweep by operation and fault, and their defects.
type sweepResults struct {
	begun time.Time

	mu      sync.Mutex
	cases   map[[2]string]int
	defects map[string]*[defectKinds]int
}

func newSweepResults() *sweepResults {
	return &sweepResults{begun: time.Now(), cases: map[[2]string]int{}, defects: map[string]*[defectKinds]int{}}
}

func (r *sweepResults) add(operation, fault string, defects []defect) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cases[[2]string{operation, fault}]++
	if r.defects[operation] == nil {
		r.defects[operation] = &[defectKinds]int{}
	}
	var found [defectKinds]bool // a case counts once in each column
	for _, d := range defects {
		found[d.kind] = true
	}
	for kind, isFound := range found {
		if isFound {
			r.defects[operation][kind]++
		}
	}
}

// writeTable writes, if the flag is set, the number of cases by operation and fault, and of those
// with each kind of defect.
func (r *sweepResults) writeTable(t *testing.T) {
	if *faultTable == "" {
		return
	}
	var table strings.Builder
	columns := "%-40s" + strings.Repeat("%5v", len(sweptFaults)+1) + strings.Repeat("%8v", int(defectKinds)) + "\n"
	row := func(name string, counts []int) {
		cells := []any{name}
		for _, n := range counts {
			cells = append(cells, n)
		}
		fmt.Fprintf(&table, columns, cells...)
	}
	heads := []any{"operation"}
	for i, fault := range sweptFaults {
		fmt.Fprintf(&table, "%2d  %s\n", i+1, fault.name)
		heads = append(heads, i+1)
	}
	heads = append(heads, "all")
	for _, name := range defectNames {
		heads = append(heads, name)
	}
	fmt.Fprintf(&table, "\n"+columns, heads...)
	total := make([]int, len(heads)-1)
	for _, op := range sweptOperations() {
		counts := r.countsOf(op.name)
		for i, n := range counts {
			total[i] += n
		}
		row(op.name, counts)
	}
	row("all", total)
	fmt.Fprintf(&table, "\n%d cases in %v\n", total[len(sweptFaults)], time.Since(r.begun).Round(time.Second))
	if err := os.WriteFile(*faultTable, []byte(table.String()), 0o644); err != nil {
		t.Error(err)
	}
}

// countsOf returns the cells of an operation's row: its cases with each fault, all its cases, and
// those with each kind of defect.
func (r *sweepResults) countsOf(operation string) (counts []int) {
	all := 0
	for _, fault := range sweptFaults {
		n := r.cases[[2]string{operation, fault.name}]
		counts = append(counts, n)
		all += n
	}
	counts = append(counts, all)
	if defects := r.defects[operation]; defects != nil {
		return append(counts, defects[:]...)
	}
	return append(counts, make([]int, defectKinds)...)
}
