package cloud

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// InParallel runs the reads at the same time, and returns the first error. The
// context that they are given is cancelled by it.
func InParallel(ctx context.Context, reads ...func(context.Context) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, read := range reads {
		group.Go(func() error { return read(ctx) })
	}
	return group.Wait()
}
