package gateway

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
)

// Call is one request as a handler sees it: who calls, when, and which headers to
// send with the value. Handlers take the time and new ids from it.
type Call struct {
	// Caller is the key's caller; the zero value on public routes.
	Caller apikey.Caller
	// Now is when the request had arrived whole.
	Now time.Time
	// NewID returns a new UUID v7.
	NewID func() uuid.UUID
	// RequestID is the X-Request-Id of the response.
	RequestID string
	// Fingerprint is a hash of method, path and the body's bytes, to which an
	// Idempotency-Key is bound.
	Fingerprint string
	// BatchID is the batch that the request is about, for the log line. The handler sets it.
	BatchID string
	// Details are further attributes of the log line, without people's names. The handler sets them.
	Details []slog.Attr

	header http.Header
	// awaitCheck waits for the check of the key beside which the handler runs; nil if the key was checked before.
	awaitCheck func() error
}

// AwaitAdmission waits until the request's key was checked, and returns the tenant that the handler
// may write for. It fails if the key was refused or was changed. A handler that begins early
// ([Handler.BeginEarly]) calls it before it writes, and returns its error. For any other handler it
// does not wait.
func (c *Call) AwaitAdmission() (tenant.Admission, error) {
	if c.awaitCheck != nil {
		if err := c.awaitCheck(); err != nil {
			return tenant.Admission{}, err
		}
	}
	return tenant.Admit(c.Caller.Tenant()), nil
}

// SetRetryAfter sets the Retry-After header, in whole seconds, rounded up.
func (c *Call) SetRetryAfter(d time.Duration) {
	c.Header().Set("Retry-After", strconv.Itoa(ceilSeconds(d)))
}

// Header returns the further headers of a successful response, to be added to.
func (c *Call) Header() http.Header {
	if c.header == nil {
		c.header = http.Header{}
	}
	return c.header
}

// Replay reads into response what an earlier attempt stored, for the handler to return: the same
// value has the same bytes ([Encode]). It adds the header of a replayed response.
func (c *Call) Replay(stored []byte, response any) error {
	c.Header().Set("Idempotent-Replayed", "true")
	return json.Unmarshal(stored, response)
}

// Encode returns the JSON of a response. The gateway uses it for every response, so a
// handler that stores its own stores exactly what is sent. It is compact and
// deterministic, writes a nil slice as [] and a nil map as {}, and leaves "<" and "&"
// as they are. "omitempty" leaves out null, "", [] and {}, but no number or boolean.
func Encode(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}
