package console

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of the data that the recorder holds.
const (
	// maxNotes is how many notes wait to be turned into events. While as many wait, further ones are
	// dropped, so that a request never waits for the console.
	maxNotes = 64
	// maxEvents and maxEventBytes bound the events that a new reader is sent.
	maxEvents     = 300
	maxEventBytes = 4 << 20
	// maxBehind is how many events a reader may be behind before it is dropped; it then connects
	// anew and is sent what is still held.
	maxBehind = maxEvents
	// maxReaders bounds the pages that are open at a time.
	maxReaders = 16
)

// Recorder holds the last events of a system, in memory, and passes new ones to its readers. Notes
// that arrive while it is busy are dropped and counted.
type Recorder struct {
	notes   chan note
	dropped atomic.Int64

	mu      sync.Mutex
	events  []event
	bytes   int
	last    int64 // number of the newest event; they begin at the time in µs, above those of an earlier run
	readers map[*reader]struct{}
}

// note is what happened, before it is redacted.
type note interface {
	// toEvent returns the kind of the event and its data, which JSON can encode; "" if there is none.
	toEvent(*logLines) (kind string, data any)
}

// event is what a page is sent.
type event struct {
	number int64
	kind   string
	data   []byte // JSON without line breaks
}

// reader is an open page.
type reader struct {
	events chan event // closed when the reader is dropped
}

// NewRecorder returns a recorder without events. [Recorder.Run] must run for it to record any.
func NewRecorder() *Recorder {
	return &Recorder{notes: make(chan note, maxNotes), last: time.Now().UnixMicro(), readers: map[*reader]struct{}{}}
}

// Run records until ctx ends, and then drops all readers.
func (r *Recorder) Run(ctx context.Context) {
	lines := newLogLines()
	for {
		select {
		case n := <-r.notes:
			if kind, data := n.toEvent(lines); kind != "" {
				r.publish(kind, data)
			}
		case <-ctx.Done():
			r.dropReaders()
			return
		}
	}
}

// tell takes a note without waiting.
func (r *Recorder) tell(n note) {
	select {
	case r.notes <- n:
	default:
		r.dropped.Add(1)
	}
}

func (r *Recorder) publish(kind string, data any) {
	encoded, err := json.Marshal(data)
	if err != nil { // strings and numbers only
		panic(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	e := event{r.last, kind, encoded}
	r.events = append(r.events, e)
	r.bytes = r.bytes + len(encoded)
	for len(r.events) > maxEvents || r.bytes > maxEventBytes {
		r.bytes -= len(r.events[0].data)
		r.events[0].data = nil
		r.events = r.events[1:]
	}
	for reading := range r.readers {
		select {
		case reading.events <- e:
		default:
			r.drop(reading)
		}
	}
}

// read adds a reader and returns the events after a number that are still held; nil if there are too
// many readers.
func (r *Recorder) read(after int64) (*reader, []event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.readers) >= maxReaders {
		return nil, nil
	}
	reading := &reader{make(chan event, maxBehind)}
	r.readers[reading] = struct{}{}
	held := make([]event, 0, len(r.events))
	for _, e := range r.events {
		if e.number > after {
			held = append(held, e)
		}
	}
	return reading, held
}

// drop ends a reader. The caller holds the lock.
func (r *Recorder) drop(reading *reader) {
	if _, found := r.readers[reading]; found {
		delete(r.readers, reading)
		close(reading.events)
	}
}

func (r *Recorder) leave(reading *reader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop(reading)
}

func (r *Recorder) dropReaders() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for reading := range r.readers {
		r.drop(reading)
	}
}
