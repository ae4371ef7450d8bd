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
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
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
	{[]int{5}, measureWaves},
	{[]int{6}, measureWarmRequests},
	{[]int{7, 8}, measureUnits},
	{[]int{9}, measureSearch},
	{[]int{10}, measureRecommendation},
	{[]int{11}, measureCRM},
	{[]int{12}, measureResumes},
	{[]int{13}, measureIngestion},
	{[]int{14}, measureUpload},
	{[]int{15}, measureSystem},
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
