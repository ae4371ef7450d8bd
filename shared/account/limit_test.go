package account_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// createMany creates n keys at once and returns how many the limit let through.
func (s testStore) createMany(t *testing.T, p account.Principal, n int) int64 {
	t.Helper()
	var created atomic.Int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_, err := s.CreateKey(t.Context(), newRequest(p))
			switch {
			case err == nil:
				created.Add(1)
			case fault.As(err).Kind != fault.Forbidden:
				t.Errorf("got %v, want Forbidden", err)
			}
		})
	}
	wg.Wait()
	return created.Load()
}

func TestLimitOfActiveKeysIsExactUnderConcurrency(t *testing.T) {
	t.Parallel()
	for p, limit := range map[account.Principal]int{agencyKeys: 50, personalKeys: 5} {
		t.Run(string(p.Type), func(t *testing.T) {
			t.Parallel()
			s := newTestStore(t)
			if got := s.createMany(t, p, limit+10); got != int64(limit) {
				t.Errorf("created %d of %d, want %d", got, limit+10, limit)
			}
			keys := s.mustList(t, p)
			if len(keys) != limit {
				t.Errorf("listed %d, want %d", len(keys), limit)
			}
			if _, err := s.RevokeKey(t.Context(), p, newRequest(p).Actor, keys[0].KeyID, start); err != nil {
				t.Fatal(err)
			}
			if got := s.createMany(t, p, 5); got != 1 {
				t.Errorf("created %d in the one free place", got)
			}
		})
	}
}

func TestExpiredKeysFreeTheirPlaces(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	for i := range 50 {
		in := newRequest(agencyKeys)
		if i%2 == 0 {
			in.ExpiresAt = new(start.Add(time.Hour))
		}
		s.mustCreate(t, in)
	}
	_, err := s.CreateKey(t.Context(), newRequest(agencyKeys))
	wantFault(t, err, fault.Forbidden)
	for i := range 26 {
		in := newRequest(agencyKeys)
		in.Now = start.Add(time.Hour)
		_, err := s.CreateKey(t.Context(), in)
		if i < 25 && err != nil {
			t.Fatalf("key %d after 25 expired: %v", i+1, err)
		}
		if i == 25 {
			wantFault(t, err, fault.Forbidden)
		}
	}
	if got := s.mustList(t, agencyKeys); len(got) != 75 {
		t.Errorf("listed %d, want expired ones too: 75", len(got))
	}
}
