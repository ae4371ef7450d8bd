package cloud

import (
	"bytes"
	"io"
	"net/http"
)

// bufferedTransport passes each request's body to the next transport in memory.
// The SDK may close its own reader while the transport still writes it; on a
// fast link that kills connections and silently repeats requests (measured:
// 1,000 counter updates became 1,007).
type bufferedTransport struct{ next http.RoundTripper }

// RoundTrip buffers the body and sends the request on.
func (r bufferedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return r.next.RoundTrip(req)
	}
	body, err := ReadAll(req.Body, req.ContentLength)
	_ = req.Body.Close()
	if err != nil {
		return nil, err
	}
	clone := req.Clone(req.Context())
	clone.Body = io.NopCloser(bytes.NewReader(body))
	clone.ContentLength = int64(len(body))
	clone.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return r.next.RoundTrip(clone)
}

// ReadAll reads a body of a known length into a buffer of just that size: one
// that grows would hold a resume several times over.
func ReadAll(body io.Reader, length int64) ([]byte, error) {
	if length <= 0 {
		return io.ReadAll(body)
	}
	all := make([]byte, length)
	_, err := io.ReadFull(body, all)
	return all, err
}
