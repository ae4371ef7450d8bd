package apikey

import (
	"strconv"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func TestRefusalsAreBoundedAndEndWithTheirMinute(t *testing.T) {
	t.Parallel()
	var r refusals
	now := time.Unix(600, 0)
	w := windowAt(contract.DefaultTier, now)
	for i := range 2 * maxRefused {
		r.addRefusal(strconv.Itoa(i), w, Authentication{Limit: i})
	}
	if len(r.keys) != maxRefused {
		t.Errorf("remembers %d refusals, want %d", len(r.keys), maxRefused)
	}
	if a, ok := r.lookUp("7", w); !ok || a.Limit != 7 {
		t.Errorf("recalls %+v, %v", a, ok)
	}
	next := windowAt(contract.DefaultTier, now.Add(time.Minute))
	if _, ok := r.lookUp("7", next); ok {
		t.Error("recalls a refusal of the minute before")
	}
	r.addRefusal("x", next, Authentication{})
	r.addRefusal("y", w, Authentication{}) // late, from a request of the minute before
	if len(r.keys) != 1 {
		t.Errorf("remembers %d refusals after the minute, want 1", len(r.keys))
	}
}

func TestPassedKeysAreBounded(t *testing.T) {
	t.Parallel()
	var p passedKeys
	for i := range maxPassed + 1 {
		p.add(strconv.Itoa(i), Caller{})
	}
	if _, ok := p.lookUp(strconv.Itoa(maxPassed)); !ok || len(p.callers) > maxPassed {
		t.Errorf("%d callers are remembered, the last one: %v", len(p.callers), ok)
	}
}
