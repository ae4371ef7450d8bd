package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// maxFile is the size of a file whose base64 fills the largest body that the API takes.
const maxFile = 9 << 20

// errNotAllowed is the same for a file that does not exist and one that must not be read, so that it
// says nothing of files elsewhere.
var errNotAllowed = errors.New("path: there is no such file in a directory that the user has allowed (--allow)")

// directories are those whose files may be sent. Links and ".." do not lead out of an [os.Root].
type directories []*os.Root

func openDirectories(paths []string) (directories, error) {
	var all directories
	for _, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(absolute)
		if err != nil {
			return nil, fmt.Errorf("--allow: %w", err)
		}
		all = append(all, root)
	}
	return all, nil
}

// read returns the content of a file, by its full path or by one that begins in a directory.
func (d directories) read(path string) ([]byte, error) {
	for _, root := range d {
		name := path
		if filepath.IsAbs(path) {
			relative, err := filepath.Rel(root.Name(), path)
			if err != nil {
				continue
			}
			name = relative
		}
		// Without O_NONBLOCK, opening a pipe waits for a program that writes to it.
		file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			return readRegular(file)
		}
	}
	return nil, errNotAllowed
}

func readRegular(file *os.File) ([]byte, error) {
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("path: is no regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("path: the file has more than %d MB", maxFile>>20)
	}
	return io.ReadAll(io.LimitReader(file, maxFile))
}

// fill replaces the paths in arguments by the contents of the files and, where none is given, their
// names.
func (d directories) fill(s *contract.Schema, arguments map[string]json.RawMessage) error {
	for _, f := range s.Fields {
		if isContent(f) {
			if err := d.fillContent(f.Name, arguments); err != nil {
				return err
			}
		}
		sent, ok := arguments[f.Name]
		if !ok || f.Schema.Kind != contract.KindObject {
			continue
		}
		object := map[string]json.RawMessage{}
		if err := json.Unmarshal(sent, &object); err != nil || object == nil {
			continue // the input type says what is wrong
		}
		if err := d.fill(f.Schema, object); err != nil {
			return err
		}
		arguments[f.Name] = encode(object)
	}
	return nil
}

func (d directories) fillContent(field string, arguments map[string]json.RawMessage) error {
	var path string
	if err := json.Unmarshal(arguments[pathArgument], &path); err != nil || path == "" {
		return errors.New("path: is required")
	}
	content, err := d.read(path)
	if err != nil {
		return err
	}
	if _, ok := arguments["fileName"]; !ok {
		arguments["fileName"] = encode(filepath.Base(path))
	}
	delete(arguments, pathArgument)
	arguments[field] = encode(content) // base64, as any []byte
	return nil
}

// encode returns the JSON of a value that always has one.
func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic("mcp: " + err.Error())
	}
	return text
}
