package event

import (
	"context"
	"time"
)

// ReadObject reads the object that a dataRef names. Its error is an [InvalidError]
// if no retry can help; an object that does not exist may arrive later.
type ReadObject func(ctx context.Context, key string) ([]byte, error)

// Router reads events and passes each to the Kind that applies it.
type Router struct {
	kinds      map[string]Kind
	readObject ReadObject
	now        func() time.Time
	// object is a lock: an event holds it while its object is in memory, where it takes many
	// times its size.
	object chan struct{}
}

// NewRouter returns a router for these kinds. now says when an event is received.
func NewRouter(fetch ReadObject, now func() time.Time, kinds ...Kind) *Router {
	r := &Router{map[string]Kind{}, fetch, now, make(chan struct{}, 1)}
	for _, k := range kinds {
		r.kinds[k.Name] = k
	}
	return r
}

// Apply reads an event and applies it. Events with a dataRef are applied one at a time. The
// error is an [InvalidError] if the event can never be applied; after any other it may be
// retried. The envelope is for the log; it is empty if it cannot be read.
func (r *Router) Apply(ctx context.Context, body string) (Envelope, error) {
	e, err := parseEnvelope(body, r.now())
	if err != nil {
		return Envelope{}, err
	}
	kind, known := r.kinds[e.Type]
	if !known {
		return e, Invalidf("type: there is no such event; the published schemas name all that there are.")
	}
	if e.DataRef != "" {
		select {
		case r.object <- struct{}{}:
			defer func() { <-r.object }()
		case <-ctx.Done():
			return e, ctx.Err()
		}
	}
	data, err := kind.Parse(ctx, body, r.readObject)
	if err != nil {
		return e, err
	}
	return e, kind.apply(ctx, e, data)
}
