// Command reference writes what GET /docs serves: the page with every route,
// field, error and limit, as package contract has them, and the OpenAPI document
// of package openapi. It runs when the contract changes (make generate), so that
// the function itself serves finished bytes; a test fails while they differ.
//
// The texts that are not in the contract's data are in page.tmpl and in package
// openapi.
package main

import (
	"fmt"
	"os"

	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// files maps the name of each file beside the function to what writes it.
var files = map[string]func() ([]byte, error){
	"docs.html": renderPage, "openapi.json": openapi.JSON, "openapi.yaml": openapi.YAML,
}

func main() {
	for name, write := range files {
		content, err := write()
		if err == nil {
			err = os.WriteFile(name, content, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
