package terminal

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type identityCommand struct {
	As string `enum:"agency,recruiter" default:"agency" help:"Which key: agency or recruiter."`
}

// Run shows the identity that the key acts as.
func (identityCommand) Run(c *call, api *client.Client) error {
	who, err := api.Identity(context.Background())
	return printOne(c, who, err, describeIdentity(who)...)
}

func describeIdentity(who contract.Identity) []line {
	name := ""
	switch {
	case who.Agency != nil:
		name = who.Agency.Name
	case who.Recruiter != nil:
		name = who.Recruiter.Name + " <" + who.Recruiter.Email + ">"
	}
	limits := who.RateLimits
	return []line{
		{"acts as", who.Principal}, {"name", name}, {"environment", who.Environment}, {"key", who.Key.Name + " (…" + who.Key.Last4 + ")"},
		{"expires", who.Key.ExpiresAt}, {"scopes", who.Scopes},
		{"rate", fmt.Sprintf("%d reads and %d writes in %d seconds", limits.Default.Limit, limits.Write.Limit, limits.Write.WindowSeconds)},
	}
}

type enumerationsCommand struct {
	Name string `arg:"" optional:"" help:"Only the values of this enumeration, or of those that this field takes."`
}

// Run lists the enumerations.
func (e enumerationsCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	all, err := api.Enumerations(ctx)
	if err != nil {
		return explain(err)
	}
	type row struct {
		Enumeration string `json:"enumeration"`
		contract.NamedValue
	}
	var rows []row
	var names []string
	for _, enumeration := range all.Enumerations {
		names = append(names, enumeration.Name)
		for _, value := range enumeration.Values {
			if e.Name == "" || e.Name == enumeration.Name || slices.Contains(enumeration.Fields, e.Name) {
				rows = append(rows, row{enumeration.Name, value})
			}
		}
	}
	if len(rows) == 0 {
		return newExitError(exitInput, "no enumeration and no field that takes one is named %q; there are %s", e.Name, strings.Join(names, ", "))
	}
	return printRows(c, rowsOf(rows, nil), 0, "ENUMERATION, VALUE, NAME", func(r row) []any {
		return []any{r.Enumeration, r.Value, r.Name}
	})
}

type statusCommand struct{}

// Run shows whether the system responds, and the identity each key acts as. It fails if the system does not
// respond or refuses a key.
func (statusCommand) Run(ctx context.Context, c *call, lookUp variables) error {
	address := lookUp(baseURLVariable)
	if address == "" {
		return fmt.Errorf("%s is needed: %s", baseURLVariable, c.adviseSettings())
	}
	health, err := client.New(address, "").Health(ctx)
	if err != nil {
		return explain(fmt.Errorf("%s: %w", address, err))
	}
	lines := []line{{"address", address}, {"responds", "yes, version " + health.Version}}
	keys := map[string]any{} // by variable, the identity that a key acts as, or why it cannot be used
	failed := error(nil)
	for _, variable := range []string{agencyVariable, recruiterVariable} {
		if lookUp(variable) == "" {
			lines = append(lines, line{variable, "none"})
			continue
		}
		who, err := client.New(address, lookUp(variable)).Identity(ctx)
		if err != nil {
			failed = explain(fmt.Errorf("%s: %w", variable, err))
			keys[variable] = map[string]string{"refused": err.Error()}
			lines = append(lines, line{variable, "refused"})
			continue
		}
		keys[variable] = map[string]any{"identity": who}
		lines = append(lines, line{variable, "accepted"})
		lines = append(lines, describeIdentity(who)...)
	}
	return cmp.Or(printOne(c, map[string]any{"baseUrl": address, "health": health, "keys": keys}, nil, lines...), failed)
}

type logsCommand struct {
	Follow bool `short:"f" help:"Keep printing new requests until Ctrl-C."`
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
