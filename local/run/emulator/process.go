package emulator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Process is one service.
type Process struct {
	// Endpoint is the service's base URL, as http://127.0.0.1:41234.
	Endpoint string

	stop func()        // nil for an external endpoint, and for a service that was not requested
	done chan struct{} // closed when the child has ended; nil without a child
	out  *output       // of the child
}

// stopGrace is how long a child may take to end after SIGTERM before it is killed.
const stopGrace = 3 * time.Second

// errEnded is wrapped by the error for a child that ended before it served requests.
var errEnded = errors.New("ended before it was ready")

// startChild starts the command and returns once it has printed its URL and answers a request for the list that target names.
func startChild(ctx context.Context, cmd *exec.Cmd, target string) (Process, error) {
	stdin, err := cmd.StdinPipe() // the child ends when it is closed, also by the death of this process
	if err != nil {
		return Process{}, fmt.Errorf("connect the child's input: %w", err)
	}
	out := &output{url: make(chan string, 1)}
	cmd.Stdout = out
	cmd.Stderr = out
	cmd.WaitDelay = stopGrace
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // keeps Ctrl-C from it: its services are needed during the stop
	if err := cmd.Start(); err != nil {
		return Process{}, fmt.Errorf("start the emulator: %w", err)
	}
	done := make(chan struct{})
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		defer close(done)
		_ = cmd.Wait() // the output has the reason
		cancel(errEnded)
	}()
	p := Process{done: done, out: out}
	p.stop = func() {
		_ = stdin.Close()
		if cmd.Process.Signal(syscall.SIGTERM) == nil {
			select {
			case <-done:
			case <-time.After(stopGrace):
			}
		}
		_ = cmd.Process.Kill()
		<-done
	}
	select {
	case p.Endpoint = <-out.url:
		err = waitForAnswer(ctx, p.Endpoint, target)
	case <-ctx.Done():
		err = fmt.Errorf("%s: %w: %s", cmd.Path, context.Cause(ctx), out.lastOutput())
	}
	if err != nil {
		p.stop()
		return Process{}, err
	}
	return p, nil
}

// output finds the URL that a child announces, and keeps the last lines that it prints for an error message.
type output struct {
	url chan string // receives the first URL printed

	mu    sync.Mutex
	found bool
	kept  []byte
}

const keptBytes = 2048

var loopback = regexp.MustCompile(`http://127\.0\.0\.1:\d+\s`)

// Write never returns an error.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = append(o.kept, p...)
	if url := loopback.Find(o.kept); url != nil && !o.found {
		o.found = true
		o.url <- string(bytes.TrimSpace(url))
	}
	if len(o.kept) > keptBytes {
		o.kept = append([]byte(nil), o.kept[len(o.kept)-keptBytes:]...)
	}
	return len(p), nil
}

func (o *output) lastOutput() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(bytes.TrimSpace(o.kept))
}

// waitForAnswer sends requests to a service until it answers one. The end of ctx ends also a request that is not answered.
func waitForAnswer(ctx context.Context, endpoint, target string) error {
	for {
		err := sendListRequest(ctx, endpoint, target)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w: %w", endpoint, context.Cause(ctx), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func sendListRequest(ctx context.Context, endpoint, target string) error {
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, endpoint+"/", strings.NewReader("{}")) // the endpoint is a URL
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", target)
	req.Header.Set("X-Amz-Date", "20260101T000000Z")
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/local/aws4_request, "+
		"SignedHeaders=host, Signature=00") // emulators require a signature header but verify none
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}
