package system

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// defaults are settings of the functions with short waits, suitable for one machine; the
// environment overrides each. docs/settings.md lists them.
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

// systemEnvironment returns the endpoints and resource names of this system, by the
// variables from which the functions read them.
func systemEnvironment(set *emulator.Set, standIn, prefix string, getenv func(string) string) map[string]string {
	env := set.Env()
	for _, t := range topology.Tables {
		env[t.Env] = prefix + t.Name
	}
	if domain := getenv(topology.SettingSearchURL); domain != "" {
		separator := "/"
		if u, err := url.Parse(domain); err == nil && strings.Trim(u.Path, "/") != "" {
			separator = "-" // the path is the name of an index
		}
		env[topology.SettingSearchURL] = strings.TrimSuffix(domain, "/") + separator + strings.Trim(prefix, "-") // an index of its own
	}
	maps.Copy(env, profileEnvironment(standIn, getenv))
	return env
}

// profileEnvironment returns the URLs of the profile provider: those in the settings, else
// the stand-in's. The stand-in only speaks the format of peopledatalabs; with another
// provider it is not used, and test keys have no provider unless the settings name one.
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

// FunctionEnvironment returns the variables of a function as a deployment sets them, as
// "name=value", with the values of the host, and the host's AWS endpoints.
func FunctionEnvironment(host cloud.Host, function string) []string {
	f := topology.FunctionNamed(function)
	names := slices.Concat(f.Settings, []string{
		"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
		"AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_SQS", "AWS_ENDPOINT_URL_S3",
	})
	names = slices.AppendSeq(names, maps.Keys(f.Environment()))
	env := []string{topology.SettingFunction + "=" + function, topology.SettingVersion + "=test"}
	for _, name := range names {
		env = append(env, name+"="+host.Getenv(name))
	}
	return env
}
