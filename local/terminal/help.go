package terminal

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"
)

// buildVersion is of which source the program is built.
type buildVersion struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Changed  bool   `json:"changed,omitempty"`
	Go       string `json:"go"`
}

func readVersion() buildVersion {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return buildVersion{Version: "unknown"}
	}
	v := buildVersion{Version: info.Main.Version, Go: info.GoVersion}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			v.Revision = setting.Value
		case "vcs.time":
			v.Time = setting.Value
		case "vcs.modified":
			v.Changed = setting.Value == "true"
		}
	}
	return v
}

// String returns the version in one line.
func (v buildVersion) String() string {
	text := v.Version
	if v.Revision != "" {
		text += fmt.Sprintf(", revision %.12s of %s", v.Revision, v.Time)
	}
	if v.Changed {
		text += " with changes"
	}
	return text + ", " + v.Go
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(c *call, k *kong.Context) error {
	if c.settings.JSON {
		return printOne(c, readVersion())
	}
	_, err := fmt.Fprintf(c.out, "%s %s\n", k.Model.Name, readVersion())
	return err
}

// versionFlag prints the version and ends the program.
type versionFlag bool

// BeforeReset prints the version. Kong calls it if the flag is given.
func (versionFlag) BeforeReset(k *kong.Context) error {
	_, _ = fmt.Fprintf(k.Stdout, "%s %s\n", k.Model.Name, readVersion())
	k.Exit(0)
	return nil
}

type helpCommand struct {
	Words []string `arg:"" optional:"" name:"command" help:"The command."`
}

// Run prints the help of a command.
func (h helpCommand) Run(k *kong.Context) error {
	_, err := k.Kong.Parse(append(h.Words, "--help")) // kong ends the program when it has printed the help
	return err
}

// examples are command lines without the program's name, by command.
var examples = map[string][]string{
	"status":          {"status"},
	"resumes upload":  {"resumes upload cv.pdf"},
	"fast-track show": {"fast-track show cu_1"},
	"fast-track set":  {"fast-track set cu_1 on"},
	"logs":            {"logs --follow"},
	"members":         {"members"},
	"mcp":             {"mcp", "mcp --write --allow . --keys keys.env"},
	"identity":        {"identity", "identity --as recruiter --json"},
	"submit": {
		`submit cv.pdf --name "Ada Example" --email ada@example.com --linkedin https://www.linkedin.com/in/ada-example --locations Europe ` +
			`--workplace-types Remote --salary-min 90000 --funding-rounds "Series A" --visa HAS_VISA_AUTHORIZATION`,
		`submit - --reference row-1 --name "Ada Example" --email ada@example.com --linkedin https://www.linkedin.com/in/ada-example ` +
			`--locations Europe --workplace-types Remote --salary-min 90000 --funding-rounds Seed --visa HAS_VISA_AUTHORIZATION < cv.pdf`,
	},
	"bulk": {
		"bulk people.csv --resumes cvs --on-market --dry-run",
		"bulk people.csv --resumes cvs --on-market --map name='Full name' --set visaAuthorization=HAS_VISA_AUTHORIZATION",
	},
	"batches":          {"batches --max 10", "batches --since 24h --reference row-1"},
	"batch show":       {"batch show 0f8b1f36-6a2c-4f3c-9d70-3f4b4cf2c9a1"},
	"batch watch":      {"batch watch 0f8b1f36-6a2c-4f3c-9d70-3f4b4cf2c9a1"},
	"changes list":     {"changes list --type submission.failed"},
	"changes follow":   {"changes follow --json"},
	"candidates":       {"candidates --status on_market --max 0"},
	"lookup":           {"lookup ada@example.com https://www.linkedin.com/in/ada-example"},
	"preferences show": {"preferences show cu_1"},
	"preferences set": {
		"preferences set cu_1 --locations UK --workplace-types Remote --salary-min 90000 --funding-rounds Seed --visa HAS_VISA_AUTHORIZATION",
	},
	"preferences bulk": {"preferences bulk ada@example.com bea@example.com"},
	"off-market":       {"off-market ada@example.com"},
	"re-enable":        {"re-enable ada@example.com"},
	"roles search":     {`roles search "backend engineer" --location uk`, "roles search designer --as recruiter"},
	"roles show":       {"roles show role-1 --member ingrid@example.com"},
	"enumerations":     {"enumerations", "enumerations locations"},
	"completion":       {"completion bash"},
	"version":          {"version"},
	"help":             {"help", "help batch watch"},
}

// describeExamples returns examples as kong's help has them.
func describeExamples(name string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "Examples:\n\n  " + name + " " + strings.Join(lines, "\n  "+name+" ")
}
