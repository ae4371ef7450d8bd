package account_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// loser loses the answers of the next attempts of writes, as the SDK sees it.
type loser struct {
	mu sync.Mutex
	n  int
}

func (l *loser) arm(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n = n
}

func (l *loser) hook(_ context.Context, call cloud.Call, send func() error) error {
	err := send()
	l.mu.Lock()
	defer l.mu.Unlock()
	if call.Operation == "TransactWriteItems" || call.Operation == "UpdateItem" {
		if l.n > 0 {
			l.n--
			return cloudtest.Lost{}
		}
	}
	return err
}

func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(s accounts) (account.Key, error){
		"create": func(s accounts) (account.Key, error) { return s.CreateKey(t.Context(), request(agencyKeys)) },
		"revoke": func(s accounts) (account.Key, error) {
			return s.RevokeKey(t.Context(), agencyKeys, "owner", s.list(t, agencyKeys)[0].ID, start)
		},
		"rename": func(s accounts) (account.Key, error) {
			return s.RenameKey(t.Context(), agencyKeys, "owner", s.list(t, agencyKeys)[0].ID, "Backfill")
		},
	} {
		for attempt := range 3 {
			t.Run(fmt.Sprint(name, attempt), func(t *testing.T) {
				t.Parallel()
				lost := &loser{}
				s := newAccounts(t, lost.hook)
				s.create(t, request(agencyKeys))
				lost.arm(attempt + 1)
				got, err := do(s)
				if err != nil {
					t.Fatal(err)
				}
				keys := s.list(t, agencyKeys)
				if diff := cmp.Diff(got, keys[0]); diff != "" {
					t.Errorf("answered, but not stored (-answered +stored):\n%s", diff)
				}
				if want := map[string]int{"create": 2}[name]; len(keys) != max(1, want) {
					t.Errorf("there are %d keys", len(keys))
				}
			})
		}
	}
}

// TestRepeatedCreationIsOneKey repeats a creation whose answer never came, with
// the same id and hash.
func TestRepeatedCreationIsOneKey(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	s := newAccounts(t, cloudtest.Lose("TransactWriteItems", 3, gone)) // after the two accounts
	in := request(agencyKeys)
	if _, err := s.CreateKey(t.Context(), in); !errors.Is(err, gone) {
		t.Fatalf("got %v, want the lost answer", err)
	}
	s.create(t, in)
	if got := s.list(t, agencyKeys); len(got) != 1 {
		t.Errorf("there are %d keys, want 1", len(got))
	}
}
