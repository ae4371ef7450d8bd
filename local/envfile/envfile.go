// Package envfile reads the files in which a running local system publishes its address, its
// keys and the names of its resources.
package envfile

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// Read returns the values of a file with lines of the form KEY=value. A missing file counts as
// empty.
func Read(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	env := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			env[name] = value
		}
	}
	return env, nil
}
