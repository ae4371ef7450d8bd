package main

import (
	"context"
	"sync"
)

// maxSlots is how many bodies are in memory at a time: a body takes up to five times its
// size while it is decoded, so as many of 12 MB fit into the task's 1 GB. One caller has
// at most maxOwnSlots of them, so that no caller takes them all.
const (
	maxSlots    = 12
	maxOwnSlots = 4
)

// slots counts the slots of a process.
type slots struct {
	all chan struct{}
	mu  sync.Mutex
	// own holds the slots of each caller who has one or waits for one.
	own map[string]*ownSlots
}

type ownSlots struct {
	taken chan struct{}
	// requests counts those that have one of these slots or wait for one.
	requests int
}

func newSlots() *slots {
	return &slots{all: make(chan struct{}, maxSlots), own: map[string]*ownSlots{}}
}

// takeSlot waits for one of the caller's slots, and then for one of the process. It fails when
// ctx ends; otherwise release must be called once.
func (s *slots) takeSlot(ctx context.Context, caller string) (release func(), err error) {
	own := s.joinCaller(caller)
	if err := pushUnlessDone(ctx, own.taken); err != nil {
		s.leaveCaller(caller, own)
		return nil, err
	}
	releaseOwn := func() {
		<-own.taken
		s.leaveCaller(caller, own)
	}
	if err := pushUnlessDone(ctx, s.all); err != nil {
		releaseOwn()
		return nil, err
	}
	return func() {
		<-s.all
		releaseOwn()
	}, nil
}

func (s *slots) joinCaller(caller string) *ownSlots {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own[caller] == nil {
		s.own[caller] = &ownSlots{taken: make(chan struct{}, maxOwnSlots)}
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

func pushUnlessDone(ctx context.Context, to chan<- struct{}) error {
	select {
	case to <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
