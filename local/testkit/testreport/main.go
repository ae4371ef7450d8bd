// Command testreport prints what `go test -json` writes to its standard input, as go test does without -json, with three differences
// (.ci/test): a package is reported when it ends, not in the order of the command line; every twenty seconds a line says how many packages
// and tests have ended and which packages run; and the last lines name what failed, and count.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	packages := flag.Int("packages", 0, "number of packages that are tested")
	flag.Parse()
	// Ctrl-C ends go test, and with it the input: what was reported until then is still summed up.
	signal.Ignore(os.Interrupt)
	ticks := time.NewTicker(20 * time.Second)
	defer ticks.Stop()
	begun := time.Now()
	r := newReport(os.Stdout, *packages)
	if err := r.follow(os.Stdin, ticks.C, func() time.Duration { return time.Since(begun) }); err != nil {
		fmt.Fprintf(os.Stderr, "reading the events of go test: %v\n", err)
		os.Exit(1)
	}
}

// follow reports the lines of in until it ends, and the progress at every tick.
func (r *report) follow(in io.Reader, ticks <-chan time.Time, elapsed func() time.Duration) error {
	lines := make(chan []byte)
	failed := make(chan error, 1)
	go func() {
		failed <- readLines(in, lines)
		close(lines)
	}()
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				r.printSummary(elapsed())
				return <-failed
			}
			r.addLine(line)
		case <-ticks:
			r.printProgress(elapsed())
		}
	}
}

func readLines(in io.Reader, lines chan<- []byte) error {
	reader := bufio.NewReader(in)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			lines <- line
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
