package terminal

import (
	"embed"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

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

type completionCommand struct {
	Shell string   `arg:"" enum:"bash,zsh,fish,words" help:"bash, zsh or fish."`
	Words []string `arg:"" optional:"" passthrough:"" hidden:"" help:"Words on the command line, for completion scripts."`
}

// scripts call the program again with the words of the command line, the last one unfinished.
//
//go:embed completion
var scripts embed.FS

// Run prints a script, or the words that can end a command line.
func (s completionCommand) Run(k *kong.Context) error {
	if s.Shell == "words" {
		words := s.Words
		if len(words) > 0 && words[0] == "--" {
			words = words[1:]
		}
		_, err := fmt.Fprintln(k.Stdout, strings.Join(completeWords(k.Model.Node, words), "\n"))
		return err
	}
	text, err := scripts.ReadFile("completion/" + s.Shell)
	if err != nil {
		return err
	}
	_, err = k.Stdout.Write(text)
	return err
}

// completeWords returns what the last word can become: commands and flags, or the values of an enumeration.
func completeWords(node *kong.Node, words []string) (found []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	for _, word := range words[:last] {
		for _, child := range node.Children {
			if child.Name == word {
				node = child
			}
		}
	}
	flags := slices.Concat(node.AllFlags(true)...)
	if last > 0 {
		found = slices.Clone(flagValues(flags, words[last-1]))
	}
	if found == nil {
		for _, child := range node.Children {
			if child.Type == kong.CommandNode && !child.Hidden {
				found = append(found, child.Name)
			}
		}
		for _, flag := range flags {
			found = append(found, "--"+flag.Name)
		}
	}
	return slices.DeleteFunc(found, func(word string) bool { return !strings.HasPrefix(word, words[last]) })
}

// flagValues returns the values that a flag takes; nil if word is not a flag or takes any.
func flagValues(flags []*kong.Flag, word string) []string {
	for _, flag := range flags {
		switch enum := contract.EnumByName(flag.Tag.Get("values")); {
		case "--"+flag.Name != word:
		case enum != nil:
			return enum.Values
		case flag.Enum != "":
			return flag.EnumSlice()
		}
	}
	return nil
}
