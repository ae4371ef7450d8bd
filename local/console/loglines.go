package console

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"
)

// Handler returns a handler of the system's log that reports each request and each attempt at a
// submission to the recorder. Those lines hold no personal data.
func (r *Recorder) Handler() slog.Handler { return logHandler{r} }

type logHandler struct{ to *Recorder }

// Enabled implements slog.Handler.
func (logHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// Handle implements slog.Handler. It never fails.
func (h logHandler) Handle(_ context.Context, record slog.Record) error {
	if record.Message != "request" && record.Message != "ingest" {
		return nil
	}
	line := logLine{at: record.Time, message: record.Message, values: make(map[string]string, record.NumAttrs())}
	record.Attrs(func(a slog.Attr) bool {
		if text := a.Value.String(); text != "<nil>" {
			line.values[a.Key] = text
		}
		return true
	})
	h.to.tell(line)
	return nil
}

// WithAttrs implements slog.Handler; the attributes are not shown.
func (h logHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements slog.Handler.
func (h logHandler) WithGroup(string) slog.Handler { return h }

// logLine is a line of the system's log.
type logLine struct {
	at      time.Time
	message string
	values  map[string]string
}

// attempt is the event of an attempt at a submission.
type attempt struct {
	At           time.Time `json:"at"`
	BatchID      string    `json:"batchId"`
	SubmissionID string    `json:"submissionId"`
	Attempt      string    `json:"attempt"`
	Status       string    `json:"status"`
	Code         string    `json:"code"`
	Milliseconds string    `json:"ms"`
	Cause        string    `json:"cause"`
}

// toEvent keeps the line of a request until its exchange is reported, and returns the event
// of an attempt.
func (l logLine) toEvent(lines *logLines) (string, any) {
	v := l.values
	if l.message == "request" {
		if len(*lines) == maxLines { // the oldest is probably of an exchange that was dropped
			*lines = slices.Delete(*lines, 0, 1)
		}
		*lines = append(*lines, v)
		return "", nil
	}
	return "attempt", attempt{l.at, v["batch"], v["submission"], v["attempt"], v["status"], v["code"], v["ms"], v["cause"]}
}

// request is the event of a request.
type request struct {
	At           time.Time `json:"at"`
	Method       string    `json:"method"`
	Path         string    `json:"path"`
	Query        []string  `json:"query"`
	Operation    string    `json:"operation"`
	Status       int       `json:"status"`
	Milliseconds int64     `json:"ms"`
	KeyID        string    `json:"keyId"`
	Code         string    `json:"code"`
	Cause        string    `json:"cause"`
	BatchID      string    `json:"batchId"`
	RequestID    string    `json:"requestId"`
	SentBytes    int64     `json:"sentBytes"`
	Sent         string    `json:"sent"`
	AnswerBytes  int64     `json:"answerBytes"`
	Answer       string    `json:"answer"`

	SentHeaders     []header `json:"sentHeaders"`
	AnsweredHeaders []header `json:"answeredHeaders"`
}

// toEvent returns the event of the request, with the data of its log line.
func (x *exchange) toEvent(lines *logLines) (string, any) {
	v := lines.take(x.RequestID)
	e := x.request
	e.Path = cmp.Or(v["route"], e.Path, "no route, "+v["path_length"]+" characters")
	e.Operation = v["operation"]
	e.KeyID = v["key_id"]
	e.Code = v["code"]
	e.Cause = v["cause"]
	e.BatchID = v["batch"]
	e.SentBytes = x.sent.size
	e.Sent = x.sent.redacted()
	e.AnswerBytes = x.answered.size
	e.Answer = x.answered.redacted()
	return "request", e
}

// maxLines bounds the lines that wait for their exchange.
const maxLines = 128

// logLines are the values of the lines of requests with an exchange that is not reported yet, the oldest first.
type logLines []map[string]string

// take removes the line of a request and returns its values; nil if there is none.
func (l *logLines) take(id string) map[string]string {
	i := slices.IndexFunc(*l, func(v map[string]string) bool { return v["request_id"] == id })
	if i < 0 {
		return nil
	}
	v := (*l)[i]
	*l = slices.Delete(*l, i, i+1)
	return v
}
