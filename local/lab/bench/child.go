package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/recruiting-marketplace/external-api/local/run/envfile"
)

// child is the whole local system, as `make run` starts it, in a process of its own.
type child struct {
	dir string // of its state
	cmd *exec.Cmd
	// done is closed when the process has ended.
	done chan struct{}
}

// startTime bounds the start of the system, which includes loading the demo.
const startTime = 3 * time.Minute

// startChild starts the command `local` with its state in dir, on a free port, and returns once it
// serves. Its log is the file "log" in dir.
func (b *bench) startChild(program, dir string) (*child, error) {
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the process has its own
	c := &child{cmd: exec.Command(program), dir: dir, done: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), "PORT=0", "DATA_DIR="+dir)
	c.cmd.Stderr = log
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(c.done)
		_ = c.cmd.Wait() // the log has the reason
	}()
	if err := c.waitUntilReady(b.ctx); err != nil {
		_ = c.cmd.Process.Kill()
		<-c.done
		return nil, fmt.Errorf("%w; see %s", err, log.Name())
	}
	return c, nil
}

func (c *child) waitUntilReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		env, err := envfile.Read(filepath.Join(c.dir, "env"))
		if err == nil && len(env) > 0 {
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

// withChild runs work on a new system with its state in a temporary directory, which stays if the work fails.
func (b *bench) withChild(program string, work func(dir string) error) error {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	c, err := b.startChild(program, dir)
	if err != nil {
		return err
	}
	err = work(dir)
	_ = c.cmd.Process.Signal(os.Interrupt)
	<-c.done
	if err != nil {
		return fmt.Errorf("%w (state and log: %s)", err, dir)
	}
	return os.RemoveAll(dir)
}
