package feed

import "context"

// Reader reads the object that a dataRef names. Its error is an *Invalid where no
// other try helps; an object that is not there may be on its way.
type Reader func(ctx context.Context, key string) ([]byte, error)

// Router reads events and hands them to what applies them.
type Router struct {
	kinds map[string]Kind
	fetch Reader
}

// NewRouter knows these kinds.
func NewRouter(fetch Reader, kinds ...Kind) *Router {
	r := &Router{map[string]Kind{}, fetch}
	for _, k := range kinds {
		r.kinds[k.Name] = k
	}
	return r
}

// Apply reads an event and applies it. The error is an *Invalid for one that can
// never be applied; any other is worth another try. The envelope is for the log;
// it is empty when it cannot be read.
func (r *Router) Apply(ctx context.Context, body string) (Envelope, error) {
	e, err := open(body)
	if err != nil {
		return Envelope{}, err
	}
	kind, known := r.kinds[e.Type]
	if !known {
		return e, Refuse("type: there is no such event; the published schemas name all that there are.")
	}
	return e, kind.apply(ctx, e, body, r.fetch)
}
