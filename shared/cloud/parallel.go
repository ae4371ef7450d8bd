package cloud

import (
	"context"
	"errors"

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

// ForEach calls do with every item and its index, at most limit calls at a time. An error does not
// stop the other calls; all errors are returned.
func ForEach[T any](limit int, items []T, do func(n int, item T) error) error {
	errs := make([]error, len(items))
	var group errgroup.Group
	group.SetLimit(limit)
	for n, item := range items {
		group.Go(func() error {
			errs[n] = do(n, item)
			return nil
		})
	}
	_ = group.Wait() // each error is kept
	return errors.Join(errs...)
}
