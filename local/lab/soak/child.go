package soak

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Child is the whole local system, as `make run` starts it, in a process of its own.
type Child struct {
	// Dir is where the system has its state.
	Dir string

	cmd *exec.Cmd
	// done is closed when the process has ended.
	done chan struct{}
	// env holds the process's address and keys once it is ready.
	env map[string]string
}

// startTime bounds the start of the system, which includes loading the demo.
const startTime = 3 * time.Minute

// startChild starts the system with its state in dir, on a free port, and returns once it
// serves. Its log is the file "log" in dir.
func startChild(ctx context.Context, o Options, dir string) (*Child, error) {
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the process has its own
	c := &Child{cmd: exec.Command(o.Program), Dir: dir, done: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), "PORT=0", "DATA_DIR="+dir)
	c.cmd.Stderr = log
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(c.done)
		_ = c.cmd.Wait() // the log has the reason
	}()
	if err := c.waitUntilReady(ctx); err != nil {
		c.kill()
		return nil, fmt.Errorf("%w; see %s", err, log.Name())
	}
	return c, nil
}

func (c *Child) waitUntilReady(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		c.env, err = envfile.Read(filepath.Join(c.Dir, "env"))
		if err == nil && len(c.env) > 0 {
			return nil
		}
		select {
		case <-c.done:
			return errors.New("the system ended while starting")
		case <-ctx.Done():
			return errors.Join(errors.New("the system did not start in time"), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// kill ends the process and its emulators without notice, as a power cut would.
func (c *Child) kill() {
	_ = c.cmd.Process.Kill()
	<-c.done
}

// stop interrupts the process and waits until it has shut down.
func (c *Child) stop() {
	_ = c.cmd.Process.Signal(os.Interrupt)
	<-c.done
}

// host returns a host on the system's emulators.
func (c *Child) host() (cloud.Host, error) {
	env, err := envfile.Read(filepath.Join(c.Dir, "aws"))
	if err != nil {
		return cloud.Host{}, err
	}
	env[topology.SettingKeyEnvironments] = "test" // of the keys that CreateKeys creates
	return cloud.NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler)), nil
}

// createKeys creates eight keys for an agency of the demo, each with a rate of its own.
func (c *Child) createKeys(ctx context.Context, agency, owner string) ([]string, error) {
	host, err := c.host()
	if err != nil {
		return nil, err
	}
	return CreateKeys(ctx, host, agency, owner, 8)
}

// client returns a client that sends each request once.
func (c *Child) client(key string, options ...client.Option) *client.Client {
	return client.New(c.env["BASE_URL"], key, append([]client.Option{client.WithAttempts(1)}, options...)...)
}

// WithChild runs work on a new system with its state in a temporary directory. The directory is
// kept if the work fails.
func WithChild(ctx context.Context, o Options, work func(*Child) error) error {
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	c, err := startChild(ctx, o, dir)
	if err != nil {
		return err
	}
	err = work(c)
	c.stop()
	if err != nil {
		return fmt.Errorf("%w (state and log: %s)", err, dir)
	}
	return os.RemoveAll(dir)
}
