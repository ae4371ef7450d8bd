// Package sweep is the scheduled worker that stores what has become true by time alone
// and repairs what was lost. Live items past their deadline are timed out; items that no
// worker has claimed and items whose worker died are sent to the queue again.
//
// Objects of the marketplace's bucket that nothing needs are removed.
//
// Matches whose window is over are stored as expired, and recruiters who leave too many
// of them unresolved are marked as paused for auto-match.
//
// Readers compute time-outs and expiry themselves, so a late sweep is not visible.
package sweep

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// Service holds what the sweeper works with.
type Service struct {
	host        cloud.Host
	submissions *submission.Store
	queue       cloud.Queue
	matches     *match.Store
	objects     entity.Objects
	// pauseLimit is how many unresolved expired matches pause auto-match.
	pauseLimit int
}

// DefaultPauseLimit is the setting MATCH_PAUSE_LIMIT where it is not set.
const DefaultPauseLimit = 5

// New opens the sweeper's tables, bucket and queue. It fails on a missing or malformed setting.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	o := h.Opener()
	entities := entity.Open(o)
	return &Service{
		host: h, queue: o.Queue(topology.IngestQueue),
		submissions: submission.Open(o).Discarding(o.Bucket(topology.Resumes).Delete),
		matches:     match.NewStore(entities),
		objects:     entities.Objects(o.Bucket(topology.MarketplaceBucket)),
		pauseLimit:  max(o.Int(topology.SettingPauseLimit, DefaultPauseLimit), 1),
	}, o.Err()
}

// maxRun is how long a run starts new work on matches. The next run does what is left,
// so that runs hardly overlap and none is stopped in the middle.
var maxRun = topology.Sweep.Every - 10*time.Second

// Result counts what one run did.
type Result struct {
	// Ended items were past their deadline or out of attempts; Resent ones were
	// sent to the queue again.
	Ended  int `json:"ended"`
	Resent int `json:"resent"`
	// Expired matches were stored as such.
	Expired int `json:"expired"`
}

// Handle sweeps once. It returns the errors of what failed, which the next run repeats,
// beside the result of what succeeded.
func (s *Service) Handle(ctx context.Context) (Result, error) {
	ctx = cloud.Metered(ctx)
	now := s.host.Now()
	swept, err := s.submissions.Sweep(ctx, now, s.sendHints)
	more := func() bool { return s.host.Now().Sub(now) < maxRun }
	expired, failed := s.matches.Expire(ctx, now, s.pauseLimit, more)
	r, err := Result{swept.Ended, swept.Resent, expired}, errors.Join(err, failed, s.objects.Sweep(ctx, now))
	if r != (Result{}) || err != nil {
		s.host.Log.InfoContext(cloud.Finished(ctx), "sweep", "ended", r.Ended, "resent", r.Resent, "expired", r.Expired, "cause", err)
	}
	return r, err
}

// sendHints sends hints to the queue. A hint that the queue refuses is due again later.
func (s *Service) sendHints(ctx context.Context, hints []cloud.Message) error {
	var err error
	for from := 0; from < len(hints); from += cloud.MaxBatch {
		err = errors.Join(append([]error{err}, s.queue.Send(ctx, hints[from:min(from+cloud.MaxBatch, len(hints))])...)...)
	}
	return err
}
