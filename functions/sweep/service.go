// Package sweep is the scheduled worker that stores what time has made true and
// repairs what was lost: live items past their deadline are timed out, items
// nobody took on and items whose worker died are sent to the queue again.
//
// Readers compute time-outs themselves, so a late sweep is never seen.
package sweep

import (
	"context"
	"errors"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/submission"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Service holds what the sweeper works with.
type Service struct {
	host        cloud.Host
	submissions *submission.Store
	queue       cloud.Queue
}

// New opens the sweeper's table and queue. It fails on a missing or malformed setting.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	table, err := h.Table(topology.Submissions)
	if err != nil {
		return nil, err
	}
	settings, err := submission.SettingsFrom(h)
	if err != nil {
		return nil, err
	}
	queue, err := h.Queue(topology.IngestQueue)
	return &Service{h, submission.NewStore(table, dynamo.New(h.AWS).WriteTx, settings), queue}, err
}

// Result counts what one run did.
type Result struct {
	// Ended items were past their deadline or out of attempts; Resent ones were
	// sent to the queue again.
	Ended  int `json:"ended"`
	Resent int `json:"resent"`
}

// Handle sweeps once. A run that failed in part says so and leaves the rest to
// the next one.
func (s *Service) Handle(ctx context.Context) (Result, error) {
	ctx = cloud.Metered(ctx)
	swept, err := s.submissions.Due(ctx, s.host.Now(), s.send)
	if swept.Ended+swept.Resent > 0 || err != nil {
		s.host.Log.InfoContext(cloud.Finished(ctx), "sweep", "ended", swept.Ended, "resent", swept.Resent, "cause", err)
	}
	return Result{Ended: swept.Ended, Resent: swept.Resent}, err
}

// send hands hints to the queue; a refused one is due again later.
func (s *Service) send(ctx context.Context, hints []string) error {
	var err error
	for from := 0; from < len(hints); from += cloud.MaxBatch {
		err = errors.Join(append([]error{err}, s.queue.Send(ctx, hints[from:min(from+cloud.MaxBatch, len(hints))])...)...)
	}
	return err
}
