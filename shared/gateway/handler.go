package gateway

import (
	"context"
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Handler serves one operation. Handle and HandleNoInput make it.
type Handler struct {
	// in and out are the wire types; in is nil without input.
	in, out reflect.Type
	// serve gets a pointer to the input.
	serve func(ctx context.Context, call *Call, in reflect.Value) (any, error)
}

// Page is the output of an operation that answers with something other than
// JSON. Its further headers, caching included, are the handler's (Call.Header).
type Page struct {
	ContentType string
	Body        []byte
}

// Handle makes the handler of an operation that takes input.
func Handle[In, Out any](serve func(context.Context, *Call, In) (Out, error)) Handler {
	return Handler{
		in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		serve: func(ctx context.Context, call *Call, in reflect.Value) (any, error) {
			return serve(ctx, call, *in.Interface().(*In))
		},
	}
}

// HandleNoInput makes the handler of an operation without input.
func HandleNoInput[Out any](serve func(context.Context, *Call) (Out, error)) Handler {
	return Handler{
		out: reflect.TypeFor[Out](),
		serve: func(ctx context.Context, call *Call, _ reflect.Value) (any, error) {
			return serve(ctx, call)
		},
	}
}

// fitsRoute tells whether the handler's types are those of the row. A row without
// output type answers with a Page.
func (h Handler) fitsRoute(r contract.Route) bool {
	out := r.Output
	if out == nil {
		out = reflect.TypeFor[Page]()
	}
	return h.serve != nil && h.in == r.Input && h.out == out
}
