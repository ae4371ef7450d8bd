package main

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A body has a place while it is received and handled, and takes up to 12 MB. Its handler, which
// begins when the body has arrived, has a slot and takes 48 MB more for one of 12 MB. All places
// and slots fit into the task's 1 GB. One caller has a part of them only: all places are taken by
// nine callers at least, and the slots by requests that no client can slow down.
const (
	maxPlaces    = 36
	maxOwnPlaces = 4
	maxSlots     = 6
	maxOwnSlots  = 2
)

// slots counts slots, or places, of a process.
type slots struct {
	all    *semaphore.Weighted
	maxOwn int64
	mu     sync.Mutex
	// own holds the slots of each caller who has one or waits for one.
	own map[string]*ownSlots
}

type ownSlots struct {
	*semaphore.Weighted
	// requests counts those that have one of these slots or wait for one.
	requests int
}

// newSlots returns so many slots, of which one caller has at most maxOwn.
func newSlots(all, maxOwn int64) *slots {
	return &slots{all: semaphore.NewWeighted(all), maxOwn: maxOwn, own: map[string]*ownSlots{}}
}

// takeSlot waits for one of the caller's slots, and then for one of all. It fails when
// ctx ends; otherwise release must be called once.
func (s *slots) takeSlot(ctx context.Context, caller string) (release func(), err error) {
	own := s.joinCaller(caller)
	if err := own.Acquire(ctx, 1); err != nil {
		s.leaveCaller(caller, own)
		return nil, err
	}
	releaseOwn := func() {
		own.Release(1)
		s.leaveCaller(caller, own)
	}
	if err := s.all.Acquire(ctx, 1); err != nil {
		releaseOwn()
		return nil, err
	}
	return func() {
		s.all.Release(1)
		releaseOwn()
	}, nil
}

func (s *slots) joinCaller(caller string) *ownSlots {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own[caller] == nil {
		s.own[caller] = &ownSlots{Weighted: semaphore.NewWeighted(s.maxOwn)}
	}
	s.own[caller].requests++
	return s.own[caller]
}

func (s *slots) leaveCaller(caller string, own *ownSlots) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own.requests--; own.requests == 0 {
		delete(s.own, caller)
	}
}
