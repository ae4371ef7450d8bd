package terminal

import (
	"embed"
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
	flags := slices.Concat(node.AllFlags(true)...)
	if last > 0 {
		if values := flagValues(flags, words[last-1]); values != nil {
			return withPrefix(values, words[last])
		}
	}
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			found = append(found, child.Name)
		}
	}
	for _, flag := range flags {
		found = append(found, "--"+flag.Name)
	}
	return withPrefix(found, words[last])
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

func withPrefix(all []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(word string) bool { return !strings.HasPrefix(word, prefix) })
}
