package gateway

import (
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
)

// Call is one request as a handler sees it: who calls, when, and what to say
// beside the answer. Its time and id source serve the whole unit of work.
type Call struct {
	// Caller is the zero value on public routes.
	Caller apikey.Caller
	// Now is when the request arrived.
	Now time.Time
	// NewID makes a uuid v7.
	NewID func() uuid.UUID
	// RequestID is the X-Request-Id of the answer.
	RequestID string
	// Fingerprint hashes method, path and the body's bytes; an Idempotency-Key
	// is bound to it.
	Fingerprint string

	header http.Header
	raw    []byte
}

// RetryAfter advises the client when to ask again, in whole seconds, rounded up.
func (c *Call) RetryAfter(d time.Duration) {
	c.Header().Set("Retry-After", strconv.Itoa(ceilSeconds(d)))
}

// Header holds further headers of a successful answer.
func (c *Call) Header() http.Header {
	if c.header == nil {
		c.header = http.Header{}
	}
	return c.header
}

// Replay answers with these stored bytes instead of the handler's value.
func (c *Call) Replay(stored []byte) {
	c.Header().Set("Idempotent-Replayed", "true")
	c.raw = stored
}

// Encode is how every answer becomes bytes, so a handler that stores its answer
// stores just what is sent. It is compact and deterministic, writes a nil slice
// as [] and a nil map as {}, and leaves "<" and "&" as they are. "omitempty"
// leaves out null, "", [] and {}, but no number and no boolean.
func Encode(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}
