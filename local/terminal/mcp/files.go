package mcp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// directories are those with files that may be sent. Links and ".." do not lead out of an [os.Root].
type directories []*os.Root

// read returns the content of a file, by its full path or by one that begins in a directory. The error is the same for a file that does
// not exist and one that must not be read, so that it says nothing of files elsewhere.
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
	names := d.names()
	if len(names) == 0 {
		return nil, errors.New("there is no file in a directory that the user has allowed (--allow)")
	}
	const text = "there is no such file in a directory that the user has allowed (--allow). Files there: %s"
	return nil, fmt.Errorf(text, strings.Join(names, ", "))
}

func readRegular(file *os.File) ([]byte, error) {
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is no regular file")
	case info.Size() > contract.MaxFileBytes:
		return nil, fmt.Errorf("the file has more than %d bytes", contract.MaxFileBytes)
	}
	return io.ReadAll(io.LimitReader(file, contract.MaxFileBytes))
}

// fillContent replaces the path in an object by the content of the file and, where none is given, its
// name.
func (d directories) fillContent(at, field string, object map[string]any) error {
	path, ok := object[pathArgument].(string)
	if !ok || path == "" {
		return fmt.Errorf("%s%s: is required, as a string", at, pathArgument)
	}
	content, err := d.read(path)
	if err != nil {
		return fmt.Errorf("%s%s: %w", at, pathArgument, err)
	}
	if _, ok := object["fileName"]; !ok {
		object["fileName"] = filepath.Base(path)
	}
	delete(object, pathArgument)
	object[field] = content // base64, as any []byte
	return nil
}

const maxNames = 50

// names returns the paths of the first files in the directories. Hidden ones are left out.
func (d directories) names() (all []string) {
	for _, root := range d {
		_ = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
			switch {
			case len(all) == maxNames:
				return fs.SkipAll
			case err != nil || path == ".":
				return nil // a directory that cannot be read has no files to name
			case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
				return fs.SkipDir
			case entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), "."):
				all = append(all, path)
			}
			return nil
		})
	}
	return all
}

func (d directories) describePath() string {
	if len(d) == 0 {
		return "Path of the file. The user has to allow its directory first (--allow)."
	}
	var names []string
	for _, root := range d {
		names = append(names, root.Name())
	}
	const text = "Path of a file in %s: in full, or from that directory. The answer to a wrong path names the files."
	return fmt.Sprintf(text, strings.Join(names, " or "))
}
