package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/recruiting-marketplace/external-api/local/console"
	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

const demoRoles = 240

type serve struct{}

// Run starts everything, prints how to use it and waits for Ctrl-C, or for the end of an
// emulator, without which nothing works; a second Ctrl-C kills the process. An interrupted start is not an error, even
// if calls failed with it.
func (serve) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, func() {
		fmt.Fprintln(os.Stderr, "\nstopping")
		stop()
	})()
	if err := runSystem(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

func runSystem(ctx context.Context) error {
	listener, err := listenOn(port())
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // again, if the system has closed it
	dir, err := openDir(envfile.DataDir())
	if err != nil {
		return err
	}
	if err := checkEarlierRun(ctx, dir, listener.Addr()); err != nil {
		return err
	}
	emulators, err := emulator.Start(ctx, dir) // with its lock, nobody else uses the directory
	if err != nil {
		return err
	}
	defer emulators.Stop()
	if err := hideEnvFile(dir); err != nil {
		return err
	}
	file, err := openLogFile(dir)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	var level slog.LevelVar
	recorder := console.NewRecorder()
	go recorder.Run(ctx)
	log := slog.New(slog.NewMultiHandler(newLog(os.Stderr, &level).Handler(), slog.NewJSONHandler(file, nil), recorder))
	withConsole := func(h cloud.Host, at net.Addr, api http.Handler) (http.Handler, error) {
		return console.New(ctx, console.Config{
			Host: h, Addr: at, API: api, Recorder: recorder, EnvFile: filepath.Join(dir, "env"),
		})
	}
	s, err := system.Start(ctx, system.Options{Emulators: emulators, Listener: listener, Getenv: os.Getenv, Log: log, WrapAPI: withConsole})
	if err != nil {
		return fmt.Errorf("start the system: %w", err)
	}
	defer s.Stop()
	if err := s.LoadRoles(ctx, demoRoles); err != nil {
		return fmt.Errorf("load the roles: %w", err)
	}
	level.Set(slog.LevelWarn) // the next requests are this program's own
	keys, err := ensureStartupKeys(ctx, s, dir)
	if err != nil {
		return fmt.Errorf("make the keys of the start: %w", err)
	}
	if err := keys.offerToContainers(ctx, s, log); err != nil {
		return err
	}
	if err := keys.writeFiles(s, dir); err != nil {
		return err
	}
	fmt.Print(welcomeText(s.BaseURL, keys, dir))
	level.Set(slog.LevelInfo)
	ended := emulators.Wait(ctx)
	if ended != nil {
		ended = fmt.Errorf("%w\nthe data stays in %s; the same command starts it again", ended, dir)
	}
	return errors.Join(ended, hideEnvFile(dir))
}

// firstStart is how much the first start with demo data writes, with a margin.
const firstStart = 8 << 20

// openDir creates the directory, checks that the disk has space for a first start, and returns the absolute path.
func openDir(name string) (string, error) {
	dir, err := filepath.Abs(name)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		probe := filepath.Join(dir, "writable")
		err = os.WriteFile(probe, make([]byte, firstStart), 0o600)
		_ = os.Remove(probe)
	}
	if err != nil {
		return "", fmt.Errorf("DATA_DIR=%s cannot be written (%w); choose another one, for example: make run DATA_DIR=/tmp/api", name, err)
	}
	return dir, nil
}

// openLogFile begins the log of a run, "log", and keeps that of the run before as "log.last".
func openLogFile(dir string) (*os.File, error) {
	current := filepath.Join(dir, "log")
	if err := os.Rename(current, current+".last"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(current, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
}

func listenOn(port string) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	var invalid *net.AddrError
	var unknown *net.DNSError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("port %s is taken, perhaps by another run; choose another one, for example: make run PORT=8081", port)
	case errors.As(err, &invalid), errors.As(err, &unknown):
		return nil, fmt.Errorf("PORT=%s is not a port number (at most 65535); for example: make run PORT=8081", port)
	case err != nil:
		return nil, fmt.Errorf("PORT=%s cannot be listened on: %w", port, errors.Unwrap(err))
	}
	return listener, nil
}

func welcomeText(baseURL string, keys startupKeys, dir string) string {
	place := cmp.Or(os.Getenv(emulator.LocalStackVariable), dir)
	return fmt.Sprintf(`
Recruiting Marketplace External API

  console        %[6]s/
  base URL       %[1]s
  reference      %[1]s/docs
  agency key     %[2]s
  recruiter key  %[3]s
  for scripts    . %[4]s

  try            curl -s -H "Authorization: Bearer %[2]s" %[1]s/identity

Ctrl-C stops it; its data stays in %[5]s.

`, baseURL, keys.agency, keys.recruiter, quoteForShell(filepath.Join(dir, "env")), place, strings.TrimSuffix(baseURL, contract.BasePath))
}

var plainPath = regexp.MustCompile(`^[\w/.~+-]+$`)

func quoteForShell(path string) string {
	if plainPath.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func newLog(to *os.File, level slog.Leveler) *slog.Logger {
	info, err := to.Stat()
	if err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return slog.New(&terminalLog{to: to, level: level, colour: wantsColour(os.Getenv)})
	}
	return slog.New(slog.NewJSONHandler(to, &slog.HandlerOptions{Level: level}))
}

func wantsColour(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// terminalLog writes the log for a person. The file in the data directory has the ids and the stacks too.
type terminalLog struct {
	to     io.Writer
	level  slog.Leveler
	colour bool
	lines  sync.Mutex // held while a line is written
}

// Enabled implements slog.Handler.
func (l *terminalLog) Enabled(_ context.Context, level slog.Level) bool {
	return level >= l.level.Level()
}

// WithAttrs implements slog.Handler. No logger of this system has attributes of its own.
func (l *terminalLog) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler, as WithAttrs.
func (l *terminalLog) WithGroup(string) slog.Handler { return l }

// Handle implements slog.Handler. Of a request the line begins with its status, and a failed one has its id, by which its line is
// found in the file.
func (l *terminalLog) Handle(_ context.Context, r slog.Record) error {
	fields := map[string]string{}
	rest := ""
	r.Attrs(func(a slog.Attr) bool {
		value, _, _ := strings.Cut(a.Value.String(), "\n") // errors end with their stack
		if value == "" || value == "<nil>" {
			return true
		}
		fields[a.Key] = value
		if !hiddenFields[a.Key] {
			rest += formatField(a.Key, value)
		}
		return true
	})
	text := warnings[r.Level] + r.Message + rest
	colour := colours[r.Level]
	if fields["method"] != "" && fields["status"] != "" {
		if id := fields["request_id"]; r.Level >= slog.LevelError && id != "" {
			rest += formatField("request_id", id)
		}
		text = fmt.Sprintf("%s %s %s %s ms%s", fields["status"], fields["method"], cmp.Or(fields["route"], "(no route)"), fields["ms"], rest)
		if fields["status"] >= "400" {
			colour = cmp.Or(colour, colours[slog.LevelWarn])
		}
	}
	if l.colour && colour != "" {
		text = colour + text + "\x1b[0m"
	}
	l.lines.Lock()
	defer l.lines.Unlock()
	_, err := fmt.Fprintln(l.to, r.Time.Format(time.TimeOnly), text)
	return err
}

// How lines of failures and warnings begin, and their colours. A refused request has that of a warning.
var (
	warnings = map[slog.Level]string{slog.LevelError: "error: ", slog.LevelWarn: "warning: "}
	colours  = map[slog.Level]string{slog.LevelError: "\x1b[31m", slog.LevelWarn: "\x1b[33m"}
)

// hiddenFields are in the file of the log alone, and those of a request are at the start of its line.
var hiddenFields = map[string]bool{"trace_id": true, "version": true, "key_id": true, "stack": true, "operation": true, "path_length": true,
	"request_id": true, "method": true, "status": true, "ms": true, "route": true}

func formatField(name, value string) string {
	if quoted := strconv.Quote(value); quoted != `"`+value+`"` || strings.Contains(value, " ") {
		value = quoted
	}
	return " " + name + "=" + value
}
