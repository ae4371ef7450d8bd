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
	lines  sync.Mutex // held while a line is written
}

// Enabled implements slog.Handler.
func (l *terminalLog) Enabled(_ context.Context, level slog.Level) bool {
	return level >= l.level.Level()
}

// WithAttrs implements slog.Handler. No logger of this system has attributes of its own.
func (l *terminalLog) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler, as WithAttrs.
func (l *terminalLog) WithGroup(string) slog.Handler { return l }

// Handle implements slog.Handler. Of a request the line begins with its status, and a failed one has its id, by which its line is
// found in the file.
func (l *terminalLog) Handle(_ context.Context, r slog.Record) error {
	fields := map[string]string{}
	rest := ""
	r.Attrs(func(a slog.Attr) bool {
		value, _, _ := strings.Cut(a.Value.String(), "\n") // errors end with their stack
		if value == "" || value == "<nil>" {
			return true
		}
		fields[a.Key] = value
		if !hiddenFields[a.Key] {
			rest += formatField(a.Key, value)
		}
		return true
	})
	text := warnings[r.Level] + r.Message + rest
	colour := colours[r.Level]
	if fields["method"] != "" && fields["status"] != "" {
		if id := fields["request_id"]; r.Level >= slog.LevelError && id != "" {
			rest += formatField("request_id", id)
		}
		text = fmt.Sprintf("%s %s %s %s ms%s", fields["status"], fields["method"], cmp.Or(fields["route"], "(no route)"), fields["ms"], rest)
		if fields["status"] >= "400" {
			colour = cmp.Or(colour, colours[slog.LevelWarn])
		}
	}
	if l.colour && colour != "" {
		text = colour + text + "\x1b[0m"
	}
	l.lines.Lock()
	defer l.lines.Unlock()
	_, err := fmt.Fprintln(l.to, r.Time.Format(time.TimeOnly), text)
	return err
}

// How lines of failures and warnings begin, and their colours. A refused request has that of a warning.
var (
	warnings = map[slog.Level]string{slog.LevelError: "error: ", slog.LevelWarn: "warning: "}
	colours  = map[slog.Level]string{slog.LevelError: "\x1b[31m", slog.LevelWarn: "\x1b[33m"}
)

// hiddenFields are in the file of the log alone, and those of a request are at the start of its line.
var hiddenFields = map[string]bool{"trace_id": true, "version": true, "key_id": true, "stack": true, "operation": true, "path_length": true,
	"request_id": true, "method": true, "status": true, "ms": true, "route": true}

// formatField returns a field as it is shown behind others.
func formatField(name, value string) string {
	if quoted := strconv.Quote(value); quoted != `"`+value+`"` || strings.Contains(value, " ") {
		value = quoted
	}
	return " " + name + "=" + value
}
