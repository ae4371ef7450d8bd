package account_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// answerLoser loses the answers of the next attempts of writes, as the SDK sees it.
type answerLoser struct {
	mu sync.Mutex
	n  int
}

func (l *answerLoser) arm(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n = n
}

func (l *answerLoser) hook(_ context.Context, call cloud.Call, send func() error) error {
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
	for name, do := range map[string]func(s testStore) (account.Key, error){
		"create": func(s testStore) (account.Key, error) { return s.CreateKey(t.Context(), newRequest(agencyKeys)) },
		"revoke": func(s testStore) (account.Key, error) {
			return s.RevokeKey(t.Context(), agencyKeys, "owner", s.mustList(t, agencyKeys)[0].KeyID, start)
		},
		"rename": func(s testStore) (account.Key, error) {
			return s.RenameKey(t.Context(), agencyKeys, "owner", s.mustList(t, agencyKeys)[0].KeyID, "Backfill")
		},
	} {
		for attempt := range 2 { // of three
			t.Run(fmt.Sprint(name, attempt), func(t *testing.T) {
				t.Parallel()
				lost := &answerLoser{}
				s := newTestStore(t, lost.hook)
				s.mustCreate(t, newRequest(agencyKeys))
				lost.arm(attempt + 1)
				got, err := do(s)
				if err != nil {
					t.Fatal(err)
				}
				keys := s.mustList(t, agencyKeys)
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
	s := newTestStore(t, cloudtest.Lose("TransactWriteItems", 7, gone)) // after the two accounts and four members
	in := newRequest(agencyKeys)
	if _, err := s.CreateKey(t.Context(), in); !errors.Is(err, gone) {
		t.Fatalf("got %v, want the lost answer", err)
	}
	want := []account.Key{s.mustCreate(t, in)}
	if diff := cmp.Diff(want, s.mustList(t, agencyKeys)); diff != "" || want[0].KeyID != in.ID {
		t.Errorf("returned %+v (-returned +listed):\n%s", want[0], diff)
	}
}
