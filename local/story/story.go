package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Find returns the lines of a request's story in order. search returns the lines that match.
func Find(requestID string, search func(Match) ([]Line, error)) ([]Line, error) {
	own, err := search(Match{RequestID: requestID})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(own, func(l Line) bool { return l.text("msg") == "request" })
	if i < 0 {
		return nil, fmt.Errorf("no request has the id %s in this log", requestID)
	}
	all, err := search(own[i].related())
	slices.SortStableFunc(all, func(a, b Line) int { return a.begun().Compare(b.begun()) })
	return all, err
}

// Tell returns the story of a request as text, a line for each step. Times count from the begin
// of the request. The lines are those of [Find].
func Tell(requestID string, lines []Line) string {
	i := slices.IndexFunc(lines, func(l Line) bool { return l.text("msg") == "request" && l.text("request_id") == requestID })
	if i < 0 {
		return "no line of the request " + requestID + "\n"
	}
	t := teller{requestID: requestID, begun: lines[i].begun(), outcomes: map[string]string{}}
	fmt.Fprintf(&t.text, "request %s\ntrace   %s\n", requestID, lines[i].text("trace_id"))
	if batch := lines[i].text("batch"); batch != "" {
		fmt.Fprintf(&t.text, "batch   %s\n", batch)
	}
	for _, l := range lines {
		t.tellLine(l)
	}
	t.tellOutcomes(lines[i].text("operation"))
	return t.text.String()
}

// teller writes a story.
type teller struct {
	requestID string
	begun     time.Time
	text      strings.Builder
	// submissions are those that a worker has tried, in order, and outcomes how each stands.
	submissions []string
	outcomes    map[string]string
}

// tellLine writes what a line says. Lines of an unknown kind are named alone.
func (t *teller) tellLine(l Line) {
	var told string
	switch l.text("msg") {
	case "request":
		told = t.tellRequest(l)
	case "ingest":
		told = t.tellAttempt(l)
	case "feed":
		told = joinWords("feed: event", l.text("event"), l.text("type"), "version", l.text("version"), refusal(l))
	default:
		told = joinWords(cmp.Or(l.text("function"), "log")+":", l.text("msg"))
	}
	if cause := l.text("cause"); cause != "" {
		told += ", because " + cause
	}
	fmt.Fprintf(&t.text, "%+10.3f s  %s\n", l.begun().Sub(t.begun).Seconds(), told)
}

func refusal(l Line) string {
	if l.text("refused") == "true" {
		return "refused"
	}
	return ""
}

func (t *teller) tellRequest(l Line) string {
	told := joinWords(l.text("method"), cmp.Or(l.text("route"), "an unknown path"), "->", l.text("status"), l.text("code"), "in", l.text("ms"), "ms")
	if l.text("request_id") != t.requestID {
		told = "later request " + l.text("request_id") + ": " + told
	}
	return told
}

// tellAttempt tells an attempt. The queue has no line: what passes before a first attempt is the
// time that the submission waited there.
func (t *teller) tellAttempt(l Line) string {
	id := l.text("submission")
	status := cmp.Or(l.text("status"), "lost to another attempt")
	told := fmt.Sprintf("ingest: submission %s, attempt %s", id, l.text("attempt"))
	if !slices.Contains(t.submissions, id) {
		t.submissions = append(t.submissions, id)
		told += ", from the queue"
	}
	if status == "queued" {
		status = "queued again"
	}
	t.outcomes[id] = joinWords(status, l.text("code"), "at attempt", l.text("attempt"))
	return joinWords(told+":", status, l.text("code"), "in", l.text("ms"), "ms")
}

// tellOutcomes ends the story. What is queued for long or was ended by the sweeper has no further
// line, so the last word is the batch's.
func (t *teller) tellOutcomes(operation string) {
	for _, id := range t.submissions {
		fmt.Fprintf(&t.text, "outcome of %s: %s\n", id, t.outcomes[id])
	}
	if len(t.submissions) == 0 && strings.HasPrefix(operation, "submit") {
		t.text.WriteString("no attempt so far: nothing was accepted, it waits in the queue, or it was ended without one; the batch says which\n")
	}
}

// joinWords joins the words that are not empty.
func joinWords(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}
