package gateway

import (
	"context"
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Handler serves one operation. [Handle] and [HandleNoInput] return one.
type Handler struct {
	// in and out are the wire types; in is nil without input.
	in, out reflect.Type
	// serve takes a pointer to the input.
	serve func(ctx context.Context, call *Call, in reflect.Value) (any, error)
	// early says that it may run before the key is checked.
	early bool
}

// BeginEarly returns a handler that may begin while the request's key is still being checked, as
// the caller that the key had when this process last checked it. Its result is dropped if the key
// is refused, and it runs again if the key has another caller now. It must call
// [Call.AwaitAdmission] before it writes anything; a handler that only reads need not.
func (h Handler) BeginEarly() Handler {
	h.early = true
	return h
}

// Handle returns the handler of an operation with input. The function must have the
// input and output types of its route; [New] checks that.
func Handle[In, Out any](serve func(context.Context, *Call, In) (Out, error)) Handler {
	return Handler{
		in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		serve: func(ctx context.Context, call *Call, in reflect.Value) (any, error) {
			return serve(ctx, call, *in.Interface().(*In))
		},
	}
}

// HandleNoInput returns the handler of an operation without input.
func HandleNoInput[Out any](serve func(context.Context, *Call) (Out, error)) Handler {
	return Handler{
		out: reflect.TypeFor[Out](),
		serve: func(ctx context.Context, call *Call, _ reflect.Value) (any, error) {
			return serve(ctx, call)
		},
	}
}

// fitsRoute reports whether the handler has the types of the route. A route without
// output type responds with a [Page].
func (h Handler) fitsRoute(r contract.Route) bool {
	out := r.Output
	if out == nil {
		out = reflect.TypeFor[Page]()
	}
	return h.serve != nil && h.in == r.Input && h.out == out
}
