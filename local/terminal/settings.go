package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

type call struct {
	settings Settings
	// out receives the results, messages everything else.
	out      io.Writer
	messages screen
	look     look
	in       io.Reader
}

// interruptible returns a context that Ctrl-C ends.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// Settings are the flags of all commands.
type Settings struct {
	BaseURL string           `name:"base-url" placeholder:"URL" help:"Address of the API, ending in /api/external/v1 (default: BASE_URL)."`
	Keys    string           `name:"keys" placeholder:"FILE" help:"File with lines BASE_URL=…, AGENCY_KEY=… and RECRUITER_KEY=…, of mode 600 (default: that of the local system, else recruiting/env in the user's configuration directory). The environment wins."`
	JSON    bool             `name:"json" help:"Print JSON, one object a line, instead of a table."`
	Version kong.VersionFlag `name:"version" help:"Print the version."`
}

// The variables of the environment and of the file.
const (
	baseURLVariable   = "BASE_URL"
	agencyVariable    = "AGENCY_KEY"
	recruiterVariable = "RECRUITER_KEY"
	memberVariable    = "MEMBER_EMAIL"
)

func (c *call) newClient(variable string, options ...client.Option) (*client.Client, error) {
	lookUp, err := c.readSettings()
	if err != nil {
		return nil, err
	}
	baseURL := lookUp(baseURLVariable)
	key := lookUp(variable)
	if baseURL == "" || key == "" {
		return nil, fmt.Errorf("%s and %s are needed: %s", baseURLVariable, variable, c.adviseSettings())
	}
	return client.New(baseURL, key, append([]client.Option{client.WithPacing()}, options...)...), nil
}

func (c *call) adviseSettings() string {
	return fmt.Sprintf("set them, or write them to a file of mode 600 that --keys names. Those of a system that make run has started "+
		"are in the file env of its DATA_DIR, which is looked for in %s; set DATA_DIR if it is another", envfile.DataDir())
}

// variables returns the value of a variable: that of the flag, the environment, or the file.
type variables func(name string) string

func (c *call) readSettings() (variables, error) {
	file, err := c.readKeyFile()
	if err != nil {
		return nil, err
	}
	return func(name string) string {
		if name == baseURLVariable && c.settings.BaseURL != "" {
			return c.settings.BaseURL
		}
		return cmp.Or(os.Getenv(name), file[name])
	}, nil
}

// readKeyFile reads the file that --keys names, or else the first default one that exists.
func (c *call) readKeyFile() (map[string]string, error) {
	if c.settings.Keys != "" {
		return readPrivate(c.settings.Keys)
	}
	names := []string{filepath.Join(envfile.DataDir(), "env")}
	if dir, err := os.UserConfigDir(); err == nil {
		names = append(names, filepath.Join(dir, "recruiting", "env"))
	}
	for _, name := range names {
		if file, err := readPrivate(name); !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, nil
}

// readPrivate reads a file with keys. It refuses one that others can read.
func readPrivate(name string) (map[string]string, error) {
	file, info, err := openRegular(os.OpenFile, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" { // Windows has other permissions
		return nil, fmt.Errorf("%s can be read by others, and holds keys; run: chmod 600 %s", name, name)
	}
	text, err := io.ReadAll(file)
	return envfile.Parse(string(text)), err
}

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
		err = fmt.Errorf("%s is not a regular file", name)
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
