package entity_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// A change without conditions on the marks of its persons leaves no copy of a person who is erased
// at the same time, whether the erasure comes before or after any of the change's calls, even if
// the worker dies there and the event is repeated.
func TestErasureBesideAnUnconditionalChange(t *testing.T) {
	t.Parallel()
	const person = "hash"
	died := errors.New("the worker died")
	for n := range int64(3) { // read, commit, look again
		for _, when := range []string{"before", "after", "before, and the worker dies", "before, and the worker dies after the call", "after, and the worker dies"} {
			t.Run(fmt.Sprint("call ", n+1, " ", when), func(t *testing.T) {
				t.Parallel()
				var s *entity.Store
				var calls atomic.Int64
				s, _ = open(t, func(ctx context.Context, _ cloud.Call, send func() error) error {
					if calls.Add(1) != n+1 {
						return send()
					}
					var err error
					if strings.HasPrefix(when, "after") {
						err = send()
					}
					must(t, s.MarkErased(ctx, person, now))
					for range copiesOf(t, s, person) {
						_, eraseErr := s.Erase(ctx, gone(0))
						must(t, eraseErr)
					}
					switch {
					case strings.HasSuffix(when, "after the call"):
						return errors.Join(send(), died)
					case strings.HasSuffix(when, "dies"):
						return died
					case when == "before":
						return send()
					}
					return err
				})
				change := put(1, thing{"a", []string{"x"}}, person)
				change.PersonsUnconditional = true
				if _, err := s.Apply(ctx, change); err != nil && !errors.Is(err, died) {
					t.Fatal(err)
				}
				_, err := s.Apply(ctx, change)
				must(t, err)
				state, err := s.Get(ctx, key)
				must(t, err)
				copies := copiesOf(t, s, person)
				if state.Live() || state.Version != 1 || len(marks(t, s, "")) > 0 || len(copies) > 0 {
					t.Errorf("%+v, rows %q, copies %v", state, marks(t, s, ""), copies)
				}
			})
		}
	}
}

// A row without a body is written once, however often the entity changes.
func TestKeyRowsAreWrittenOnce(t *testing.T) {
	t.Parallel()
	var written atomic.Int64
	s, _ := open(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if in, ok := call.Input.(*dynamodb.TransactWriteItemsInput); ok {
			written.Store(int64(len(in.TransactItems)))
		}
		return send()
	})
	for version, want := range []int64{3, 2, 2} {
		change := put(int64(version+1), thing{"a", []string{"x"}}, "hash")
		change.PersonsUnconditional = true
		_, err := s.Apply(ctx, change)
		must(t, err)
		if got := written.Load(); got != want {
			t.Errorf("version %d took %d actions, want %d: the entity, its row, and the person's at first", version+1, got, want)
		}
	}
	if copies := copiesOf(t, s, "hash"); len(copies) != 1 {
		t.Errorf("got %v", copies)
	}
}

// The erasure of what a change has just stored may lose against others as often as the change may.
func TestErasureAfterALateChange(t *testing.T) {
	t.Parallel()
	const person, most = "hash", 50
	lost := &types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{{Code: aws.String("ConditionalCheckFailed")}}}
	var s *entity.Store
	commits := 0
	s, _ = open(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation != "TransactWriteItems" {
			return send()
		}
		commits++
		switch commits {
		case most: // the last one of the change
			err := send()
			must(t, s.MarkErased(ctx, person, now))
			return err
		case 2 * most: // the last one of the erasure
			return send()
		}
		return lost
	})
	change := put(1, thing{"a", []string{"x"}}, person)
	change.PersonsUnconditional = true
	applied, err := s.Apply(ctx, change)
	must(t, err)
	state, err := s.Get(ctx, key)
	must(t, err)
	if !applied || state.Live() || len(copiesOf(t, s, person)) > 0 {
		t.Errorf("applied %t, %+v", applied, state)
	}
}
