package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// What cannot be listened on or written is named in few words.
func TestSettingsOfARunAreRefusedInShortWords(t *testing.T) {
	t.Parallel()
	listener, err := listenOn("0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	_, taken, _ := strings.Cut(listener.Addr().String(), ":")
	for port, want := range map[string]string{
		taken:    "port " + taken + " is taken, perhaps by another run; choose another one, for example: make run PORT=8081",
		"80000":  "PORT=80000 is not a port number (at most 65535); for example: make run PORT=8081",
		"-1":     "PORT=-1 is not a port number (at most 65535); for example: make run PORT=8081",
		"no one": "PORT=no one is not a port number (at most 65535); for example: make run PORT=8081",
	} {
		if _, err := listenOn(port); err == nil || err.Error() != want {
			t.Errorf("PORT=%s: got %v, want %s", port, err, want)
		}
	}

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openDir(file); err == nil || !strings.HasPrefix(err.Error(), "DATA_DIR="+file+" cannot be written (") {
		t.Errorf("a file as DATA_DIR: got %v", err)
	}
}

// TestDirectoryOfTheStateBeginsEmpty fails if the file that checks for disk space stays in the directory.
func TestDirectoryOfTheStateBeginsEmpty(t *testing.T) {
	t.Parallel()
	dir, err := openDir(filepath.Join(t.TempDir(), "new"))
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v", left, err)
	}
}

// A line of a terminal has what a person reads first, on one short line without control characters.
func TestLinesOfATerminalAreShort(t *testing.T) {
	t.Parallel()
	ids := []any{"request_id", "01a20d81", "trace_id", "1-6b05", "version", "local", "key_id", "key_1"}
	for name, c := range map[string]struct {
		level slog.Level
		text  string
		attrs []any
		want  string
	}{
		"a request": {slog.LevelInfo, "request", append([]any{"method", "GET", "status", 200, "ms", 43, "operation", "getIdentity", "route", "/identity"}, ids...),
			"200 GET /identity 43 ms\n"},
		"a refused request": {slog.LevelInfo, "request", append([]any{"method", "POST", "status", 404, "ms", 1, "path_length", 9, "code", "not_found"}, ids...),
			"\x1b[33m404 POST (no route) 1 ms code=not_found\x1b[0m\n"},
		"a failed request": {slog.LevelError, "request", append([]any{"method", "GET", "status", 500, "ms", 2, "route", "/roles", "cause", "no\x1b[2Jtable", "stack", "goroutine 1"}, ids...),
			"\x1b[31m500 GET /roles 2 ms cause=\"no\\x1b[2Jtable\" request_id=01a20d81\x1b[0m\n"},
		"a crash": {slog.LevelWarn, "an invocation failed", []any{"function", "ingest", "error", errors.New("panic: a crash\ngoroutine 7 [running]")},
			"\x1b[33mwarning: an invocation failed function=ingest error=\"panic: a crash\"\x1b[0m\n"},
		"what is empty": {slog.LevelInfo, "sweep", []any{"ended", 0, "code", contract.SubmissionError(""), "id", "", "cause", error(nil)},
			"sweep ended=0\n"},
	} {
		var out bytes.Buffer
		log := slog.New(&terminalLog{to: &out, level: slog.LevelInfo, colour: true})
		log.Log(t.Context(), c.level, c.text, c.attrs...)
		clock, got, _ := bytes.Cut(out.Bytes(), []byte(" "))
		if string(got) != c.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
		if _, err := time.Parse(time.TimeOnly, string(clock)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// soleWriter fails a test in which two writes overlap.
type soleWriter struct {
	t    *testing.T
	busy atomic.Bool
}

// Write implements io.Writer.
func (w *soleWriter) Write(data []byte) (int, error) {
	if w.busy.Swap(true) {
		w.t.Error("two lines are written at a time")
	}
	time.Sleep(time.Millisecond)
	w.busy.Store(false)
	return len(data), nil
}

func TestLinesOfATerminalAreWrittenOneByOne(t *testing.T) {
	t.Parallel()
	log := slog.New(&terminalLog{to: &soleWriter{t: t}, level: slog.LevelInfo})
	var writing sync.WaitGroup
	for range 5 {
		writing.Go(func() { log.Info("sweep") })
	}
	writing.Wait()
}

// Programs that read the log get all of it as JSON, from the level on.
func TestLogOfAFileIsJSON(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	log := newLog(file, slog.LevelWarn)
	log.Info("request", "trace_id", "1")
	log.Warn("request", "trace_id", "2")
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Msg     string
		TraceID string `json:"trace_id"`
	}
	if err := json.Unmarshal(text, &line); err != nil || line.Msg != "request" || line.TraceID != "2" {
		t.Errorf("got %s (%v)", text, err)
	}
}

func TestColoursAreForTerminalsThatShowThem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  map[string]string
		want bool
	}{
		"nothing set":     {nil, true},
		"NO_COLOR":        {map[string]string{"NO_COLOR": "1"}, false},
		"a dumb terminal": {map[string]string{"TERM": "dumb"}, false},
	} {
		if got := wantsColour(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%s: got %t, want %t", name, got, c.want)
		}
	}
}
