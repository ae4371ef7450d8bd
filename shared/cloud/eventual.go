package cloud

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

type eventualKey struct{}

// Eventually returns a context in which the stores of accounts and of entities read eventually consistently: what they return may
// be a moment old, usually less than a second, and costs half. No write may depend on it.
func Eventually(ctx context.Context) context.Context {
	return context.WithValue(ctx, eventualKey{}, true)
}

// Live returns a context in which they read consistently.
func Live(ctx context.Context) context.Context { return context.WithValue(ctx, eventualKey{}, false) }

// IsEventual reports whether reads in a context may be a moment old.
func IsEventual(ctx context.Context) bool {
	is, _ := ctx.Value(eventualKey{}).(bool)
	return is
}

// PreferEventual reads eventually consistently first, and consistently only if that ends in a refusal, such
// as that nothing was found. So what was just created is never missing.
func PreferEventual[T any](ctx context.Context, read func(context.Context) (T, error)) (T, error) {
	out, err := read(Eventually(ctx))
	if err != nil && !fault.IsFailure(err) {
		return read(Live(ctx))
	}
	return out, err
}
