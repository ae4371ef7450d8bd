// Command recruiting calls the API from a terminal. It is one binary of its own:
//
//	go build ./local/api/recruiting
package main

import (
	"os"

	"github.com/recruiting-marketplace/external-api/local/api"
)

func main() { os.Exit(api.Run("recruiting", os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
