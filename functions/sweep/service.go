// Package sweep is the scheduled worker that stores what has become true only because time has
// passed, and repairs what was lost. In-flight items past their deadline are timed out; items that no
// worker has claimed and items left by a worker that died are sent to the queue again.
//
// Objects of the marketplace's bucket that are no longer needed are removed.
//
// Matches past their window are stored as expired, and recruiters who leave too many
// of them unresolved are marked as paused for auto-match.
//
// Candidates past their eligibility move to the lists of expired ones.
//
// The parts of this work run at the same time, so that a backlog of one part does not delay the
// others. The next run continues where one ended.
//
// Readers compute time-outs and expiry themselves, so a late sweep is not visible.
package sweep

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// Service holds what the sweeper works with.
type Service struct {
	host        cloud.Host
	submissions *submission.Store
	network     *network.Store
	queue       messaging.Queue
	matches     *match.Store
	objects     entity.Objects
	// pauseLimit is how many unresolved expired matches pause auto-match.
	pauseLimit int
	// maxWakeUps is how many wake-up messages a run sends: as many as there are look-ups in the minute until the next
	// one. In an outage of the profile provider, more would only cost the writes of parking them again.
	maxWakeUps int
}

// DefaultPauseLimit is the setting MATCH_PAUSE_LIMIT where it is not set.
const DefaultPauseLimit = 5

// New opens the sweeper's tables, bucket and queue. It fails on a missing or malformed setting.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	o := h.Opener()
	entities := entity.Open(o)
	submissions := submission.Open(o)
	submissions.Discard = objectstore.Open(o, topology.Resumes).Delete
	return &Service{
		host: h, queue: messaging.Open(o, topology.IngestQueue),
		submissions: submissions,
		network:     network.Open(o),
		matches:     match.NewStore(entities),
		objects:     entities.Objects(objectstore.Open(o, topology.MarketplaceBucket)),
		pauseLimit:  max(o.Int(topology.SettingPauseLimit, DefaultPauseLimit), 1),
		maxWakeUps:  max(o.Int(topology.SettingProfileRate, topology.DefaultProfileRate), 1),
	}, o.Err()
}

// Result counts what one run did.
type Result struct {
	// Ended items were past their deadline or out of attempts; Resent ones were
	// sent to the queue again.
	Ended  int `json:"ended"`
	Resent int `json:"resent"`
	// Expired matches were stored as such.
	Expired int `json:"expired"`
	// Lapsed is the number of memberships that were stored as expired.
	Lapsed int `json:"lapsed"`
	// Unfinished counts the parts of the work that the next run must continue.
	Unfinished int `json:"unfinished"`
}

// Handle sweeps once. It returns the result of the parts that succeeded, and the errors of those
// that failed, which the next run repeats.
func (s *Service) Handle(ctx context.Context) (Result, error) {
	ctx = cloud.Metered(ctx)
	now := s.host.Now()
	live := s.submissions.NewSweep(now, func(ctx context.Context, wakeUps []cloud.Message) error {
		return errors.Join(s.queue.Send(ctx, wakeUps)...) // one that the queue refuses is due again later
	})
	matches := s.matches.NewSweep(now, s.pauseLimit)
	expireMemberships, lapsed := s.network.NewSweep(now)
	var isHeld bool // other in-flight items are left to the next run, because maxWakeUps are sent
	checkInFlight := func(ctx context.Context, more func() bool) (bool, error) {
		maySend := func() bool { return live.Swept().Resent < s.maxWakeUps }
		left, err := live.CheckInFlight(ctx, func() bool { return more() && maySend() })
		isHeld = left && !maySend()
		return left && !isHeld, err
	}
	unfinished, err := s.runParts(ctx,
		checkInFlight, live.RemoveFiles, matches.Expire, s.objects.NewSweep(now), expireMemberships)
	swept := live.Swept()
	if isHeld {
		unfinished++
	}
	r := Result{swept.Ended, swept.Resent, matches.Expired(), int(lapsed.Load()), unfinished}
	parked, unknown := s.parkedMetrics(ctx, live, now)
	if r != (Result{}) || err != nil {
		line := append([]any{
			"ended", r.Ended, "resent", r.Resent, "expired", r.Expired, "lapsed", r.Lapsed,
			"unfinished", r.Unfinished, "cause", errors.Join(err, unknown),
		}, parked...)
		s.host.Log.InfoContext(cloud.Finished(ctx), "sweep", line...)
	}
	return r, err
}

// countEvery is how often what is parked is counted: once in a period of its alarm.
const countEvery = 5 * time.Minute

// parkedMetrics returns the metrics of what a run leaves; none if it leaves nothing, or another run counts.
func (s *Service) parkedMetrics(ctx context.Context, live *submission.Sweep, now time.Time) ([]any, error) {
	if now.Sub(now.Truncate(countEvery)) >= topology.Sweep.Every {
		return nil, nil
	}
	items, deadline, err := live.Backlog(ctx)
	if items == 0 || err != nil {
		return nil, err
	}
	return []any{
		topology.MetricParked, float64(items) / float64(s.maxWakeUps),
		topology.MetricParkedLeft, deadline.Sub(now).Minutes(),
	}, nil
}

// maxRun is how long a run begins new pages. The time before the next run is left for the last pages, so
// that runs hardly overlap and none is stopped in the middle.
var maxRun = topology.Sweep.Every - 10*time.Second

// part does a piece of one part of the work, begins no page after more has returned false, and reports
// whether another turn is needed.
type part = func(ctx context.Context, more func() bool) (left bool, err error)

// runParts runs the parts at the same time, each until nothing is left of it or the run's time is over.
// It returns how many parts are unfinished.
func (s *Service) runParts(ctx context.Context, parts ...part) (unfinished int, err error) {
	ends := s.host.Now().Add(maxRun)
	more := func() bool { return s.host.Now().Before(ends) }
	var left atomic.Int64
	err = cloud.ForEach(len(parts), parts, func(_ int, turn part) (failed error) {
		for {
			again, err := turn(ctx, more)
			failed = errors.Join(failed, err)
			if !again {
				return failed
			}
			if !more() {
				left.Add(1)
				return failed
			}
		}
	})
	return int(left.Load()), err
}
