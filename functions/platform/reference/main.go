// Command reference writes what the routes of the reference serve: the page and the same in
// Markdown, with every route, field, error and limit as package contract has them; llms.txt; the
// feed of the changelog; and the OpenAPI document of package openapi. It runs when the contract
// changes (make generate), so that the function itself serves finished bytes; a test fails while
// they differ.
//
// Texts that are not in the contract's data are in guides.md, the templates and package openapi.
// Samples of requests come from samples.json, which .tools/samples.mjs writes, and from the Go
// examples in examples_test.go.
//
// The arguments are the files to write; the argument "requests" prints the requests of the
// samples as HAR.
package main

import (
	"fmt"
	"os"

	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// files maps the name of each file beside the function to what writes it.
var files = map[string]func() ([]byte, error){
	"docs.html": renderPage, "docs.md": renderMarkdown, "llms.txt": renderIndex, "changes.atom": renderFeed,
	"openapi.json": openapi.JSON, "openapi.yaml": openapi.YAML,
}

func main() {
	for _, name := range os.Args[1:] {
		if err := writeFile(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func writeFile(name string) error {
	if name == "requests" {
		return printRequests(os.Stdout)
	}
	write, ok := files[name]
	if !ok {
		return fmt.Errorf("there is no file %q in the reference", name)
	}
	content, err := write()
	if err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o644)
}
