package fault_test

import (
	"errors"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	inner := errors.New("no route to host")
	missing := fault.Missing()
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"an internal error", inner, "account.Agency(id): no route to host"},
		{"a public error", missing, missing.Error()},
		{"a public error with a cause", fault.Missing().Because(inner), missing.Error() + ": no route to host"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tt.err
			fault.Wrap(&got, "account.Agency(id)")
			if got.Error() != tt.want || !errors.Is(got, tt.err) {
				t.Errorf("got %v, want %s", got, tt.want)
			}
		})
	}
}

func TestWrapLeavesNil(t *testing.T) {
	t.Parallel()
	var err error
	if fault.Wrap(&err, "account.Agency(id)"); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}
