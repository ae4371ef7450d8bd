// Command reference writes what the routes of the reference serve: the pages and the same in
// Markdown, with every route, field, error and limit as package contract has them; llms.txt; the
// feed of the changelog; and the OpenAPI document of package openapi. It runs when the contract
// changes (make generate), so that the function itself serves finished bytes; a test fails while
// they differ.
//
// Texts that are not in the contract's data are in guides.md, the templates and package openapi.
// Samples of requests come from samples.json, which .tools/samples.mjs writes, and from the Go
// examples in examples_test.go.
//
// The arguments are the files to write, and "pages" for those of the directory pages, in gzip; the
// argument "requests" prints the requests of the samples as HAR.
package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"text/template"

	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// files maps the name of each file beside the function to its renderer.
var files = map[string]func() []byte{
	"docs.md": func() []byte {
		return renderText("# Recruiting Marketplace External API\n\n" + guidesText + endpointsTemplate)
	},
	"llms.txt":     func() []byte { return renderText(indexTemplate) },
	"changes.atom": func() []byte { return renderText(feedTemplate) },
	"openapi.json": func() []byte { return must(openapi.JSON()) },
	"openapi.yaml": func() []byte { return must(openapi.YAML()) },
}

func main() {
	for _, name := range os.Args[1:] {
		if err := writeFile(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// must returns the value. It panics on an error: all that is rendered is embedded or in the contract.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func writeFile(name string) error {
	render, ok := files[name]
	switch {
	case name == "requests":
		return json.NewEncoder(os.Stdout).Encode(sampleRequests())
	case name == "pages":
		return writePages()
	case !ok:
		return fmt.Errorf("there is no file %q in the reference", name)
	}
	return os.WriteFile(name, render(), 0o644)
}

func writePages() error {
	all := renderPages()
	if err := os.RemoveAll("pages"); err != nil {
		return fmt.Errorf("clear the pages: %w", err)
	}
	if err := os.Mkdir("pages", 0o755); err != nil {
		return err
	}
	for name, content := range all {
		if err := os.WriteFile("pages/"+name+".gz", compressFile(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func compressFile(content []byte) []byte {
	var out bytes.Buffer
	w := must(gzip.NewWriterLevel(&out, gzip.BestCompression))
	must(w.Write(content))
	_ = w.Close() // into memory, which does not fail
	return out.Bytes()
}

var (
	//go:embed endpoints.md
	endpointsTemplate string
	//go:embed llms.txt
	indexTemplate string
	//go:embed changes.atom
	feedTemplate string
)

// notInAnchors is what anchors of values do not have.
var notInAnchors = regexp.MustCompile(`[^A-Za-z0-9_.]+`)

// valueAnchor returns the anchor of a value of an enumeration.
func valueAnchor(enum, value string) string {
	sign := map[byte]string{'<': "under-", '>': "over-"}[value[0]]
	return enum + "-" + sign + strings.Trim(notInAnchors.ReplaceAllString(value, "-"), "-")
}

func renderText(text string) []byte {
	functions := template.FuncMap{"join": openapi.JoinScopes, "flat": flattenFields}
	shown := template.Must(template.New("text").Funcs(functions).Parse(text))
	var out bytes.Buffer
	if err := shown.Execute(&out, readContents()); err != nil {
		panic(err)
	}
	return out.Bytes()
}
