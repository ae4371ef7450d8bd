package soak

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// attempts is a log of workers that adds up their lines.
type attempts struct {
	mu   sync.Mutex
	work map[string]*usage // by message and status
	// ended counts the items that workers ended, by batch; oldest is the greatest age of one.
	ended  map[uuid.UUID]int
	oldest time.Duration
}

// usage is the sum of what log lines say of calls and units.
type usage struct {
	lines, calls  int
	reads, writes float64
}

// attemptLine has the attributes of a line that are counted.
type attemptLine struct {
	Message string              `json:"msg"`
	Batch   uuid.UUID           `json:"batch"`
	Status  contract.ItemStatus `json:"status"`
	Age     int64               `json:"age_ms"`
	Calls   int                 `json:"calls"`
	Reads   float64             `json:"read_units"`
	Writes  float64             `json:"write_units"`
}

func newAttempts() *attempts {
	return &attempts{work: map[string]*usage{}, ended: map[uuid.UUID]int{}}
}

// Write implements io.Writer for one line.
func (a *attempts) Write(line []byte) (int, error) {
	var found attemptLine
	if err := json.Unmarshal(line, &found); err != nil {
		return 0, fmt.Errorf("log line: %w", err)
	}
	if found.Message == "ingest" || found.Message == "sweep" {
		a.add(found)
	}
	return len(line), nil
}

func (a *attempts) add(line attemptLine) {
	a.mu.Lock()
	defer a.mu.Unlock()
	name := line.Message + " " + string(line.Status)
	sum := cmp.Or(a.work[name], &usage{})
	a.work[name] = sum
	sum.lines++
	sum.calls += line.Calls
	sum.reads += line.Reads
	sum.writes += line.Writes
	if line.Status.Terminal() {
		a.ended[line.Batch]++
		a.oldest = max(a.oldest, time.Duration(line.Age)*time.Millisecond)
	}
}

// countEnded returns how many items of the batches have ended.
func (a *attempts) countEnded(batches []string) (ended int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range batches {
		ended += a.ended[uuid.MustParse(id)]
	}
	return ended
}

// print prints the sums, and what they are for each of n submissions.
func (a *attempts) print(to io.Writer, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	printf(to, "for each submission %6s %6s %10s %11s\n", "lines", "calls", "read units", "write units")
	for _, name := range slices.Sorted(maps.Keys(a.work)) {
		u := a.work[name]
		all := float64(n)
		printf(to, "%-19s %6.2f %6.1f %10.1f %11.1f\n", name, float64(u.lines)/all, float64(u.calls)/all, u.reads/all, u.writes/all)
	}
}
