// Command mutate measures how much of the code the tests check (make mutate): it changes one place after the other, such as a bound or
// a condition, runs the tests, and counts the changes that no test finds. The tree is never changed: the go command gets a changed file as
// an overlay. First the tests of the package itself run, and if they pass, those of the packages that import it.
//
// Every result is kept in a journal, and taken from there if the file is still the same, so that a run that was stopped continues.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/sync/errgroup"
)

// command is the command line.
type command struct {
	Packages []string      `arg:"" help:"Packages to change, as go list takes them."`
	Users    []string      `default:"./shared/...,./functions/..." help:"Packages whose tests also run if they import a changed package."`
	Dir      string        `default:"." help:"Directory of the module."`
	Sample   int           `default:"0" help:"How many changes of each package to test, drawn at random; 0 tests all."`
	Seed     uint64        `default:"1" help:"Seed of what is drawn; a larger sample of the same seed contains the smaller one."`
	Parallel int           `default:"2" help:"How many changes are tested at the same time."`
	Timeout  time.Duration `default:"3m" help:"How long the tests of one package may take."`
	Least    float64       `default:"85" help:"Fails if the tests of a package find less than this percentage."`
	Journal  string        `default:".bin/mutate.ndjson" help:"File of results."`
	Again    bool          `help:"Tests changes again that no test found according to the journal."`
}

func main() {
	var c command
	parsed := kong.Parse(&c, kong.Name("mutate"), kong.Description("Counts the changes of the code that no test finds."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parsed.FatalIfErrorf(c.run(ctx, os.Stdout))
}

// run tests the changes and prints the table.
func (c command) run(ctx context.Context, out io.Writer) error {
	packages, err := listPackages(ctx, c.Dir, c.Packages, c.Users)
	if err != nil {
		return err
	}
	var mutants []mutant
	for _, p := range packages {
		found, err := p.findMutants(c.Seed)
		if err != nil {
			return err
		}
		if c.Sample > 0 {
			found = found[:min(c.Sample, len(found))]
		}
		mutants = append(mutants, found...)
	}
	results, err := c.test(ctx, mutants)
	if err != nil {
		return err
	}
	return printTable(out, results, c.Least)
}

// test returns the results of mutants, from the journal or of a run of the tests, in the order of the source.
func (c command) test(ctx context.Context, mutants []mutant) ([]result, error) {
	journal, err := openJournal(c.Journal, c.Again)
	if err != nil {
		return nil, err
	}
	defer journal.close()
	results, open := journal.split(mutants)
	if len(open) > 0 {
		tested, err := c.testAll(ctx, open, journal)
		if err != nil {
			return nil, err
		}
		results = append(results, tested...)
	}
	slices.SortFunc(results, func(a, b result) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return results, nil
}

func (c command) testAll(ctx context.Context, mutants []mutant, journal *journal) (results []result, err error) {
	r := runner{dir: c.Dir, timeout: c.Timeout}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.Parallel)
	for i, m := range mutants {
		group.Go(func() error {
			begun := time.Now()
			result, err := r.test(ctx, m)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			results = append(results, result)
			fmt.Fprintf(os.Stderr, "%d/%d %s (%.0f s)\n", i+1, len(mutants), result, time.Since(begun).Seconds())
			return journal.add(result)
		})
	}
	return results, group.Wait()
}
