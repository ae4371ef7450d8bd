package terminal

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// call is one run of a command.
type call struct {
	settings Settings
	// out receives the results, messages everything else.
	out      io.Writer
	messages screen
	getenv   func(string) string
	look     look
	in       io.Reader
}

// interruptible returns a context that Ctrl-C ends.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}
