package main

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed samples.json
var samplesJSON []byte

//go:embed examples_test.go
var goExamples string

// sample is a request in a language.
type sample struct {
	// Language is its name for people, Lexer the highlighter's.
	Language, Lexer, Code string
}

func readSamples() map[string][]sample {
	var written map[string]struct{ Curl, Python, TypeScript string }
	if err := json.Unmarshal(samplesJSON, &written); err != nil {
		panic(err)
	}
	examples := readGoExamples()
	all := map[string][]sample{}
	for operation, s := range written {
		all[operation] = append(all[operation], sample{"curl", "bash", s.Curl})
		if code := examples[operation]; code != "" {
			all[operation] = append(all[operation], sample{"Go", "go", code})
		}
		all[operation] = append(all[operation], sample{"Python", "python", s.Python}, sample{"TypeScript", "typescript", s.TypeScript})
	}
	return all
}

// readGoExamples returns the bodies of the functions Example_<operation>, without their output.
func readGoExamples() map[string]string {
	all := map[string]string{}
	for _, declared := range strings.Split(goExamples, "\nfunc Example_")[1:] {
		operation, body, _ := strings.Cut(declared, "() {\n")
		body, _, _ = strings.Cut(body, "\n}\n")
		body, _, _ = strings.Cut(body, "\t// Output:")
		all[operation] = strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(body, "\n\t", "\n")), "\t", "  ")
	}
	return all
}
