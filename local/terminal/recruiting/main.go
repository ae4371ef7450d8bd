// Command recruiting calls the API from a terminal. It is one binary of its own:
//
//	go build ./local/terminal/recruiting
package main

import (
	"os"

	"github.com/recruiting-marketplace/external-api/local/terminal"
)

func main() { os.Exit(terminal.Run("recruiting", os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
