// Command bench measures the project beside others that do the same work (make bench, docs/performance.md). The table goes to
// standard output, progress to standard error.
//
// Peers are in modules of their own (peers, shared/search/roleindex/bench), so that nothing else
// depends on them. Other figures come from the benchmarks beside the code, which `go test -bench`
// runs. Where other work on the machine would blur the time that passes, processor time is measured.
package main

import (
	"cmp"
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
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"
)

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

// groups has all rows in the order in which they are measured: those first that other work disturbs most. Rows of a group share
// their preparation.
var groups = [][]int{{1, 2, 3}, {4}, {5}, {6}, {7, 8}, {9}, {10}, {11}, {12}, {13}, {14}, {15}, {16}, {17}}

// measurers measure groups, by their first row. Benchmarks measure the others.
var measurers = map[int]func(*bench) ([]figure, error){
	1: measureStarts, 4: measureSizes, 6: measureWarmRequests, 7: measureUnits, 17: measureChecks,
}

// measure measures the rows, or all of them if rows is empty.
func (b *bench) measure(rows []int) (figures []figure, failed error) {
	isWanted := func(row int) bool { return len(rows) == 0 || slices.Contains(rows, row) }
	for _, group := range groups {
		if !slices.ContainsFunc(group, isWanted) || b.ctx.Err() != nil {
			continue
		}
		begun := time.Now()
		fmt.Fprintf(os.Stderr, "rows %v …\n", group)
		measure := measurers[group[0]]
		if measure == nil {
			measure = benchmarks(group[0])
		}
		measured, err := measure(b)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("rows %v: %w", group, err))
		}
		for _, f := range measured {
			if isWanted(f.Row) {
				figures = append(figures, f)
			}
		}
		fmt.Fprintf(os.Stderr, "rows %v took %v\n", group, time.Since(begun).Round(time.Second))
	}
	return figures, errors.Join(failed, b.ctx.Err())
}

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

// writeOverlay replaces a text, which occurs once, in a copy of a source file, and returns the flag that makes the go command
// use the copy. The file itself stays as it is.
func (b *bench) writeOverlay(file, before, after string) (flag string, err error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("find the source to overlay: %w", err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the source to overlay: %w", err)
	}
	changed := filepath.Join(b.dir, "changed.go")
	overlay := filepath.Join(b.dir, "overlay.json")
	text, _ := json.Marshal(map[string]map[string]string{"Replace": {path: changed}}) // texts always marshal
	content := strings.Replace(string(source), before, after, 1)
	return "-overlay=" + overlay, errors.Join(os.WriteFile(changed, []byte(content), 0o600), os.WriteFile(overlay, text, 0o600))
}

type figure struct {
	Row  int    `json:"row"`
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Ours and Theirs are the samples of this project and of the peer; their medians are shown.
	Ours   []float64 `json:"ours"`
	Peer   string    `json:"peer,omitempty"`
	Theirs []float64 `json:"theirs,omitempty"`
	Goal   goal      `json:"goal"`
	// Every makes the goal hold only if it does for every sample; of a ratio, for every pair. Without
	// it a figure near its goal would hold in one run of the table and not in the next.
	Every bool `json:"every,omitempty"`
	// Hidden leaves the figure out of the table.
	Hidden bool `json:"-"`
	// Note is shown instead of the goal of a figure that has none.
	Note string `json:"note,omitempty"`
	// Holds is the verdict, for the file.
	Holds string `json:"holds"`
}

// goal bounds a figure: the median of this project, or its ratio to the peer's. The zero value is no
// goal.
type goal struct {
	Limit   float64 `json:"limit,omitempty"`
	OfRatio bool    `json:"ofRatio,omitempty"`
	AtLeast bool    `json:"atLeast,omitempty"`
}

func atMost(limit float64) goal       { return goal{Limit: limit} }
func ratioAtMost(limit float64) goal  { return goal{Limit: limit, OfRatio: true} }
func ratioAtLeast(limit float64) goal { return goal{Limit: limit, OfRatio: true, AtLeast: true} }

// readGoal reads a goal as the table shows it, without a unit: "≤ 2.5", or "≥ 0.7x" of the ratio. Any other text is a note.
func readGoal(text string) (g goal, note string) {
	sign, limit, _ := strings.Cut(text, " ")
	limit, g.OfRatio = strings.CutSuffix(limit, "x")
	value, err := strconv.ParseFloat(limit, 64)
	if err != nil {
		return goal{}, text
	}
	g.Limit = value
	g.AtLeast = sign == "≥"
	return g, ""
}

// median returns the middle of the samples, 0 if there are none.
func median(samples []float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(samples))[len(samples)/2]
}

// verdict returns "yes" or "NO", or "-" for a figure without a goal or without samples.
func (f figure) verdict() string {
	values := []float64{median(f.Ours)}
	switch {
	case f.Goal == goal{} || len(f.Ours) == 0 || f.Goal.OfRatio && len(f.Theirs) == 0:
		return "-"
	case f.Every && f.Goal.OfRatio:
		values = nil
		for i := range min(len(f.Ours), len(f.Theirs)) {
			values = append(values, f.Ours[i]/f.Theirs[i])
		}
	case f.Every:
		values = f.Ours
	case f.Goal.OfRatio:
		values = []float64{median(f.Ours) / median(f.Theirs)}
	}
	if slices.ContainsFunc(values, f.Goal.isMissed) {
		return "NO"
	}
	return "yes"
}

func (g goal) isMissed(value float64) bool {
	if g.AtLeast {
		return value < g.Limit
	}
	return value > g.Limit
}

func (f figure) goalText() string {
	if f.Goal == (goal{}) {
		return cmp.Or(f.Note, "told")
	}
	sign := "≤"
	unit := " " + f.Unit
	if f.Goal.AtLeast {
		sign = "≥"
	}
	if f.Goal.OfRatio {
		unit = "x"
	}
	return fmt.Sprintf("%s %g%s", sign, f.Goal.Limit, unit)
}

func printTable(to io.Writer, figures []figure) {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	printRow := func(cells ...any) { _, _ = fmt.Fprintf(table, "%v\t%s\t%s\t%s\t%s\t%s\t%s\n", cells...) }
	printRow("#", "figure", "this project", "peer", "ratio", "goal", "holds")
	slices.SortStableFunc(figures, func(a, b figure) int { return a.Row - b.Row })
	for _, f := range figures {
		if f.Hidden {
			continue
		}
		ours := "not measured"
		peer := f.Peer
		ratio := ""
		if len(f.Ours) > 0 {
			ours = formatValue(median(f.Ours)) + " " + f.Unit
		}
		if len(f.Theirs) > 0 {
			peer = fmt.Sprintf("%s %s", formatValue(median(f.Theirs)), f.Peer)
			ratio = fmt.Sprintf("%.2fx", median(f.Ours)/median(f.Theirs))
		}
		printRow(f.Row, f.Name, ours, peer, ratio, f.goalText(), f.verdict())
	}
	_ = table.Flush()
}

// formatValue returns a number with three significant digits, or all digits before the point.
func formatValue(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func writeJSON(path string, figures []figure) error {
	for i, f := range figures {
		figures[i].Holds = f.verdict()
	}
	text, err := json.MarshalIndent(figures, "", "\t")
	if err != nil {
		return fmt.Errorf("encode the figures: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}
