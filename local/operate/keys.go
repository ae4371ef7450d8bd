// Package operate has the operator's commands for a deployment or the running local system: API keys, the feed of
// marketplace events, dead letters, the restoration of lost data, and one run of the canary. A command reads the names of
// tables, queues and buckets from the environment and, where it may, falls back to the local system's files.
//
// It knows flags and how results are printed. What a command does is in the packages below it and in functions/.
package operate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Keys runs the service of the keys function. It works on the running local system or, if TABLE_ACCOUNTS is
// set, on the deployment that the AWS environment variables name.
type Keys struct {
	Create createKey `cmd:"" help:"Create a key and print it, once."`
	List   listKeys  `cmd:"" help:"List the keys of an agency or a recruiter."`
	Revoke revokeKey `cmd:"" help:"Revoke a key, effective immediately."`
	Rename renameKey `cmd:"" help:"Rename a key."`
}

// principalFlags are the flags of every keys command: for which account and on whose behalf it acts.
type principalFlags struct {
	Type      contract.KeyType `enum:"agency,personal" default:"agency" help:"agency or personal."`
	Principal string           `help:"Id of the agency or recruiter (default on the local system: the demo's)."`
	Actor     string           `help:"Id of the acting owner or recruiter (default on the local system: the demo's owner, or the recruiter)."`
	JSON      bool             `name:"json" help:"Print the function's answer as JSON."`
}

type createKey struct {
	principalFlags
	Name        string           `required:"" help:"Display name."`
	Scopes      []contract.Scope `help:"Scopes (default: all of the type)."`
	Environment string           `default:"test" help:"Environment of the key."`
	Expires     time.Duration    `help:"Expire after this time, for example 720h (default: never)."`
}

type listKeys struct{ principalFlags }

type revokeKey struct {
	principalFlags
	Key string `arg:"" help:"Id of the key."`
}

type renameKey struct {
	principalFlags
	Key  string `arg:"" help:"Id of the key."`
	Name string `arg:"" help:"New display name."`
}

// Run creates the key.
func (c createKey) Run(host cloud.Host) error {
	r := c.newRequest(keys.Create)
	r.Name = c.Name
	r.Environment = c.Environment
	r.Scopes = c.Scopes
	if len(r.Scopes) == 0 {
		r.Scopes = r.Type.Scopes()
	}
	if c.Expires != 0 {
		r.ExpiresAt = new(contract.At(time.Now().Add(c.Expires)))
	}
	return c.sendRequest(host, r)
}

// Run lists the keys, page by page.
func (c listKeys) Run(host cloud.Host) error { return c.sendRequest(host, c.newRequest(keys.List)) }

// Run revokes the key.
func (c revokeKey) Run(host cloud.Host) error {
	r := c.newRequest(keys.Revoke)
	r.KeyID = c.Key
	return c.sendRequest(host, r)
}

// Run renames the key.
func (c renameKey) Run(host cloud.Host) error {
	r := c.newRequest(keys.Rename)
	r.KeyID = c.Key
	r.Name = c.Name
	return c.sendRequest(host, r)
}

// Validate refuses a command for a deployment that does not name its account: the defaults are the demo's. Kong
// calls it before Run.
func (w principalFlags) Validate() error {
	isNamed := w.Principal != "" && (w.Actor != "" || w.Type == contract.PersonalKey)
	if isDeployed() && !isNamed {
		return errors.New("on a deployment, name the account: --principal and, for an agency, --actor")
	}
	return nil
}

func (w principalFlags) newRequest(action keys.Action) keys.Request {
	if w.Type == contract.PersonalKey {
		principal := cmp.Or(w.Principal, demo.OwnerID)
		return keys.Request{Action: action, Type: w.Type, Principal: principal, Actor: cmp.Or(w.Actor, principal)}
	}
	return keys.Request{Action: action, Type: w.Type, Principal: cmp.Or(w.Principal, demo.AgencyID), Actor: cmp.Or(w.Actor, demo.OwnerID)}
}

func (w principalFlags) sendRequest(host cloud.Host, r keys.Request) error {
	ctx := context.Background()
	service, err := keys.New(ctx, host)
	if err != nil {
		return fmt.Errorf("open the administration of keys: %w", err)
	}
	for {
		out, err := service.Handle(ctx, r)
		if err != nil {
			return operatorError(err)
		}
		all := out.Keys
		if out.Key != nil {
			all = append(all, *out.Key)
		}
		switch {
		case w.JSON:
			err = json.NewEncoder(os.Stdout).Encode(out)
		case out.Secret != "": // which alone is on standard output, for scripts
			fmt.Println(out.Secret)
			fmt.Fprintln(os.Stderr, "This is the only time the key is shown.")
			err = writeKeyTable(os.Stderr, all)
		default:
			err = writeKeyTable(os.Stdout, all)
		}
		if err != nil || out.NextCursor == "" {
			return err
		}
		r.Cursor = out.NextCursor
	}
}

func isDeployed() bool { return os.Getenv("TABLE_ACCOUNTS") != "" }

// Provide gives the commands that ask for them the host of the system that they work on, and a context that an interrupt ends, for the
// rest of the program. It is an option of kong.
var Provide = kong.OptionFunc(func(k *kong.Kong) error {
	newContext := func() context.Context {
		ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		return ctx
	}
	return errors.Join(kong.BindToProvider(openHost).Apply(k), kong.BindToProvider(newContext).Apply(k))
})

// openHost uses the settings of this process if they name a deployment, else those of the running local system.
func openHost() (cloud.Host, error) {
	log := slog.New(slog.DiscardHandler)
	if isDeployed() {
		return cloud.NewHost(os.Getenv, time.Now, log), nil
	}
	local, err := envfile.Read(filepath.Join(envfile.DataDir(), "aws"))
	if err != nil {
		return cloud.Host{}, fmt.Errorf("read the settings of the system: %w", err)
	}
	if _, err := os.Stat(filepath.Join(envfile.DataDir(), "env")); err != nil || len(local) == 0 {
		return cloud.Host{}, fmt.Errorf("no local system runs with its data in %s: start it with make run, "+
			"or set TABLE_ACCOUNTS and the AWS variables of a deployment", envfile.DataDir())
	}
	getenv := func(name string) string {
		return cmp.Or(local[name], os.Getenv(name), map[string]string{"KEY_ENVIRONMENTS": "live,test"}[name])
	}
	return cloud.NewHost(getenv, time.Now, log), nil
}

func writeKeyTable(to io.Writer, all []keys.Key) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ID\tNAME\tSTATUS\tENDS IN\tENVIRONMENT\tCREATED\tEXPIRES\tLAST USED\tSCOPES")
	for _, k := range all {
		_, _ = fmt.Fprintln(w, strings.Join([]string{
			k.ID, k.Name, string(k.Status), k.Last4, k.Environment, shortTime(&k.CreatedAt), shortTime(k.ExpiresAt), shortTime(k.LastUsedAt),
			strings.Join(contract.ConvertValues[string](k.Scopes), " "),
		}, "\t"))
	}
	return w.Flush()
}

func shortTime(t *contract.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// operatorError returns an error in the terms of the command line: of an internal one the cause, which the public message hides.
func operatorError(err error) error {
	e := fault.As(err)
	switch e.Kind {
	case fault.Internal:
		return cmp.Or(e.Cause, err)
	case fault.NotFound:
		return errors.New("no such account, actor or key: check --type, --principal, --actor and the key's id (see keys list)")
	}
	lines := slices.Clone(e.Form)
	for _, field := range slices.Sorted(maps.Keys(e.Fields)) {
		for _, problem := range e.Fields[field] {
			if !strings.HasPrefix(problem, field) { // one of an element names it: scopes[0]
				problem = field + ": " + problem
			}
			lines = append(lines, problem)
		}
	}
	return errors.New(cmp.Or(strings.Join(lines, "\n"), e.Message))
}
