package feed

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

// indexDelay is after how long an index has what was written before an erasure's mark.
const indexDelay = time.Minute

// followUps is what an event leaves to be done after a while, as messages that are held
// back.
type followUps struct {
	// notices carries notices of changed CRMs; erasures is this worker's own queue of events.
	notices, erasures messaging.Queue
	now               func() time.Time

	mu sync.Mutex
	// noted holds the recruiters with CRMs that a bulk load has changed, and the time of their
	// last note; nil outside a bulk load.
	noted map[string]time.Time
}

// noteCRM sends a note that a recruiter's CRM changes. A bulk load sends one in half of [crm.BulkDelay]: before the
// previous note is delivered, so that the changes of a load that is killed are published.
func (l *followUps) noteCRM(ctx context.Context, recruiterID string) error {
	if l.noted == nil {
		return l.sendNote(ctx, recruiterID)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now().Sub(l.noted[recruiterID]) < crm.BulkDelay/2 {
		return nil
	}
	err := l.sendNote(ctx, recruiterID)
	if err == nil {
		l.noted[recruiterID] = l.now()
	}
	return err
}

func (l *followUps) sendNote(ctx context.Context, recruiterID string) error {
	notice := crm.ChangeNotice{RecruiterID: recruiterID, At: l.now(), Bulk: l.noted != nil}
	return errors.Join(l.notices.Send(ctx, []cloud.Message{{Body: notice.String()}})...)
}

// repeatErasure sends an erasure a second time, when the indexes that find the person have
// caught up with the writes just before the first.
func (l *followUps) repeatErasure(ctx context.Context, encoded []byte) error {
	return errors.Join(l.erasures.Send(ctx, []cloud.Message{{Body: string(encoded)}})...)
}

// ChangedCRMs returns the recruiters with changed CRMs, for a Service of [NewBulk].
func (s *Service) ChangedCRMs() []string {
	s.followUps.mu.Lock()
	defer s.followUps.mu.Unlock()
	return slices.Sorted(maps.Keys(s.followUps.noted))
}
