package emulator

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// Process is one service at its endpoint. Stop is safe to call more than once and from any goroutine.
type Process struct {
	// Endpoint is the service's base URL, as http://127.0.0.1:41234.
	Endpoint string

	stop func()        // nil for an external endpoint
	done chan struct{} // closed when the child has ended; nil without a child
	out  *output       // of the child
}

// Stop ends the service and waits until it has ended. It does nothing to an external endpoint.
func (p *Process) Stop() {
	if p.stop != nil {
		p.stop()
	}
}

// Done returns a channel that is closed when the service's child process has ended, by Stop or by itself. It is nil,
// and so never ready, for a service without a child and for one that was not requested.
func (p *Process) Done() <-chan struct{} {
	if p == nil {
		return nil
	}
	return p.done
}

// stopGrace is how long a child may take to end after SIGTERM before it is killed.
const stopGrace = 3 * time.Second

// errEnded is wrapped by the error for a child that ended before it served requests.
var errEnded = errors.New("ended before it was ready")

// startChild starts the command and returns once it has printed its URL and ready has accepted that URL.
func startChild(ctx context.Context, cmd *exec.Cmd, out *output, ready func(context.Context, string) error) (*Process, error) {
	stdin, err := cmd.StdinPipe() // the child ends when it is closed, also by the death of this process
	if err != nil {
		return nil, err
	}
	cmd.Stdout = out
	cmd.Stderr = out
	cmd.WaitDelay = stopGrace
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // keeps Ctrl-C from it: its services are needed during the stop
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = cmd.Wait() // the output has the reason
	}()
	p := &Process{done: done, out: out}
	p.stop = func() {
		_ = stdin.Close()
		stopChild(cmd, done)
	}
	p.Endpoint, err = waitForURL(ctx, cmd, out, done)
	if err == nil {
		err = ready(withChildLifetime(ctx, done), p.Endpoint)
	}
	if err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// withChildLifetime returns a context that is cancelled with errEnded when the child has ended.
func withChildLifetime(ctx context.Context, done <-chan struct{}) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		<-done
		cancel(errEnded)
	}()
	return ctx
}

func waitForURL(ctx context.Context, cmd *exec.Cmd, out *output, done <-chan struct{}) (string, error) {
	select {
	case url := <-out.url:
		return url, nil
	case <-done:
		return "", fmt.Errorf("%s %w: %s", cmd.Path, errEnded, out.lastOutput())
	case <-ctx.Done():
		return "", fmt.Errorf("%s: %w: %s", cmd.Path, ctx.Err(), out.lastOutput())
	}
}

// stopChild asks the child to end, and kills it if it does not within stopGrace.
func stopChild(cmd *exec.Cmd, done <-chan struct{}) {
	if cmd.Process.Signal(syscall.SIGTERM) == nil {
		select {
		case <-done:
			return
		case <-time.After(stopGrace):
		}
	}
	_ = cmd.Process.Kill()
	<-done
}
