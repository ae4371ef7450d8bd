// Command bench measures the project beside others that do the same work, in one run, and prints
// one table (make bench): each figure, this project, the peer, their ratio, the goal and whether it
// holds. The table goes to standard output, progress to standard error, and every sample to
// .local/bench.json. A missed goal is not an error.
//
// Peers are in modules of their own (peers, shared/search/roleindex/bench), so that nothing else
// depends on them. Other figures come from the benchmarks beside the code, which `go test -bench`
// runs. Where other work on the machine would blur the time that passes, processor time is measured.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

// command is the command line.
type command struct {
	Rows []int `help:"Rows to measure (default: all), such as --rows=1,5,9."`
}

func main() {
	var c command
	ctx := kong.Parse(&c, kong.Name("bench"), kong.Description("Measures the project beside its peers."))
	ctx.FatalIfErrorf(c.run(os.Stdout))
}

// run measures the rows and prints the table. Rows that failed are in the error, the others in the
// table.
func (c command) run(out io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b := &bench{ctx: ctx, dir: dir}
	begun := time.Now()
	figures, failed := b.measure(c.Rows)
	printTable(out, figures)
	fmt.Fprintf(os.Stderr, "measured in %v\n", time.Since(begun).Round(time.Second))
	return errors.Join(failed, writeJSON(".local/bench.json", figures))
}

// group measures rows that share their preparation.
type group struct {
	rows    []int
	measure func(*bench) ([]figure, error)
}

// groups has all rows, those first that other work disturbs most.
var groups = []group{
	{[]int{1, 2, 3}, measureStarts},
	{[]int{4}, measureSizes},
	{[]int{5}, benchmarks(5)},
	{[]int{6}, measureWarmRequests},
	{[]int{7, 8}, measureUnits},
	{[]int{9}, benchmarks(9)},
	{[]int{10}, benchmarks(10)},
	{[]int{11}, benchmarks(11)},
	{[]int{12}, benchmarks(12)},
	{[]int{13}, benchmarks(13)},
	{[]int{14}, benchmarks(14)},
	{[]int{15}, benchmarks(15)},
	{[]int{16}, measureBulkLoad},
	{[]int{17}, measureChecks},
}

// measure measures the rows, or all of them if rows is empty.
func (b *bench) measure(rows []int) (figures []figure, failed error) {
	isWanted := func(row int) bool { return len(rows) == 0 || slices.Contains(rows, row) }
	for _, g := range groups {
		if !slices.ContainsFunc(g.rows, isWanted) || b.ctx.Err() != nil {
			continue
		}
		begun := time.Now()
		fmt.Fprintf(os.Stderr, "rows %v …\n", g.rows)
		measured, err := g.measure(b)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("rows %v: %w", g.rows, err))
		}
		for _, f := range measured {
			if isWanted(f.Row) {
				figures = append(figures, f)
			}
		}
		fmt.Fprintf(os.Stderr, "rows %v took %v\n", g.rows, time.Since(begun).Round(time.Second))
	}
	return figures, errors.Join(failed, b.ctx.Err())
}

// bench is a run with its temporary directory.
type bench struct {
	ctx context.Context
	dir string
}

// run runs a command in a directory, shows its output only if it fails, and returns its standard output. env adds to the environment.
func (b *bench) run(dir string, env []string, name string, args ...string) (string, error) {
	c := exec.CommandContext(b.ctx, name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(c.Args, " "), err, out, stderr.String())
	}
	return string(out), nil
}

// change replaces a text that occurs once in a source file.
type change struct{ file, old, new string }

// writeOverlay applies a change to a copy of its file, and returns the flag that makes the go command
// use the copy. The file itself stays as it is.
func (b *bench) writeOverlay(c change) (flag string, err error) {
	path, err := filepath.Abs(c.file)
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if strings.Count(string(source), c.old) != 1 {
		return "", fmt.Errorf("%s does not contain %q once", c.file, c.old)
	}
	changed := filepath.Join(b.dir, "changed.go")
	overlay := filepath.Join(b.dir, "overlay.json")
	text, _ := json.Marshal(map[string]map[string]string{"Replace": {path: changed}}) // texts always marshal
	content := strings.Replace(string(source), c.old, c.new, 1)
	return "-overlay=" + overlay, errors.Join(os.WriteFile(changed, []byte(content), 0o600), os.WriteFile(overlay, text, 0o600))
}
