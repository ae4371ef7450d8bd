package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// startupKeys are the secrets of the two keys that every run provides. They are stored
// only in the file "env" of the data directory, where a restart finds them.
type startupKeys struct {
	agency, recruiter string
}

// startupKeyName is the display name of both keys. By it a run finds the keys with
// a lost secret, and revokes them.
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

// hideEnvFile renames "env", whose presence means that the system is up, to "env.last", from which the next run takes its
// keys. It does nothing without it.
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
	if err := revokeStartupKeys(ctx, service, request); err != nil {
		return "", err
	}
	request.Environment = startupKeyEnvironment(apikey.Environments(s.Host.Opener())) // with its errors, there is no service
	request.Action = keys.Create
	request.Name = startupKeyName
	request.Scopes = kind.Scopes()
	out, err := service.Handle(ctx, request)
	return out.Secret, err
}

// startupKeyEnvironment returns "test" if it is among the served key environments, else the first of them.
func startupKeyEnvironment(served []string) string {
	return served[max(0, slices.Index(served, "test"))]
}

// revokeStartupKeys revokes the active keys of a principal that an earlier run created.
func revokeStartupKeys(ctx context.Context, service *keys.Service, r keys.Request) error {
	for {
		r.Action = keys.List
		page, err := service.Handle(ctx, r)
		if err != nil {
			return err
		}
		r.Action = keys.Revoke
		r.Cursor = ""
		for _, key := range page.Keys {
			if key.Name != startupKeyName || key.Status != keys.Active {
				continue
			}
			r.KeyID = key.ID
			if _, err := service.Handle(ctx, r); err != nil {
				return err
			}
		}
		if page.NextCursor == "" {
			return nil
		}
		r.KeyID = ""
		r.Cursor = page.NextCursor
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
