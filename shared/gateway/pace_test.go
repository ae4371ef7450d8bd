package gateway

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// deadlines is a connection that records its read deadlines.
type deadlines struct {
	http.ResponseWriter
	set []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.set = append(d.set, at)
	return nil
}

// The deadline moves with the bytes received, and is removed at the end of the body.
func TestTheDeadlineMovesWithTheBody(t *testing.T) {
	t.Parallel()
	const size = 3 * bodyRate
	d := &deadlines{ResponseWriter: httptest.NewRecorder()}
	r := httptest.NewRequest("POST", "/", iotest.OneByteReader(strings.NewReader(strings.Repeat(" ", size))))
	body := PaceBody(d, r, func() time.Time { return testNow })
	if n, err := io.Copy(io.Discard, body); n != size || err != nil {
		t.Fatalf("got %d bytes, %v", n, err)
	}
	for at, want := range map[int]time.Time{
		0: testNow.Add(bodyGrace), 1: testNow.Add(bodyGrace + time.Second/bodyRate),
		bodyRate: testNow.Add(bodyGrace + time.Second), size: testNow.Add(bodyGrace + 3*time.Second), size + 1: {},
	} {
		if got := d.set[at]; !got.Equal(want) {
			t.Errorf("after %d bytes the deadline is %v; want %v", at, got, want)
		}
	}
}

func TestNoBodyMayTakeLongerThanTheLimit(t *testing.T) {
	t.Parallel()
	d := &deadlines{ResponseWriter: httptest.NewRecorder()}
	body := PaceBody(d, httptest.NewRequest("POST", "/", &endless{}), func() time.Time { return testNow })
	if _, err := io.CopyN(io.Discard, body, int64(bodyTime/time.Second)*bodyRate); err != nil {
		t.Fatal(err)
	}
	if got, want := d.set[len(d.set)-1], testNow.Add(bodyTime); !got.Equal(want) {
		t.Errorf("got %v; want %v", got, want)
	}
}

// On a real connection, a client that stops sending gets a complete response and the end of
// the connection.
func TestAStalledBodyFails(t *testing.T) {
	t.Parallel()
	// This clock is so far behind that the deadline has passed when the body is first read.
	past := func() time.Time { return time.Now().Add(-bodyGrace) }
	failed := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, PaceBody(w, r, past))
		failed <- err
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer server.Close()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n "); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(connection)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") {
		t.Errorf("got %q, %v; want 400 and the end of the connection", answer, err)
	}
	if err := <-failed; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("reading failed with %v; want the deadline's error", err)
	}
}
