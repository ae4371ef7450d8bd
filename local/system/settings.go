package system

import (
	"cmp"
	"maps"

	"github.com/recruiting-marketplace/external-api/local/emulator"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// defaults are the settings that make waiting bearable on one machine; the
// environment overrides each. They are those of the functions, listed in README.
var defaults = map[string]string{
	"KEY_ENVIRONMENTS":   "live,test",
	"INGEST_RESEND":      "5s",
	"INGEST_LEASE_GRACE": "2s",
	"INGEST_RETRY_DELAY": "1s",
	"SWEEP_EVERY":        "2s",
	"FUNCTION_TIMEOUT":   "25s",
	"PROFILE_API_KEY":    "local",
	"VERSION":            "local",
}

// systemEnvironment is what points the functions at this system.
func systemEnvironment(set *emulator.Set, standIn, prefix string, getenv func(string) string) map[string]string {
	env := maps.Clone(set.Env())
	for _, t := range topology.Tables {
		env[t.Env] = prefix + t.Name
	}
	for _, b := range topology.Buckets {
		env[b.Env] = prefix + b.Name
	}
	maps.Copy(env, profileEnvironment(standIn, getenv))
	return env
}

// profileEnvironment says who answers for profiles: whom the caller names, else the stand-in,
// which speaks the first provider's format alone. Another provider is asked where the
// caller says, and for test keys nobody is.
func profileEnvironment(standIn string, getenv func(string) string) map[string]string {
	env := map[string]string{}
	if name := getenv(topology.SettingProfileProvider); name != "" && name != "peopledatalabs" {
		standIn = ""
	}
	for _, name := range []string{topology.SettingProfileURL, "PROFILE_SANDBOX_URL"} {
		if url := cmp.Or(getenv(name), standIn); url != "" {
			env[name] = url
		}
	}
	return env
}

// layeredSettings looks a name up in the system's own environment, then the caller's,
// then the defaults.
func layeredSettings(own map[string]string, getenv func(string) string) func(string) string {
	return func(name string) string {
		for _, value := range []string{own[name], getenv(name)} {
			if value != "" {
				return value
			}
		}
		return defaults[name]
	}
}
