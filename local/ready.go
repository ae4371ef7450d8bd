package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/bridge"
	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// startupKeys are secrets. They are stored only in the file "env" of the data directory, where a restart finds them.
type startupKeys struct {
	agency, recruiter string
}

// startupKeyName is the display name of both keys, by which a run finds those with a lost secret, and revokes them.
const startupKeyName = "local"

// checkEarlierRun returns an error if the run that has written the file "env" is still up. A run at our own address, on
// which we already listen, is not. One that does not answer may be: only the lock of the directory, which
// [emulator.Start] takes, tells that none is.
func checkEarlierRun(ctx context.Context, dir string, own net.Addr) error {
	env, err := envfile.Read(filepath.Join(dir, "env"))
	if err != nil || len(env) == 0 {
		return err
	}
	ours := strings.HasPrefix(env["BASE_URL"], "http://"+own.String()+"/")
	if !ours && checkKey(ctx, env["BASE_URL"], env["AGENCY_KEY"]) == nil {
		return fmt.Errorf("a system already runs with its data in %s, at %s; stop it, or choose another DATA_DIR", dir, env["BASE_URL"])
	}
	return nil
}

// hideEnvFile renames "env", which means that the system is up, to "env.last", from which the next run takes its keys.
func hideEnvFile(dir string) error {
	err := os.Rename(filepath.Join(dir, "env"), filepath.Join(dir, "env.last"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// ensureStartupKeys returns the keys of the last run, or new ones in place of those that the system refuses.
func ensureStartupKeys(ctx context.Context, s *system.System, dir string) (startupKeys, error) {
	last, err := envfile.Read(filepath.Join(dir, "env.last"))
	if err != nil {
		return startupKeys{}, err
	}
	service, err := keys.New(ctx, s.Host)
	if err != nil {
		return startupKeys{}, err
	}
	agency, err := ensureStartupKey(ctx, s, service, last["AGENCY_KEY"], contract.AgencyKey, demo.AgencyID)
	if err != nil {
		return startupKeys{}, err
	}
	recruiter, err := ensureStartupKey(ctx, s, service, last["RECRUITER_KEY"], contract.PersonalKey, demo.OwnerID)
	return startupKeys{agency, recruiter}, err
}

func ensureStartupKey(
	ctx context.Context, s *system.System, service *keys.Service, last string, kind contract.KeyType, principal string,
) (string, error) {
	if last != "" && !isRefused(checkKey(ctx, s.BaseURL, last)) {
		return last, nil
	}
	request := keys.Request{Type: kind, Principal: principal, Actor: demo.OwnerID}
	if err := revokeStartupKeys(ctx, service, request); err != nil { // which earlier runs have created
		return "", err
	}
	served := apikey.Environments(s.Host.Opener()) // with its errors, there is no service
	request.Environment = served[max(0, slices.Index(served, "test"))]
	request.Action = keys.Create
	request.Name = startupKeyName
	request.Scopes = kind.Scopes()
	out, err := service.Handle(ctx, request)
	return out.Secret, err
}

func revokeStartupKeys(ctx context.Context, service *keys.Service, r keys.Request) error {
	list := r
	list.Action = keys.List
	r.Action = keys.Revoke
	for {
		page, err := service.Handle(ctx, list)
		if err != nil {
			return fmt.Errorf("list the keys of the last start: %w", err)
		}
		for _, key := range page.Keys {
			if key.Name != startupKeyName || key.Status != keys.Active {
				continue
			}
			r.KeyID = key.ID
			if _, err := service.Handle(ctx, r); err != nil {
				return fmt.Errorf("revoke a key of the last start: %w", err)
			}
		}
		if page.NextCursor == "" {
			return nil
		}
		list.Cursor = page.NextCursor
	}
}

// writeFiles writes three files, each atomically: "sam.json" with the settings of SAM, "aws" with the endpoints and names that the
// other commands need, and last "env" with the values a script needs, which says that the system is up.
func (r startupKeys) writeFiles(s *system.System, dir string) error {
	env := fmt.Sprintf("export BASE_URL=%s\nexport AGENCY_KEY=%s\nexport RECRUITER_KEY=%s\nexport MEMBER_EMAIL=%s\n",
		s.BaseURL, r.agency, r.recruiter, demo.MemberEmail)
	var aws strings.Builder
	for name, value := range s.Environment {
		fmt.Fprintf(&aws, "%s=%s\n", name, value)
	}
	parameters, _ := r.samEnvironment(s)
	sam, _ := json.MarshalIndent(map[string]any{"Parameters": parameters}, "", "  ") // texts always marshal
	for _, file := range [][2]string{{"sam.json", string(sam) + "\n"}, {"aws", aws.String()}, {"env", env}} {
		path := filepath.Join(dir, file[0])
		err := os.WriteFile(path+".new", []byte(file[1]), 0o600)
		if err == nil {
			err = os.Rename(path+".new", path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// samEnvironment returns the variables that SAM sets in every function in place of the template's values,
// which are references that only a deployment resolves, and the ports of this machine that they name.
func (r startupKeys) samEnvironment(s *system.System) (env map[string]string, ports []int) {
	env = maps.Clone(s.Environment)
	for _, name := range []string{topology.SettingKeyEnvironments, topology.SettingProfileKey, topology.SettingVersion} {
		env[name] = s.Host.Getenv(name)
	}
	env[topology.SettingCanaryURL] = s.BaseURL
	env[topology.SettingCanaryAgencyKey] = r.agency
	env[topology.SettingCanaryRecruiterKey] = r.recruiter
	for name, value := range env {
		kind := topology.Environment()[name].Kind
		if kind == topology.Messages || kind == topology.Dead || name == topology.SettingPublicURL {
			continue // SQS knows a queue by its URL, but is asked at its endpoint; the other is for callers
		}
		if address, port := addressForContainers(value); port > 0 {
			env[name] = address
			ports = append(ports, port)
		}
	}
	slices.Sort(ports)
	return env, slices.Compact(ports)
}

// onLoopback is the URL of a service on loopback: its scheme, its port and its path.
var onLoopback = regexp.MustCompile(`^(\w+://)(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]):(\d{1,5})(/.*)?$`)

// addressForContainers returns the URL of a service on loopback as containers reach it, and its port; 0 for other texts.
func addressForContainers(value string) (string, int) {
	parts := onLoopback.FindStringSubmatch(value)
	if parts == nil {
		return value, 0
	}
	port, _ := strconv.Atoi(parts[2]) // digits
	// By this name Docker Desktop leads to this machine, and on Linux samconfig.toml does.
	return parts[1] + "host.docker.internal:" + parts[2] + parts[3], port
}

// offerToContainers lets the containers of a bridge reach the system until ctx ends, if the setting SAM is 1,
// for Docker's own bridge, or names one.
func (r startupKeys) offerToContainers(ctx context.Context, s *system.System, log *slog.Logger) error {
	name := os.Getenv("SAM")
	switch name {
	case "":
		return nil
	case "1":
		name = bridge.Docker
	}
	network, err := bridge.Find(name)
	if errors.Is(err, bridge.ErrNoBridge) {
		log.WarnContext(ctx, "containers can reach this system with Docker Desktop only; with another Docker, start that first", "cause", err)
		return nil
	}
	if err != nil {
		return err
	}
	_, ports := r.samEnvironment(s)
	return bridge.Relay(ctx, network, ports)
}

type statusCommand struct{}

// Run prints where it runs, and since when. That none runs is an error.
func (statusCommand) Run() error {
	dir, err := filepath.Abs(envfile.DataDir())
	if err != nil {
		return err
	}
	return printStatus(context.Background(), os.Stdout, dir, time.Now())
}

func printStatus(ctx context.Context, to io.Writer, dir string, now time.Time) error {
	env, err := envfile.Read(filepath.Join(dir, "env"))
	if err != nil {
		return err
	}
	baseURL := env["BASE_URL"]
	if baseURL == "" {
		url := "http://127.0.0.1:" + port() + contract.BasePath
		if _, err := newProbe(url, "").Health(ctx); err == nil {
			return fmt.Errorf("no system runs with its data in %s; one with another DATA_DIR runs at %s", dir, url)
		}
		return fmt.Errorf("no system runs with its data in %s; start one: make run", dir)
	}
	err = checkKey(ctx, baseURL, env["AGENCY_KEY"])
	if isRefused(err) {
		return fmt.Errorf("the system at %s refuses the key of the run with its data in %s: "+
			"the key was revoked, or that run was killed and another one has its port", baseURL, dir)
	}
	if err != nil {
		return fmt.Errorf("the run with its data in %s was killed, or does not respond: %w; if it was killed, start it again: make run", dir, err)
	}
	aws, err := envfile.Read(filepath.Join(dir, "aws"))
	if err != nil {
		return err
	}
	begun, err := os.Stat(filepath.Join(dir, "env"))
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	running := now.Sub(begun.ModTime()).Round(time.Second)
	_, _ = fmt.Fprintf(table, "running\tfor %s\nbase URL\t%s\ndata\t%s\n", running, baseURL, dir)
	for _, service := range []emulator.Service{emulator.DynamoDB, emulator.SQS, emulator.S3} {
		_, _ = fmt.Fprintf(table, "%s\t%s\n", service, aws[service.Variable()])
	}
	return table.Flush()
}

func port() string { return cmp.Or(os.Getenv("PORT"), "8080") }

// checkKey returns an error unless the API at baseURL accepts the key. It also accepts one whose rate is used up, since only the
// requests of keys that it knows are counted.
func checkKey(ctx context.Context, baseURL, key string) error {
	_, err := newProbe(baseURL, key).Identity(ctx)
	if hasStatus(err, http.StatusTooManyRequests) {
		return nil
	}
	return err
}

// isRefused reports whether an error of checkKey says that the API does not know the key, or not any more.
func isRefused(err error) bool { return hasStatus(err, http.StatusUnauthorized) }

func hasStatus(err error, status int) bool {
	answer, ok := errors.AsType[*client.Error](err)
	return ok && answer.Status == status
}

func newProbe(baseURL, key string) *client.Client {
	return client.New(baseURL, key, client.WithAttempts(1), client.WithHTTPClient(&http.Client{Timeout: 5 * time.Second}))
}
