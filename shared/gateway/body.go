package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"

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

// readBody reads the body once, into a string that is never copied.
func readBody(r *http.Request) (string, error) {
	if text, ok := r.Body.(StringBody); ok && len(text.whole) <= contract.MaxBodyBytes {
		return text.whole, nil
	}
	if r.ContentLength > contract.MaxBodyBytes {
		if r.Header.Get("Expect") == "" {
			discardBody(r.Body)
		}
		return "", errTooLarge
	}
	var b strings.Builder
	if r.ContentLength > 0 {
		b.Grow(int(r.ContentLength))
	}
	n, err := io.Copy(&b, io.LimitReader(r.Body, contract.MaxBodyBytes+1))
	if n > contract.MaxBodyBytes {
		discardBody(r.Body)
		return "", errTooLarge
	}
	if err != nil {
		e := fault.New(fault.Invalid, contract.NoCode, "The request body was incomplete; send it again.")
		return "", e.Because(err)
	}
	return b.String(), nil
}

// discardBody reads and drops a bounded amount. A failure changes nothing: the
// response is already decided.
func discardBody(body io.Reader) {
	_, _ = io.Copy(io.Discard, io.LimitReader(body, drainBytes))
}

// hashRequest returns a hash of method, path and body.
func hashRequest(method, path, body string) string {
	h := sha256.New()
	_, _ = io.WriteString(h, method+" "+path+"\n")
	// The reader is wrapped because it would otherwise hand over the whole body
	// as one new slice of bytes.
	_, _ = io.Copy(h, struct{ io.Reader }{strings.NewReader(body)})
	return hex.EncodeToString(h.Sum(nil))
}
