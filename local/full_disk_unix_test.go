//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A run of which a test limits the files gets an error where the limit is, as it does where a disk is full.
func init() { signal.Ignore(syscall.SIGXFSZ) }

// TestStartOnAFullDisk holds that a run that cannot write its state says so in one line that names DATA_DIR. Files of
// at most 1 MB stand for a disk with as much space.
func TestStartOnAFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a guard against hanging
	defer cancel()
	run := exec.CommandContext(ctx, "bash", "-c", `ulimit -f 1024 && exec "$0"`, os.Args[0])
	run.Env = append(os.Environ(), runVariable+"=1", "PORT=0", "DATA_DIR="+dir)
	out, err := run.CombinedOutput()
	if ctx.Err() != nil || err == nil {
		t.Fatalf("a run on a full disk ends with %v, %v: %s", err, ctx.Err(), out)
	}
	said := strings.TrimSpace(string(out))
	isOneLine := !strings.Contains(said, "\n") && len(said) < 400
	isNamed := strings.Contains(said, "DATA_DIR="+dir+" cannot be written (") && strings.Contains(said, "make run DATA_DIR=")
	if !isOneLine || !isNamed {
		t.Errorf("a run on a full disk says: %s", out)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}
