// Command recruiting calls the API from a terminal. It is one binary of its own:
//
//	go build ./local/api/recruiting
package main

import (
	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/local/api"
)

func main() {
	ctx := kong.Parse(&api.Commands{}, kong.Name("recruiting"), kong.Description(api.Description))
	ctx.FatalIfErrorf(ctx.Run())
}
