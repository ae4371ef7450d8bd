package terminal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// opener is os.OpenFile, or OpenFile of a directory that is not to be left.
type opener func(name string, flag int, mode fs.FileMode) (*os.File, error)

// openRegular opens a file for reading. It fails at once for a pipe, which would wait for a program that writes to it.
func openRegular(open opener, name string) (*os.File, fs.FileInfo, error) {
	file, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", name)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

func readRegular(open opener, name string) ([]byte, error) {
	file, _, err := openRegular(open, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(file)
}

// isSameFile reports whether two names are, or would be, those of one file.
func isSameFile(name, other string) bool {
	one, err := os.Stat(name)
	two, otherErr := os.Stat(other)
	if err == nil && otherErr == nil {
		return os.SameFile(one, two)
	}
	path, err := filepath.Abs(name)
	otherPath, otherErr := filepath.Abs(other)
	return err == nil && otherErr == nil && path == otherPath
}

// replaceFile writes a file of mode 600 and gives it the name of the one that is there. It writes through
// no link: the name of a result can be guessed, and another user may have made a link of that name.
func replaceFile(name string, content []byte) error {
	temporary := name + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}
