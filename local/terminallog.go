package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// newLog returns the log of a run: short lines on a terminal, JSON elsewhere.
func newLog(to *os.File, level slog.Leveler) *slog.Logger {
	info, err := to.Stat()
	if err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return slog.New(&terminalLog{to: to, level: level, colour: wantsColour(os.Getenv)})
	}
	return slog.New(slog.NewJSONHandler(to, &slog.HandlerOptions{Level: level}))
}

func wantsColour(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// terminalLog writes the lines of the log for a person: the time, what happened and its cause. The file in the data
// directory has the ids and the stacks too.
type terminalLog struct {
	to     io.Writer
	level  slog.Leveler
	colour bool
	lines  sync.Mutex
}

// Enabled implements slog.Handler.
func (l *terminalLog) Enabled(_ context.Context, level slog.Level) bool {
	return level >= l.level.Level()
}

// WithAttrs implements slog.Handler. No logger of this system has attributes of its own.
func (l *terminalLog) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler, as WithAttrs.
func (l *terminalLog) WithGroup(string) slog.Handler { return l }

// Handle implements slog.Handler.
func (l *terminalLog) Handle(_ context.Context, r slog.Record) error {
	line := &terminalLine{level: r.Level, text: r.Message, fields: map[string]string{}}
	r.Attrs(func(a slog.Attr) bool {
		line.add(a.Key, a.Value.String())
		return true
	})
	text := line.String()
	if colour := line.colour(); l.colour && colour != "" {
		text = colour + text + "\x1b[0m"
	}
	l.lines.Lock()
	defer l.lines.Unlock()
	_, err := fmt.Fprintln(l.to, r.Time.Format(time.TimeOnly), text)
	return err
}

// How lines of failures and warnings begin, and their colours.
var (
	warnings = map[slog.Level]string{slog.LevelError: "error: ", slog.LevelWarn: "warning: "}
	colours  = map[slog.Level]string{slog.LevelError: "\x1b[31m", slog.LevelWarn: "\x1b[33m"}
)

// terminalLine is one line without its time: the request or the message, and the other fields in their order.
type terminalLine struct {
	level  slog.Level
	text   string
	fields map[string]string
	rest   strings.Builder
}

// hiddenFields are in the file of the log alone, and those of a request are at the start of its line.
var hiddenFields = map[string]bool{"trace_id": true, "version": true, "key_id": true, "stack": true, "operation": true, "path_length": true,
	"request_id": true, "method": true, "status": true, "ms": true, "route": true}

// add keeps the first line of a value, since errors end with their stack.
func (l *terminalLine) add(name, value string) {
	value, _, _ = strings.Cut(value, "\n")
	if value == "" || value == "<nil>" {
		return
	}
	l.fields[name] = value
	if !hiddenFields[name] {
		l.show(name)
	}
}

func (l *terminalLine) show(name string) {
	value := l.fields[name]
	if quoted := strconv.Quote(value); quoted != `"`+value+`"` || strings.Contains(value, " ") {
		value = quoted
	}
	l.rest.WriteString(" " + name + "=" + value)
}

func (l *terminalLine) isRequest() bool { return l.fields["method"] != "" && l.fields["status"] != "" }

// colour returns what makes the rest of the line red after a failure, and yellow after a refusal or a warning.
func (l *terminalLine) colour() string {
	if l.isRequest() && l.fields["status"] >= "400" {
		return cmp.Or(colours[l.level], colours[slog.LevelWarn])
	}
	return colours[l.level]
}

// String returns the line. A failed request has its id, by which its line is found in the file.
func (l *terminalLine) String() string {
	if !l.isRequest() {
		return warnings[l.level] + l.text + l.rest.String()
	}
	if l.level >= slog.LevelError && l.fields["request_id"] != "" {
		l.show("request_id")
	}
	route := cmp.Or(l.fields["route"], "(no route)")
	return fmt.Sprintf("%s %s %s %s ms%s", l.fields["status"], l.fields["method"], route, l.fields["ms"], l.rest.String())
}
