package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// errTooLarge is the one failure that has no envelope.
var errTooLarge = errors.New("the request body is over 12 MB")

// drainBytes is how much of a refused body is still read: if a server responds
// without reading, a load balancer may report 502; if it reads all, it can be abused.
const drainBytes = 4 * contract.MaxBodyBytes

// StringBody is a request body that is a string already. The gateway uses it as it is;
// any other body it has to copy.
type StringBody struct {
	*strings.Reader
	whole string
}

// NewStringBody returns a request body of the string.
func NewStringBody(whole string) StringBody { return StringBody{strings.NewReader(whole), whole} }

// Close does nothing.
func (StringBody) Close() error { return nil }

// QueuedBody is a request body that is read, and then handled, only after waiting for a turn. The
// gateway calls AwaitReading once the caller is known to be allowed to call the route, and
// AwaitHandling when it has the whole body; it goes no further if one of them fails.
type QueuedBody interface {
	AwaitReading(ctx context.Context, caller apikey.Caller) error
	AwaitHandling(ctx context.Context, caller apikey.Caller) error
}

// refuseBody returns the error of a request that is refused because of its headers. It first
// reads and drops the body, because a body above the limit is refused for its size, and because
// a client that is still sending would see a broken connection.
func refuseBody(r *http.Request, refusal error) error {
	if r.Header.Get("Expect") == "" && errors.Is(receiveBody(r, io.Discard), errTooLarge) {
		return errTooLarge
	}
	return refusal
}

// receiveBody reads the body into w. Of one above the limit it drops a bounded amount of the rest.
func receiveBody(r *http.Request, w io.Writer) error {
	n, err := io.Copy(w, io.LimitReader(r.Body, contract.MaxBodyBytes+1))
	if n > contract.MaxBodyBytes {
		discardBody(r.Body)
		return errTooLarge
	}
	return err
}

// readBody reads the body once, into a string that is never copied.
func (x *exchange) readBody() (string, error) {
	r := x.request
	if text, ok := r.Body.(StringBody); ok && len(text.whole) <= contract.MaxBodyBytes {
		return text.whole, nil
	}
	if r.Body == nil || r.Body == http.NoBody {
		return "", nil
	}
	queued, waits := r.Body.(QueuedBody)
	if waits {
		if err := queued.AwaitReading(r.Context(), x.call.Caller); err != nil {
			return "", refuseBody(r, err)
		}
	}
	// A body without a length that may be large gets room for the largest at once: a buffer that grows is in memory twice
	// while it does.
	var body strings.Builder
	switch {
	case r.ContentLength > 0:
		body.Grow(int(r.ContentLength))
	case waits:
		body.Grow(contract.MaxBodyBytes)
	}
	err := receiveBody(r, &body)
	if err != nil && !errors.Is(err, errTooLarge) {
		err = fault.New(fault.Invalid, contract.NoCode, "The request body was incomplete; send it again.").Because(err)
	}
	if err != nil {
		return "", err
	}
	if waits {
		if err := queued.AwaitHandling(r.Context(), x.call.Caller); err != nil {
			return "", err
		}
	}
	x.call.Now = x.cfg.Now()
	return body.String(), nil
}

// discardBody reads and drops a bounded amount. A failure changes nothing: the
// response is already decided.
func discardBody(body io.Reader) {
	_, _ = io.Copy(io.Discard, io.LimitReader(body, drainBytes))
}

func hashRequest(method, path, body string) string {
	h := sha256.New()
	_, _ = io.WriteString(h, method+" "+path+"\n")
	// The reader is wrapped because it would otherwise hand over the whole body
	// as one new slice of bytes; most requests have no body, and would still cost io.Copy's buffer.
	if body != "" {
		_, _ = io.Copy(h, struct{ io.Reader }{strings.NewReader(body)})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A body may take bodyGrace, and a second more for every bodyRate bytes received, but never
// more than bodyTime (contract, Limits).
const (
	bodyGrace = 10 * time.Second
	bodyRate  = 32 << 10 // bytes per second
	bodyTime  = 60 * time.Second
)

// PaceBody returns the body of a request to a server. Reading it fails when the client sends it
// too slowly, so that a stalled client does not hold the resources that its request has taken.
// now must be the wall clock, by which the operating system ends reads from sockets.
func PaceBody(w http.ResponseWriter, r *http.Request, now func() time.Time) io.ReadCloser {
	return &pacedBody{ReadCloser: r.Body, connection: http.NewResponseController(w), now: now}
}

type pacedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	now        func() time.Time
	// began is when Read was first called; read counts the bytes received.
	began time.Time
	read  int64
}

// Read moves the connection's deadline with the bytes received, and removes it at the end of
// the body, since the server keeps reading to notice a client that leaves. An error of
// SetReadDeadline is ignored: the connection is closed, or is not that of a server.
func (p *pacedBody) Read(into []byte) (int, error) {
	if p.began.IsZero() {
		p.began = p.now()
	}
	allowed := min(bodyTime, bodyGrace+time.Duration(p.read)*time.Second/bodyRate)
	_ = p.connection.SetReadDeadline(p.began.Add(allowed))
	n, err := p.ReadCloser.Read(into)
	p.read += int64(n)
	if err == io.EOF {
		_ = p.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}
