// Command schemas writes the JSON Schemas of the feed's events, for those who build the marketplace app, beside itself.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/recruiting-marketplace/external-api/functions/feed"
)

func main() {
	for _, k := range feed.Kinds() {
		content, err := k.Schema()
		if err == nil {
			err = os.WriteFile(filepath.Join("schemas", k.Name+".json"), content, 0o644)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}
