// Package datafile reads embedded tables of invented data. It knows no table.
package datafile

import (
	"embed"
	"encoding/json"
	"fmt"
)

// MustRead returns the table in an embedded JSON file. It panics if the file is missing or
// malformed, which no input can cause.
func MustRead[T any](files embed.FS, name string) (table T) {
	content, err := files.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(content, &table)
	}
	if err != nil {
		panic(fmt.Errorf("%s: %w", name, err))
	}
	return table
}
