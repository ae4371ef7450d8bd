package terminal

import (
	_ "embed"
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
	of := map[string]string{}
	for _, setting := range info.Settings {
		of[setting.Key] = setting.Value
	}
	return buildVersion{info.Main.Version, of["vcs.revision"], of["vcs.time"], of["vcs.modified"] == "true", info.GoVersion}
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
func (versionCommand) Run(c *call, vars kong.Vars) error {
	return printNow(c, readVersion(), vars["version"])
}

type helpCommand struct {
	Words []string `arg:"" optional:"" name:"command" help:"The command."`
}

// Run prints the help of a command.
func (h helpCommand) Run(k *kong.Context) error {
	_, err := k.Kong.Parse(append(h.Words, "--help")) // kong ends the program when it has printed the help
	return err
}

// examples has a command line on each line, without the program's name.
//
//go:embed examples.txt
var examples string

func listExamples(command string) (lines []string) {
	for line := range strings.Lines(examples) {
		if strings.HasPrefix(strings.TrimSpace(line)+" ", command+" ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
