package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/ingest"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// startFailing starts the function again, which then has an own log. Its calls that are chosen fail.
func (w *worker) startFailing(fails func(cloud.Call) bool) (log *bytes.Buffer) {
	w.t.Helper()
	log = &bytes.Buffer{}
	host := w.host
	host.Log = slog.New(slog.NewJSONHandler(log, nil))
	host.AWS = cloud.WithHook(host.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if fails(call) {
			return errors.New("the connection was cut")
		}
		return send()
	})
	var err error
	w.service, err = ingest.New(w.t.Context(), host)
	w.must(err)
	return log
}

// isOperation returns a function that reports whether a call is one of the operation.
func isOperation(name string) func(cloud.Call) bool {
	return func(call cloud.Call) bool { return call.Operation == name }
}

// TestNewerStatementsAreLogged fails unless the log names, without personal data, what a submission has not changed because a newer
// statement stands.
func TestNewerStatementsAreLogged(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	log := w.startFailing(isOperation(""))
	batch, first := w.acceptPerson("ada", "ada", "1")
	w.now = w.now.Add(time.Second)
	_, second := w.acceptPerson("ada", "ada.b", "2")
	w.now = w.now.Add(time.Second)
	w.deliver(first)
	m := w.membership(w.readItems(batch)[0])
	_, err := network.Open(w.host.Opener()).SetPreferences(t.Context(), m, contract.WorkPreferences{SalaryMin: 7}, network.Write{Now: w.now, ID: "put"})
	w.must(err)
	w.deliver(second)
	lines := log.String()
	if strings.Count(lines, `"kept":`) != 1 || !strings.Contains(lines, `"kept":["preferences"]`) || strings.Contains(lines, "@") {
		t.Errorf("the log is %s", lines)
	}
}

// TestAFileThatIsNotRemovedIsLogged fails unless an ingestion succeeds whose file cannot be removed, and logs that.
func TestAFileThatIsNotRemovedIsLogged(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	log := w.startFailing(isOperation("DeleteObject"))
	batch, wakeUp := w.acceptPerson("ada", "ada", "1")
	w.deliver(wakeUp)
	if item := w.readItems(batch)[0]; item.Status != contract.Succeeded || !strings.Contains(log.String(), "a file was not removed") {
		t.Errorf("got %+v and the log %s", item, log.String())
	}
}

// TestOutcomesAreTimedFromTheSubmission fails unless the line of an attempt has the time since the submission was accepted.
func TestOutcomesAreTimedFromTheSubmission(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	var log bytes.Buffer
	host := w.host
	host.Log = slog.New(slog.NewJSONHandler(&log, nil))
	var err error
	w.service, err = ingest.New(t.Context(), host)
	w.must(err)
	_, wakeUp := w.acceptPerson("ada", "ada", "1")
	w.now = w.now.Add(150 * time.Second)
	w.deliver(wakeUp)
	if !strings.Contains(log.String(), `"status":"succeeded","code":"","ms":0,"age_ms":150000,`) {
		t.Errorf("the log is %s", log.String())
	}
}
