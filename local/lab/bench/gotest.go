package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
)

// metrics are the results of a benchmark by unit.
type metrics map[string]float64

// results are those of several benchmarks, by name, without "Benchmark" and the number of processors.
type results map[string]metrics

// at returns a metric of a benchmark as the only sample, and none if it is missing.
func (r results) at(name, unit string) []float64 {
	if value, ok := r[name][unit]; ok {
		return []float64{value}
	}
	return nil
}

// figure returns a line of the table for a metric of a benchmark.
func (r results) figure(row int, name, unit, benchmark, metric string, g goal) figure {
	return figure{Row: row, Name: name, Unit: unit, Ours: r.at(benchmark, metric), Goal: g}
}

// deployed is the environment in which functions are deployed, as far as it changes their speed.
var deployed = []string{"GOGC=800"}

// goBench names benchmarks to run.
type goBench struct {
	pkg string
	// pattern selects benchmarks; time is how long each one runs, or how often ("20x").
	pattern, time string
	// rounds is how often each one runs; its results are the medians of the rounds. 0 is once.
	rounds int
	env    []string
}

// runGo runs benchmarks and returns their results. It fails if there are none.
func (b *bench) runGo(g goBench) (results, error) {
	args := []string{"test", "-run=^$", "-bench=" + g.pattern, "-benchtime=" + g.time, "-benchmem", "-timeout=30m"}
	args = append(args, fmt.Sprintf("-count=%d", max(g.rounds, 1)), g.pkg)
	out, err := b.run(b.command(".", g.env, "go", args...))
	if err != nil {
		return nil, err
	}
	found := parseResults(out)
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no benchmark %s:\n%s", g.pkg, g.pattern, out)
	}
	return found, nil
}

// parseResults reads lines of the Go benchmark format: a name, the number of iterations, and pairs
// of a value and its unit. Of a benchmark that ran several times it returns the medians.
func parseResults(out string) results {
	samples := map[string]map[string][]float64{} // by name and unit
	lines := bufio.NewScanner(strings.NewReader(out))
	for lines.Scan() {
		name, isResult := strings.CutPrefix(lines.Text(), "Benchmark")
		fields := strings.Fields(name)
		if !isResult || len(fields) < 4 {
			continue
		}
		name = trimProcessors(fields[0])
		if samples[name] == nil {
			samples[name] = map[string][]float64{}
		}
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				break
			}
			samples[name][fields[i+1]] = append(samples[name][fields[i+1]], value)
		}
	}
	medians := results{}
	for name, units := range samples {
		medians[name] = metrics{}
		for unit, values := range units {
			medians[name][unit] = median(values)
		}
	}
	return medians
}

// trimProcessors removes the number of processors, which the testing package appends to a name if it
// is not 1.
func trimProcessors(name string) string {
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		if _, err := strconv.Atoi(name[i+1:]); err == nil {
			return name[:i]
		}
	}
	return name
}
