package document

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Work that outlasts its time is a failure of the file, whatever it returns then; that its caller gave up is not.
func TestRunWithTimeLimit(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		patience time.Duration // of the caller
		takes    time.Duration
		result   func(context.Context) error
		want     error
		kind     Kind
	}{
		"in time":              {time.Minute, readTimeout - 1, func(context.Context) error { return nil }, nil, ""},
		"an error in time":     {time.Minute, readTimeout - 1, func(context.Context) error { return broken }, broken, ""},
		"out of time":          {time.Minute, readTimeout + 1, context.Context.Err, context.DeadlineExceeded, ResourceLimit},
		"an error out of time": {time.Minute, readTimeout + 1, func(context.Context) error { return broken }, broken, ResourceLimit},
		"done out of time":     {time.Minute, readTimeout + 1, func(context.Context) error { return nil }, nil, ""},
		"the caller gave up":   {time.Second, time.Second + 1, context.Context.Err, context.DeadlineExceeded, ""},
		"it gave up meanwhile": {time.Second, readTimeout, func(context.Context) error { return nil }, context.DeadlineExceeded, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), test.patience)
				defer cancel()
				err := RunWithTimeLimit(ctx, func(ctx context.Context) error {
					time.Sleep(test.takes) // of the bubble's clock
					return test.result(ctx)
				})
				failure, isFailure := errors.AsType[*Failure](err)
				if !errors.Is(err, test.want) || isFailure != (test.kind != "") {
					t.Fatalf("got %v, want %v of kind %q", err, test.want, test.kind)
				}
				if isFailure && failure.Kind != test.kind {
					t.Errorf("kind %q, want %q", failure.Kind, test.kind)
				}
			})
		})
	}
}

// The message of a failure is public: the cause is not in it.
func TestFailuresHideTheirCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("offset 7: Maya")
	for _, f := range []*Failure{CorruptFailure(cause), LimitFailure(cause)} {
		if want := string(f.Kind) + ": " + f.Message; f.Error() != want || !errors.Is(f, cause) {
			t.Errorf("got %q of %v, want %q of the cause", f.Error(), errors.Unwrap(f), want)
		}
	}
}

func TestIsLineBreak(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune]bool{'\n': true, '\u2028': true, '\v': true, '\t': false, ' ': false, 'a': false, '\u00a0': false} {
		if IsLineBreak(r) != want {
			t.Errorf("%U: got %t", r, !want)
		}
	}
}
