package event

import "context"

// ReadObject reads the object that a dataRef names. Its error is an [InvalidError]
// where no other try helps; an object that is not there may arrive later.
type ReadObject func(ctx context.Context, key string) ([]byte, error)

// Router reads events and hands them to what applies them.
type Router struct {
	kinds      map[string]Kind
	readObject ReadObject
}

// NewRouter returns a router for these kinds.
func NewRouter(fetch ReadObject, kinds ...Kind) *Router {
	r := &Router{map[string]Kind{}, fetch}
	for _, k := range kinds {
		r.kinds[k.Name] = k
	}
	return r
}

// Apply reads an event and applies it. The error is an [InvalidError] for one that
// can never be applied; any other is worth another try. The envelope is for the log;
// it is empty when it cannot be read.
func (r *Router) Apply(ctx context.Context, body string) (Envelope, error) {
	e, data, err := r.Parse(ctx, body)
	if err != nil {
		return e, err
	}
	return e, r.kinds[e.Type].apply(ctx, e, data)
}

// Parse reads an event without applying it; data is a pointer to its kind's type,
// nil where it has none. Errors are those of Apply.
func (r *Router) Parse(ctx context.Context, body string) (e Envelope, data any, err error) {
	if e, err = parseEnvelope(body); err != nil {
		return Envelope{}, nil, err
	}
	kind, known := r.kinds[e.Type]
	if !known {
		return e, nil, Invalidf("type: there is no such event; the published schemas name all that there are.")
	}
	data, err = kind.parse(ctx, body, r.readObject)
	return e, data, err
}
