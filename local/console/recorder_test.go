package console

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// plainNote returns a note with a text.
func plainNote(text string) note {
	return func() (string, any) { return "plain", text }
}

// While nothing records, telling returns at once and keeps a bounded number of notes.
func TestTellingNeverWaits(t *testing.T) {
	t.Parallel()
	r := NewRecorder()
	for range 10 * maxNotes {
		r.tell(plainNote("x"))
	}
	if len(r.notes) != maxNotes || r.dropped.Load() != 9*maxNotes {
		t.Errorf("%d are kept and %d dropped", len(r.notes), r.dropped.Load())
	}
}

// The events that are held are bounded in number and in bytes, newest last.
func TestHeldEventsAreBounded(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, maxEventBytes / 10} {
		r := NewRecorder()
		for i := range 2 * maxEvents {
			r.publish("plain", fmt.Sprint(i)+strings.Repeat("x", size))
		}
		held, _, _ := r.read(0)
		if len(held) > maxEvents || r.bytes > maxEventBytes || held[len(held)-1].number != r.last {
			t.Errorf("size %d: %d events of %d bytes, the last is %d", size, len(held), r.bytes, held[len(held)-1].number)
		}
		for after, want := range map[int64]int{r.last - 2: 2, r.last: 0, math.MaxInt64: 0} {
			if held, last, _ := r.read(after); len(held) != want || last != r.last {
				t.Errorf("size %d: %d events after %d, want %d", size, len(held), after, want)
			}
		}
	}
}

// A page that was open while the system was restarted is sent everything, whatever its position in the earlier run was.
func TestPositionOfAnEarlierRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		earlier := NewRecorder()
		for i := range 50 {
			earlier.publish("plain", i)
		}
		time.Sleep(time.Second)
		present := NewRecorder()
		for i := range 60 {
			present.publish("plain", i)
		}
		if held, _, _ := present.read(earlier.last); len(held) != 60 {
			t.Errorf("%d events are sent, want 60", len(held))
		}
	})
}

// A page that misses events is dropped, and is sent what is still held when it connects anew; one that is late goes on.
func TestSlowReaderIsDropped(t *testing.T) {
	t.Parallel()
	for events, want := range map[int]int{maxEvents: 1 + maxEvents, maxEvents + 1: 1} {
		synctest.Test(t, func(t *testing.T) {
			c := newTestConsole()
			c.config.Recorder.publish("plain", "first")
			w := heldWriter{httptest.NewRecorder(), make(chan struct{})}
			ctx, stop := context.WithCancel(t.Context())
			request := httptest.NewRequestWithContext(ctx, http.MethodGet, "/console/events", http.NoBody)
			go func() {
				c.serveEvents(w, request)
				stop()
			}()
			w.released <- struct{}{}
			synctest.Wait() // the first event is about to be written
			for i := range events {
				c.config.Recorder.publish("plain", i)
			}
			for range want {
				w.released <- struct{}{}
			}
			synctest.Wait()
			if isDropped := ctx.Err() != nil; isDropped != (want == 1) {
				t.Errorf("%d events behind: dropped %v", events, isDropped)
			}
			if got := strings.Count(w.Body.String(), "event: plain"); got != want {
				t.Errorf("%d events behind: %d are sent, want %d", events, got, want)
			}
			stop()
			synctest.Wait()
			again := httptest.NewRequestWithContext(ctx, http.MethodGet, "/console/events", http.NoBody)
			again.Header.Set("Last-Event-ID", strconv.FormatInt(c.config.Recorder.last-maxEvents-1, 10))
			answered := httptest.NewRecorder()
			c.serveEvents(answered, again)
			if got := strings.Count(answered.Body.String(), "event: plain"); got != maxEvents {
				t.Errorf("after %d events: %d are sent to a page that connects anew, want %d", events, got, maxEvents)
			}
		})
	}
}

// A page whose position lies ahead, as after a clock was set back, is sent what happens from now on.
func TestPositionAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newTestConsole()
		c.config.Recorder.publish("plain", "before")
		ctx, stop := context.WithCancel(t.Context())
		request := httptest.NewRequestWithContext(ctx, http.MethodGet, "/console/events", http.NoBody)
		request.Header.Set("Last-Event-ID", strconv.Itoa(math.MaxInt64))
		w := httptest.NewRecorder()
		go c.serveEvents(w, request)
		synctest.Wait()
		c.config.Recorder.publish("plain", "after")
		synctest.Wait()
		stop()
		synctest.Wait()
		if got := w.Body.String(); strings.Contains(got, "before") || !strings.Contains(got, "after") {
			t.Errorf("sent %q", got)
		}
	})
}

// No more pages are open than allowed, and one that is closed leaves its place.
func TestOpenPagesAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newTestConsole()
		ctx, stop := context.WithCancel(t.Context())
		open := func() int {
			w := httptest.NewRecorder()
			c.serveEvents(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/console/events", http.NoBody))
			return w.Code
		}
		for range maxReaders {
			go open()
		}
		synctest.Wait()
		if status := open(); status != http.StatusServiceUnavailable {
			t.Errorf("one page more: status %d", status)
		}
		stop()
		synctest.Wait()
		if status := open(); status != http.StatusOK {
			t.Errorf("after the others are closed: status %d", status)
		}
	})
}

// A page is sent what was held and what happens, and its stream ends with the system.
func TestEventsAreSent(t *testing.T) {
	t.Parallel()
	c := newTestConsole()
	c.config.Recorder.last = 0
	c.config.Recorder.publish("plain", "before")
	server := httptest.NewUnstartedServer(c)
	c.address = server.Listener.Addr().String()
	server.Start()
	defer server.Close()
	ctx, stop := context.WithCancel(t.Context())
	go c.config.Recorder.Run(ctx)
	response, err := http.Get(server.URL + "/console/events")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	c.config.Recorder.tell(plainNote("after"))
	read := bytes.NewBuffer(nil)
	for !strings.Contains(read.String(), "after") {
		if _, err := io.CopyN(read, response.Body, 1); err != nil {
			t.Fatal(err, read)
		}
	}
	if want := "retry: 1000\n\nid: 1\nevent: plain\ndata: \"before\"\n\nid: 2\nevent: plain\ndata: \"after"; read.String() != want {
		t.Errorf("got %q, want %q", read, want)
	}
	stop()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Error(err)
	}
}

// heldWriter writes when it is released: once for each value of the channel, and at once when that is closed.
type heldWriter struct {
	*httptest.ResponseRecorder
	released chan struct{}
}

// Write implements http.ResponseWriter.
func (w heldWriter) Write(data []byte) (int, error) {
	<-w.released
	return w.ResponseRecorder.Write(data)
}

// A page is sent also the last events before the end.
func TestLastEventsAreSent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newTestConsole()
		ctx, stop := context.WithCancel(t.Context())
		go c.config.Recorder.Run(ctx)
		w := heldWriter{httptest.NewRecorder(), make(chan struct{})}
		go c.serveEvents(w, httptest.NewRequest(http.MethodGet, "/console/events", http.NoBody))
		synctest.Wait() // it is a reader then
		const events = 50
		for range events {
			c.config.Recorder.tell(plainNote("last"))
		}
		synctest.Wait()
		stop()
		synctest.Wait()
		close(w.released)
		synctest.Wait()
		if got := strings.Count(w.Body.String(), "event: plain"); got != events {
			t.Errorf("%d events are sent, want %d", got, events)
		}
	})
}

// What is captured of a request is bounded, and the handler sees all of it and its connection.
func TestCapture(t *testing.T) {
	t.Parallel()
	r := NewRecorder()
	large := strings.Repeat("a", 12<<20)
	handler := r.Capture(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || string(body) != large {
			t.Errorf("the handler saw %d bytes, %v", len(body), err)
		}
		if err := http.NewResponseController(w).SetReadDeadline(time.Time{}); err != nil {
			t.Error(err)
		}
		slog.New(r).InfoContext(request.Context(), "request", "operation", "its own")
		w.Header().Set("X-Request-Id", "1")
		_, _ = io.WriteString(w, large)
	}))
	server := httptest.NewServer(handler)
	defer server.Close()
	response, err := http.Post(server.URL+"/x?email=a%40example.com&limit=5", "application/json", strings.NewReader(large))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	_, data := (<-r.notes)()
	x := data.(map[string]any)
	if n != int64(len(large)) || x["sentBytes"] != n || x["answerBytes"] != n || x["status"] != 200 || x["requestId"] != "1" || x["operation"] != "its own" {
		t.Errorf("answered %d bytes; captured %v", n, x)
	}
	if got := strings.Join(x["query"].([]string), " "); got != "email limit" {
		t.Errorf("query %q", got)
	}
}

// Of a body that comes in pieces the beginning is kept, and its size.
func TestKeptBodyIsBounded(t *testing.T) {
	t.Parallel()
	var p part
	for range 3 {
		p.add(bytes.Repeat([]byte("a"), maxCaptured/2+1))
	}
	if len(p.data) != maxCaptured || p.size != 3*(maxCaptured/2+1) {
		t.Errorf("%d of %d bytes are kept", len(p.data), p.size)
	}
}

// A path without parameters has its route, though no log line names it; any other has none.
func TestFixedRoute(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/api/external/v1/docs": "/docs", "/api/external/v1/docs/openapi.json": "/docs/openapi.json", "/api/external/v1/identity": "/identity",
		"/api/external/v1/ada@example.com": "", "/api/external/v1/talent-network/batches/{batchId}": "", "/": "",
	} {
		if got := fixedRoute(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// BenchmarkCapture compares a request with a body of 2 KB with and without the recorder, of which a
// reader takes every event.
func BenchmarkCapture(b *testing.B) {
	body := `{"name":"` + strings.Repeat("a", 2000) + `"}`
	api := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	})
	r := NewRecorder()
	go r.Run(b.Context())
	go func() {
		for last := int64(0); ; {
			var changed <-chan struct{}
			_, last, changed = r.read(last)
			<-changed
		}
	}()
	for name, handler := range map[string]http.Handler{"without": api, "with": r.Capture(api)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				request := httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(body))
				request.Header.Set("Content-Type", "application/json")
				handler.ServeHTTP(httptest.NewRecorder(), request)
			}
		})
	}
}
