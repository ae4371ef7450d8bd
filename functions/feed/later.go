package feed

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/crm"
	"github.com/recruiting-marketplace/external-api/shared/feed"
)

// settled is after how long an index has what was written before an erasure's mark.
const settled = time.Minute

// later is what an event leaves to be done after a while, as messages that are held
// back.
type later struct {
	// books carries notes, own this worker's events.
	books, own cloud.Queue
	now        func() time.Time

	mu sync.Mutex
	// touched are the recruiters whose books changed, where a load wants to know.
	touched map[string]bool
}

// book notes that a recruiter's book changed, where the change is worth it.
func (l *later) book(ctx context.Context, recruiterID string, e feed.Envelope, removed bool) error {
	l.mu.Lock()
	if l.touched != nil {
		l.touched[recruiterID] = true
	}
	l.mu.Unlock()
	if !crm.Worth(e.EntityID, e.Version, removed) {
		return nil
	}
	return l.note(ctx, recruiterID)
}

func (l *later) note(ctx context.Context, recruiterID string) error {
	return errors.Join(l.books.Send(ctx, []string{crm.Note{RecruiterID: recruiterID, At: l.now()}.String()})...)
}

// again brings an erasure a second time, when the indexes that find the person have
// caught up with what was written just before the first.
func (l *later) again(ctx context.Context, e feed.Envelope, person *feed.Erasure) error {
	event, err := json.Marshal(struct {
		feed.Envelope
		Data *feed.Erasure `json:"data"`
	}{e, person})
	if err != nil {
		return err
	}
	return errors.Join(l.own.Send(ctx, []string{string(event)})...)
}

// Books lists the recruiters whose books a worker made by NewBulk has changed.
func (s *Service) Books() []string {
	s.later.mu.Lock()
	defer s.later.mu.Unlock()
	all := make([]string, 0, len(s.later.touched))
	for id := range s.later.touched {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}
