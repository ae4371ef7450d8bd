package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
)

// metrics are the results of a benchmark by unit.
type metrics map[string]float64

// deployed is the environment in which functions are deployed, as far as it changes their speed.
var deployed = []string{"GOGC=800"}

// goBench names benchmarks to run.
type goBench struct {
	// module is the directory of the module, pkg the package in it.
	module, pkg string
	// pattern selects benchmarks; time is how long each one runs, or how often ("20x").
	pattern, time string
	// rounds is how often each one runs; its results are the medians of the rounds. 0 is once.
	rounds int
	env    []string
}

// runGo runs benchmarks and returns their results by name, without "Benchmark" and the number of
// processors. It fails if there are none.
func (b *bench) runGo(g goBench) (map[string]metrics, error) {
	args := []string{"test", "-run=^$", "-bench=" + g.pattern, "-benchtime=" + g.time, "-benchmem", "-timeout=30m", fmt.Sprintf("-count=%d", max(g.rounds, 1))}
	if b.overlay != "" {
		args = append(args, b.overlay)
	}
	out, err := b.run(b.command(g.module, g.env, "go", append(args, g.pkg)...))
	if err != nil {
		return nil, err
	}
	results := parseResults(out)
	if len(results) == 0 {
		return nil, fmt.Errorf("%s has no benchmark %s:\n%s", g.pkg, g.pattern, out)
	}
	return results, nil
}

// parseResults reads lines of the Go benchmark format: a name, the number of iterations, and pairs
// of a value and its unit. Of a benchmark that ran several times it returns the medians.
func parseResults(out string) map[string]metrics {
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
	results := map[string]metrics{}
	for name, units := range samples {
		results[name] = metrics{}
		for unit, values := range units {
			results[name][unit] = median(values)
		}
	}
	return results
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

// lookUp returns a metric of a benchmark as the only sample, and none if it is missing.
func lookUp(results map[string]metrics, name, unit string) []float64 {
	if value, ok := results[name][unit]; ok {
		return []float64{value}
	}
	return nil
}
