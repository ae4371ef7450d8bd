// Package envfile reads the files in which a running local system publishes its address, its
// keys and the names of its resources.
package envfile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// Read returns the values of a file as [Parse] does. A missing file counts as empty.
func Read(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return Parse(string(text)), nil
}

// Parse returns the values of lines of the form KEY=value or, as in a shell, export KEY=value.
func Parse(text string) map[string]string {
	env := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if name, value, ok := strings.Cut(line, "="); ok {
			env[name] = value
		}
	}
	return env
}

// DataDir returns the directory of a local system's state: the setting DATA_DIR, or .local.
func DataDir() string { return cmp.Or(os.Getenv("DATA_DIR"), ".local") }
