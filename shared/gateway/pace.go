package gateway

import (
	"io"
	"net/http"
	"time"
)

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
