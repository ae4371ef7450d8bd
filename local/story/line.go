// Package story tells from log lines what happened to one request: the request itself, the queue,
// the attempts of the worker, the later requests on the same batch and the outcome.
//
// Lines are found by the trace id that a request and its work share, and by the batch. They come from
// the log file of a local run or from CloudWatch Logs Insights. A story has only the attributes that
// it names, so it holds nothing that a log line may have gained since.
package story

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Line is a line of the log, by attribute.
type Line map[string]any

// parseLine returns the line of a JSON text; false for other text, such as Lambda's own lines.
func parseLine(text string) (Line, bool) {
	var l Line
	err := json.Unmarshal([]byte(text), &l)
	return l, err == nil && l["msg"] != nil
}

// text returns an attribute as text; "" if the line does not have it.
func (l Line) text(name string) string {
	if v := l[name]; v != nil {
		return strings.TrimSpace(fmt.Sprint(v))
	}
	return ""
}

// begun returns when the work that the line reports began. The line is written when it has ended.
func (l Line) begun() time.Time {
	at, _ := time.Parse(time.RFC3339Nano, l.text("time"))
	ms, _ := l["ms"].(float64)
	return at.Add(-time.Duration(ms) * time.Millisecond)
}

// Match selects lines: those of a request, or those of a trace or a batch.
type Match struct{ RequestID, TraceID, Batch string }

func (m Match) matches(l Line) bool {
	return m.RequestID != "" && l.text("request_id") == m.RequestID ||
		m.TraceID != "" && l.text("trace_id") == m.TraceID ||
		m.Batch != "" && l.text("batch") == m.Batch
}

// related returns the match of all lines that belong to the story of a request's line.
func (l Line) related() Match {
	return Match{l.text("request_id"), l.text("trace_id"), l.text("batch")}
}

// Filter returns the lines of a log that match.
func Filter(log io.Reader, m Match) (all []Line, err error) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if l, ok := parseLine(lines.Text()); ok && m.matches(l) {
			all = append(all, l)
		}
	}
	return all, lines.Err()
}
