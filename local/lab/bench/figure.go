package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// figure is a line of the table.
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
func atLeast(limit float64) goal      { return goal{Limit: limit, AtLeast: true} }
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

// beside returns the figure with the samples of a peer.
func (f figure) beside(peer string, theirs []float64) figure {
	f.Peer = peer
	f.Theirs = theirs
	return f
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
		values = f.ratios()
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

// ratios returns each sample of ours in relation to theirs of the same place.
func (f figure) ratios() (ratios []float64) {
	for i := range min(len(f.Ours), len(f.Theirs)) {
		ratios = append(ratios, f.Ours[i]/f.Theirs[i])
	}
	return ratios
}

func (g goal) isMissed(value float64) bool {
	if g.AtLeast {
		return value < g.Limit
	}
	return value > g.Limit
}

// goalText returns the goal as the table shows it.
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
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}
