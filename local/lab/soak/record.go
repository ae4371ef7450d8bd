package soak

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// observation is one request as its client saw it.
type observation struct {
	operation string
	read      bool
	at        time.Time
	took      time.Duration
}

// recorder collects what clients saw; it is safe for concurrent use.
type recorder struct {
	mu        sync.Mutex
	seen      []observation
	throttled int
	failed    []failedRequest
}

type failedRequest struct {
	at  time.Time
	err error
}

// measure runs one request and records it.
func (r *recorder) measure(operation string, read bool, send func() error) {
	begun := time.Now()
	err := send()
	took := time.Since(begun)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, observation{operation, read, begun, took})
	refused := (*client.Error)(nil)
	switch {
	case err == nil:
	case errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests:
		r.throttled++
	default:
		r.failed = append(r.failed, failedRequest{begun, err})
	}
}

// selectTimes returns the sorted durations of the wanted requests begun between two times.
func (r *recorder) selectTimes(from, to time.Time, wanted func(observation) bool) []time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	var times []time.Duration
	for _, o := range r.seen {
		if !o.at.Before(from) && o.at.Before(to) && wanted(o) {
			times = append(times, o.took)
		}
	}
	slices.Sort(times)
	return times
}

func isRead(o observation) bool { return o.read }

func isAny(observation) bool { return true }

// countFailed counts the requests begun between two times that failed.
func (r *recorder) countFailed(from, to time.Time) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.failed {
		if !f.at.Before(from) && f.at.Before(to) {
			n++
		}
	}
	return n
}

// quantile returns the quantile q of sorted durations, or 0 if there are none.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*q))]
}

// formatMillis formats a duration as milliseconds.
func formatMillis(d time.Duration) string {
	return fmt.Sprintf("%.0f", float64(d)/float64(time.Millisecond))
}
