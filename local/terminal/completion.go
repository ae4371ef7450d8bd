package terminal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type completionCommand struct {
	Shell string   `arg:"" enum:"bash,zsh,fish,words" help:"bash, zsh or fish."`
	Words []string `arg:"" optional:"" passthrough:"" hidden:"" help:"What stands on the command line, for the scripts."`
}

// The scripts call the program again with the words of the command line, the last one unfinished.
const (
	bashScript = `_recruiting() {
  local IFS=$'\n'
  COMPREPLY=($(recruiting completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _recruiting recruiting
`
	zshScript = `#compdef recruiting
_recruiting() {
  local -a found
  found=("${(@f)$(recruiting completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -Q -a found; else _files; fi
}
compdef _recruiting recruiting
`
	fishScript = `function __recruiting_complete
  set -l words (commandline -opc) (commandline -ct)
  recruiting completion words -- $words[2..] 2>/dev/null
end
complete -c recruiting -a '(__recruiting_complete)'
`
)

// Run prints a script, or the words that can end a command line.
func (s completionCommand) Run(k *kong.Context) error {
	text := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[s.Shell]
	if s.Shell == "words" {
		words := s.Words
		if len(words) > 0 && words[0] == "--" {
			words = words[1:]
		}
		text = strings.Join(completeWords(k.Model.Node, words), "\n") + "\n"
	}
	_, err := fmt.Fprint(k.Stdout, text)
	return err
}

// completeWords returns what the last word can become: commands and flags of the command before it,
// or the values of an enumeration.
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
	if last > 0 {
		if values := flagValues(node, words[last-1]); values != nil {
			return withPrefix(values, words[last])
		}
	}
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			found = append(found, child.Name)
		}
	}
	for _, flags := range node.AllFlags(true) {
		for _, flag := range flags {
			found = append(found, "--"+flag.Name)
		}
	}
	return withPrefix(found, words[last])
}

// flagValues returns the values that a flag takes; nil if word is not a flag or takes any.
func flagValues(node *kong.Node, word string) []string {
	for _, flags := range node.AllFlags(true) {
		for _, flag := range flags {
			switch enum := contract.EnumByName(flag.Tag.Get("values")); {
			case "--"+flag.Name != word:
			case enum != nil:
				return enum.Values
			case flag.Enum != "":
				return flag.EnumSlice()
			}
		}
	}
	return nil
}

func withPrefix(all []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(word string) bool { return !strings.HasPrefix(word, prefix) })
}
