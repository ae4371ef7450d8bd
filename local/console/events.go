package console

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// patience is how long a write to a page may take. It is then dropped, and connects anew.
const patience = 5 * time.Second

// heartbeat is how often a page without events is sent a comment, so that a page that is gone is noticed.
const heartbeat = 15 * time.Second

// serveEvents sends server-sent events: what the recorder holds, and then each new event, until the
// page is closed, is too slow, or the system stops.
func (c *Console) serveEvents(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64)
	reading, held := c.config.Recorder.read(after)
	if reading == nil {
		http.Error(w, "Too many open pages.", http.StatusServiceUnavailable)
		return
	}
	defer c.config.Recorder.leave(reading)
	w.Header().Set("Content-Type", "text/event-stream")
	to := stream{w, http.NewResponseController(w)}
	to.send("retry: 1000\n\n")
	for _, e := range held {
		to.send(e.text())
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for sent := true; sent; {
		select {
		case e, open := <-reading.events:
			sent = open && to.send(e.text())
		case <-beat.C:
			sent = to.send(": " + strconv.FormatInt(c.config.Recorder.dropped.Load(), 10) + " dropped\n\n")
		case <-r.Context().Done():
			return
		}
	}
}

func (e event) text() string {
	return fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", e.number, e.kind, e.data)
}

type stream struct {
	http.ResponseWriter
	connection *http.ResponseController
}

// send writes and flushes a text, and reports whether the page has taken it in time.
func (s stream) send(text string) bool {
	_ = s.connection.SetWriteDeadline(time.Now().Add(patience)) // fails with the write
	_, err := s.Write([]byte(text))
	return err == nil && s.connection.Flush() == nil
}
