package cloud

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"
)

// InParallel runs the functions at the same time, waits for all of them, and returns the
// first error, which cancels the context that the others run with.
func InParallel(ctx context.Context, tasks ...func(context.Context) error) error {
	return EachUntilError(ctx, len(tasks), tasks, func(ctx context.Context, _ int, run func(context.Context) error) error {
		return run(ctx)
	})
}

// Reading returns a task for [InParallel] that stores in out what read returns.
func Reading[T any](out *T, read func(context.Context) (T, error)) func(context.Context) error {
	return func(ctx context.Context) (err error) {
		*out, err = read(ctx)
		return err
	}
}

// EachUntilError calls do with every item and its index, at most limit calls at a time, and returns the
// first error, which cancels the context that the other calls run with. [ForEach] makes all calls instead.
func EachUntilError[T any](ctx context.Context, limit int, items []T, do func(ctx context.Context, n int, item T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(limit)
	for n, item := range items {
		group.Go(func() error { return do(ctx, n, item) })
	}
	return group.Wait()
}

// ForEach calls do with every item and its index, at most limit calls at a time. An error does not
// stop the other calls; all errors are returned. [EachUntilError] cancels the others at the first one instead.
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
