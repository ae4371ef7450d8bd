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
	"fmt"
	"os"

	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// files maps the name of each file beside the function to its renderer.
var files = map[string]func() ([]byte, error){
	"docs.md": renderMarkdown, "llms.txt": renderIndex, "changes.atom": renderFeed,
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
	if name == "pages" {
		return writePages()
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

// writePages replaces the files of the directory pages.
func writePages() error {
	all, err := renderPages()
	if err != nil {
		return err
	}
	if err := os.RemoveAll("pages"); err != nil {
		return err
	}
	if err := os.Mkdir("pages", 0o755); err != nil {
		return err
	}
	for name, content := range all {
		packed, err := compressFile(content)
		if err != nil {
			return err
		}
		if err := os.WriteFile("pages/"+name+".gz", packed, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func compressFile(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}
