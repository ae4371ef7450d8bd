package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"os/exec"
	"regexp"
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

// deployed is the environment in which functions are deployed, as far as it changes their speed.
const deployed = "GOGC=800"

// goRows has the rows that benchmarks measure. It says itself how they are written.
//
//go:embed rows.txt
var goRows string

// benchmarks returns what measures a row of [goRows].
func benchmarks(row int) func(*bench) ([]figure, error) {
	return func(b *bench) ([]figure, error) {
		var figures []figure
		for _, part := range strings.Split(goRows, "\nrun ")[1:] {
			arguments, lines, _ := strings.Cut(part, "\n")
			if !strings.HasPrefix(lines, fmt.Sprint(row, " |")) {
				continue
			}
			r, err := b.runGo(strings.Fields(arguments)...)
			if err != nil {
				return figures, err
			}
			for line := range strings.Lines(strings.TrimSpace(lines)) {
				if f, isMeant := r.readFigure(row, line); isMeant {
					figures = append(figures, f)
				}
			}
		}
		return figures, nil
	}
}

var placeholder = regexp.MustCompile(`{.*?}`)

// readFigure returns the figure of a line of goRows. It reports false for one to be left out.
func (r results) readFigure(row int, line string) (f figure, isMeant bool) {
	var cells [7]string
	for i, cell := range strings.Split(line, "|") {
		cells[i] = strings.TrimSpace(cell)
	}
	name, isOptional := strings.CutPrefix(cells[1], "? ")
	benchmark, metric, _ := strings.Cut(cells[3], " ")
	metric, less, _ := strings.Cut(metric, " - ")
	f = figure{Row: row, Unit: cells[2], Ours: r.at(benchmark, metric), Peer: cells[5], Theirs: r.at(benchmark, cells[6])}
	if f.Ours != nil {
		f.Ours[0] -= r[less][metric]
	}
	f.Name = placeholder.ReplaceAllStringFunc(name, func(of string) string {
		return fmt.Sprint(r[benchmark][strings.Trim(of, "{}")])
	})
	f.Goal, f.Note = readGoal(cells[4])
	return f, !isOptional || r[benchmark] != nil
}

// runGo runs benchmarks and returns their results. It fails if there are none. The arguments are those of a line of [goRows].
func (b *bench) runGo(arguments ...string) (results, error) {
	command := []string{"go", "test"}
	var env []string
	for _, argument := range arguments {
		isFlag := strings.HasPrefix(argument, "-")
		switch {
		case argument == ".ci/opensearch":
			if _, err := exec.LookPath("mvn"); err == nil {
				command = append([]string{argument}, command...)
			}
		case strings.Contains(argument, "=") && !isFlag:
			env = append(env, argument)
		default:
			command = append(command, argument)
		}
	}
	command = append(command, "-run=^$", "-benchmem", "-timeout=30m")
	out, err := b.run(".", env, command[0], command[1:]...)
	if err != nil {
		return nil, err
	}
	found := parseResults(out)
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no benchmark %s:\n%s", strings.Join(arguments, " "), out)
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
		name = processors.ReplaceAllString(fields[0], "")
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

// processors is their number, which the testing package appends to a name if it is not 1.
var processors = regexp.MustCompile(`-[0-9]+$`)
