// Command reference writes the reference page that GET /docs serves: every
// route, field, error and limit, as package contract has them. It runs when the
// contract changes (make generate), so that the function itself serves finished
// bytes; a test fails while page and contract differ.
//
// What the contract's data does not say — meanings, advice, examples — stands
// in page.tmpl and in the tables of this package.
package main

import (
	"fmt"
	"os"
)

func main() {
	page, err := render()
	if err == nil {
		err = os.WriteFile("docs.html", page, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
