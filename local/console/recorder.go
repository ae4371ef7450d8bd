package console

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxNotes      = 64               // that wait to be turned into events; further ones are dropped, since no request waits for the console
	maxEvents     = 300              // that a new reader is sent
	maxEventBytes = 4 << 20          // of them
	maxReaders    = 16               // pages that are open at a time
	patience      = 5 * time.Second  // of a write to a page, which is then dropped, and connects anew
	heartbeat     = 15 * time.Second // between comments to a page without events, so that one that is gone is noticed
)

// Recorder holds the last events of a system, in memory, for its readers, and is a handler of the system's log. Notes that arrive
// while it is busy are dropped and counted. A page that misses events, by their number (maxEvents) or by their size (maxEventBytes),
// is dropped; it then connects anew and is sent what is still held.
type Recorder struct {
	notes   chan note
	dropped atomic.Int64
	readers atomic.Int32  // open pages
	ended   chan struct{} // closed when nothing is recorded any more

	mu      sync.Mutex
	events  []event
	bytes   int
	last    int64         // number of the newest event; they begin at the time in µs, above those of an earlier run
	changed chan struct{} // closed at the next event, which has another channel
}

// note is what happened, before it is redacted. It returns the kind of the event and its data, which JSON can encode.
type note func() (kind string, data any)

type event struct {
	number int64
	kind   string
	data   []byte // JSON without line breaks
}

// NewRecorder returns a recorder without events. [Recorder.Run] must run for it to record any.
func NewRecorder() *Recorder {
	return &Recorder{
		notes: make(chan note, maxNotes), last: time.Now().UnixMicro(), changed: make(chan struct{}), ended: make(chan struct{}),
	}
}

// Run records until ctx ends, which ends the streams of all readers.
func (r *Recorder) Run(ctx context.Context) {
	defer close(r.ended)
	for {
		select {
		case n := <-r.notes:
			r.publish(n())
		case <-ctx.Done():
			return
		}
	}
}

func (r *Recorder) tell(n note) {
	select {
	case r.notes <- n:
	default:
		r.dropped.Add(1)
	}
}

func (r *Recorder) publish(kind string, data any) {
	encoded, _ := json.Marshal(data) // of strings and numbers
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	r.events = append(r.events, event{r.last, kind, encoded})
	r.bytes += len(encoded)
	for len(r.events) > maxEvents || r.bytes > maxEventBytes {
		r.bytes -= len(r.events[0].data)
		r.events[0].data = nil
		r.events = r.events[1:]
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

// read returns the events after a number, the newest number, and a channel that is closed when there is a newer one.
func (r *Recorder) read(after int64) (held []event, last int64, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := sort.Search(len(r.events), func(i int) bool { return r.events[i].number > after })
	return slices.Clone(r.events[next:]), r.last, r.changed
}

// serveEvents sends what the recorder holds, and then each event, until the page closes or is slow, or the system stops.
func (c *Console) serveEvents(w http.ResponseWriter, r *http.Request) {
	recorder := c.config.Recorder
	defer recorder.readers.Add(-1)
	if recorder.readers.Add(1) > maxReaders {
		http.Error(w, "Too many open pages.", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	connection := http.NewResponseController(w)
	send := func(format string, values ...any) bool { // reports whether the page has taken it in time
		_ = connection.SetWriteDeadline(time.Now().Add(patience)) // fails with the write
		_, err := fmt.Fprintf(w, format, values...)
		return err == nil && connection.Flush() == nil
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	after, _ := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64)
	sent := send("retry: 1000\n\n")
	for begun, ended := false, false; sent; begun = true {
		held, last, changed := recorder.read(after)
		if begun && len(held) > 0 && held[0].number > after+1 {
			return // the page has missed some
		}
		for _, e := range held {
			sent = sent && send("id: %d\nevent: %s\ndata: %s\n\n", e.number, e.kind, e.data)
		}
		if ended { // and what happened before the end is sent
			return
		}
		after = last
		select {
		case <-changed:
		case <-beat.C:
			sent = sent && send(": %d dropped\n\n", recorder.dropped.Load())
		case <-recorder.ended:
			ended = true
		case <-r.Context().Done():
			return
		}
	}
}

// lineKey is the key of the place in the context of a request for the values of its line in the log, a *atomic.Pointer[logLine].
type lineKey struct{}

type logLine map[string]string

// Enabled implements slog.Handler.
func (r *Recorder) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// Handle implements slog.Handler. It reports each attempt at a submission, and keeps the line of a request for [Recorder.Capture].
// Those lines hold no personal data. It never fails.
func (r *Recorder) Handle(ctx context.Context, record slog.Record) error {
	place, isCaptured := ctx.Value(lineKey{}).(*atomic.Pointer[logLine])
	isRequest := record.Message == "request" && isCaptured
	if !isRequest && record.Message != "ingest" {
		return nil
	}
	v := make(logLine, record.NumAttrs())
	record.Attrs(func(a slog.Attr) bool {
		if text := a.Value.String(); text != "<nil>" {
			v[a.Key] = text
		}
		return true
	})
	if isRequest {
		place.Store(&v)
		return nil
	}
	at := record.Time
	r.tell(func() (string, any) {
		return "attempt", map[string]any{
			"at": at, "batchId": v["batch"], "submissionId": v["submission"], "attempt": v["attempt"],
			"status": v["status"], "code": v["code"], "ms": v["ms"], "cause": v["cause"],
		}
	})
	return nil
}

// WithAttrs implements slog.Handler; the attributes are not shown.
func (r *Recorder) WithAttrs([]slog.Attr) slog.Handler { return r }

// WithGroup implements slog.Handler.
func (r *Recorder) WithGroup(string) slog.Handler { return r }
