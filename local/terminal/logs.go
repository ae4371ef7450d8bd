package terminal

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type logsCommand struct {
	Follow bool `short:"f" help:"Go on with new requests, until Ctrl-C."`
}

// quiet is how long the console sends nothing after what it holds.
const quiet = time.Second

// consoleEvent is an event of the local console: a request, or an attempt at a submission.
type consoleEvent struct {
	Kind         string          `json:"kind"`
	At           contract.Time   `json:"at"`
	Method       string          `json:"method,omitempty"`
	Path         string          `json:"path,omitempty"`
	Status       json.RawMessage `json:"status,omitempty"` // a number for a request, a word for an attempt
	Milliseconds json.RawMessage `json:"ms,omitempty"`
	Code         string          `json:"code,omitempty"`
	Cause        string          `json:"cause,omitempty"`
	BatchID      string          `json:"batchId,omitempty"`
	RequestID    string          `json:"requestId,omitempty"`
}

// Run prints the last requests of a system that runs on this machine, and with --follow the next ones.
func (l logsCommand) Run(ctx context.Context, c *call, lookUp variables) error {
	origin, found := strings.CutSuffix(strings.TrimRight(lookUp(baseURLVariable), "/"), contract.BasePath)
	if !found {
		return fmt.Errorf("%s is needed: %s", baseURLVariable, c.adviseSettings())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+"/console/events", nil)
	if err != nil {
		return explain(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return explain(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return newExitError(exitRefused, "%s has no console, which a system on this machine (make run) has", origin)
	}
	idle := time.AfterFunc(quiet, func() {
		if !l.Follow {
			cancel()
		}
	})
	defer idle.Stop()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 4<<20)
	kind := ""
	for lines.Scan() && ctx.Err() == nil {
		switch field, value, _ := strings.Cut(lines.Text(), ": "); field {
		case "event":
			kind = value
		case "data":
			idle.Reset(quiet)
			event := consoleEvent{}
			if err := json.Unmarshal([]byte(value), &event); err != nil {
				return explain(err)
			}
			event.Kind = kind
			if err := printEvent(c, event); err != nil {
				return err
			}
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return explain(lines.Err())
}

func printEvent(c *call, e consoleEvent) error {
	where := e.Method + " " + e.Path
	if e.Kind == "attempt" {
		where = "attempt at a submission"
	}
	status := strings.Trim(string(e.Status), `"`)
	text := fmt.Sprintf("%s  %-10s %6s ms  %s", cellOf(e.At), printable(status), strings.Trim(string(e.Milliseconds), `"`), where)
	for _, more := range []string{e.Code, e.Cause, e.BatchID} {
		if more != "" {
			text += "  " + more
		}
	}
	return printNow(c, e, printable(text))
}
