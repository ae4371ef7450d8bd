package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// firstCommand reads one file in a process of its own.
type firstCommand struct {
	File string `arg:""`
}

// Run reads the file.
func (c firstCommand) Run() error {
	_, err := readFile(c.File)
	return err
}

// printFirst prints what the first PDF file of a process costs: the first on a machine,
// which compiles the engine, and one that finds it compiled.
func printFirst(out io.Writer, results []result) error {
	i := slices.IndexFunc(results, func(r result) bool { return r.truth.Format == "pdf" })
	if i < 0 {
		return nil
	}
	cache, err := os.MkdirTemp("", "first")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(cache) }()
	_, _ = fmt.Fprintln(out)
	for _, which := range []string{"First PDF file on a machine", "First PDF file of a later process"} {
		program, err := os.Executable()
		if err != nil {
			return err
		}
		command := exec.Command(program, "first", results[i].truth.File)
		command.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TMPDIR=") }), "TMPDIR="+cache)
		if err := command.Run(); err != nil {
			return err
		}
		state := command.ProcessState
		usage, ok := state.SysUsage().(*syscall.Rusage)
		if !ok {
			return nil
		}
		_, _ = fmt.Fprintf(out, "%s: %.1f s of processor time, %d MB resident at most\n\n", which, (state.UserTime() + state.SystemTime()).Seconds(), usage.Maxrss/1024)
	}
	return nil
}

// processorTime returns the processor time of this process so far, which the machine's
// other work does not change as it changes wall time.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
