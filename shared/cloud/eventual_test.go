package cloud_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// A refusal is decided by a consistent read; a result and an internal error are not read again.
func TestPreferEventual(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		first, second error
		reads         []bool
		want          error
	}{
		"found":          {nil, broken, []bool{true}, nil},
		"just created":   {fault.Missing(), nil, []bool{true, false}, nil},
		"an outage":      {broken, nil, []bool{true}, broken},
		"then an outage": {fault.Missing(), broken, []bool{true, false}, broken},
	} {
		var reads []bool
		_, err := cloud.PreferEventual(t.Context(), func(ctx context.Context) (int, error) {
			eventual := cloud.IsEventual(ctx)
			reads = append(reads, eventual)
			if eventual {
				return 0, tt.first
			}
			return 1, tt.second
		})
		if !errors.Is(err, tt.want) || !slices.Equal(reads, tt.reads) {
			t.Errorf("%s: got %v after %v", name, err, reads)
		}
	}
}
