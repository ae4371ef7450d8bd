package feed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
)

// logEvent writes one line per event: its type, entity and outcome, and never its content. The
// reason for a refusal quotes the event, so only the dead-letter queue has it.
func (s *Service) logEvent(ctx context.Context, e event.Envelope, refused bool, err error, took time.Duration) {
	level := slog.LevelInfo
	if refused || err != nil {
		level = slog.LevelWarn
	}
	s.host.Log.Log(cloud.Finished(ctx), level, "feed", "event", e.ID, "type", cloud.LogID(e.Type), "version", e.Version,
		"refused", refused, "ms", took.Milliseconds(), "cause", err)
}

// maxObject is the size in bytes of the largest object that a dataRef may name. Applying one
// takes up to about twenty times its size in memory. [event.Router] therefore applies one at a
// time, for which the function's memory suffices (TestBatchOfTheLargestEventsFitsTheFunction).
const maxObject = 16 << 20

// readObject reads what a dataRef names.
func (s *Service) readObject(ctx context.Context, key string) ([]byte, error) {
	content, err := s.bucket.Get(ctx, key, maxObject)
	if errors.Is(err, objectstore.ErrTooLarge) {
		return nil, event.Invalidf("dataRef: the object is larger than %d bytes.", maxObject)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a dataRef: %w", err)
	}
	return content, nil
}
