// Command schemas writes the JSON Schema of every event of the feed, one file a
// kind, beside itself: what the marketplace app is built against.
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
