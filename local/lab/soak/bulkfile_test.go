package soak

import (
	"context"
	"io"
	"testing"
	"time"
)

// A command that ends before it can be killed is waited for no longer.
func TestCommandThatEndsByItself(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	r := &fileRun{o: Options{Out: io.Discard, Program: "go"}, system: &Child{}, dir: t.TempDir()} // go knows no command "api"
	if err := r.runUntil(ctx, 1); err == nil || ctx.Err() != nil {
		t.Errorf("got %v; want the error of the command, at once", err)
	}
}
