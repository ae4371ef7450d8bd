package cloud

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// InParallel runs the functions at the same time, waits for all of them, and returns the
// first error, which cancels the context that the others run with.
func InParallel(ctx context.Context, tasks ...func(context.Context) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, task := range tasks {
		group.Go(func() error { return task(ctx) })
	}
	return group.Wait()
}
