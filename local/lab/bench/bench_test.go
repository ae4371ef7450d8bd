package main

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResultsAreParsed(t *testing.T) {
	t.Parallel()
	out := "goos: linux\nBenchmarkSizes/100-2 \t 500\t 83479 ns/op\t 0.25 p99-cpu-ms\nBenchmarkMix\t1\t5 ns/op\t7 calls/s\nBenchmarkMix\t1\t6 ns/op\t9 calls/s\nBenchmarkMix\t1\t99 ns/op\t8 calls/s\nPASS\nok  \tx\t1.2s\n"
	want := results{"Sizes/100": 1, "Sizes/100 ns/op": 83479, "Sizes/100 p99-cpu-ms": 0.25, "Mix": 1, "Mix ns/op": 6, "Mix calls/s": 8}
	if diff := cmp.Diff(want, parseResults(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func atLeast(limit float64) goal { return goal{Limit: limit, AtLeast: true} }

func TestVerdicts(t *testing.T) {
	t.Parallel()
	ours := []float64{9, 1, 3}
	theirs := []float64{2} // the median is 3, the ratio 1.5
	for name, c := range map[string]struct {
		figure figure
		want   string
	}{
		"at the limit":       {figure{Ours: ours, Goal: atMost(3)}, "yes"},
		"over the limit":     {figure{Ours: ours, Goal: atMost(2.9)}, "NO"},
		"enough":             {figure{Ours: ours, Goal: atLeast(3)}, "yes"},
		"too little":         {figure{Ours: ours, Goal: atLeast(3.1)}, "NO"},
		"every sample":       {figure{Ours: ours, Every: true, Goal: atMost(9)}, "yes"},
		"not every sample":   {figure{Ours: ours, Every: true, Goal: atLeast(3)}, "NO"},
		"every pair":         {figure{Ours: ours, Theirs: []float64{3, 1, 3}, Every: true, Goal: ratioAtLeast(1)}, "yes"},
		"not every pair":     {figure{Ours: ours, Theirs: []float64{3, 2, 1}, Every: true, Goal: ratioAtLeast(1)}, "NO"},
		"ratio":              {figure{Ours: ours, Theirs: theirs, Goal: ratioAtMost(1.5)}, "yes"},
		"ratio missed":       {figure{Ours: ours, Theirs: theirs, Goal: ratioAtLeast(4)}, "NO"},
		"ratio without peer": {figure{Ours: ours, Goal: ratioAtMost(1.5)}, "-"},
		"not measured":       {figure{Goal: atMost(3)}, "-"},
		"told":               {figure{Ours: ours, Note: "told"}, "-"},
	} {
		if got := c.figure.verdict(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestMediansOfRounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ samples, want []float64 }{
		{[]float64{1, 9, 2, 8, 3, 7, 4, 6, 5, 5}, []float64{9, 8, 7, 6, 5}},
		{[]float64{3, 1, 2, 4, 6, 5, 7}, []float64{3, 4, 6, 7}},
	} {
		if diff := cmp.Diff(c.want, mediansOfRounds(c.samples)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.samples, diff)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	printTable(&out, []figure{
		{Row: 2, Name: "late", Unit: "ms", Note: "told", Ours: []float64{1234.5}},
		{Row: 1, Name: "first", Unit: "ms", Ours: []float64{3}, Peer: "echo", Theirs: []float64{2}, Goal: ratioAtMost(1.2)},
		{Row: 1, Name: "unseen", Hidden: true},
	})
	want := "#  figure  this project  peer    ratio  goal    holds\n1  first   3 ms          2 echo  1.50x  ≤ 1.2x  NO\n2  late    1234 ms                      told    -\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The call that functions make while they start can be removed from the source as it is now.
func TestWarmCallIsThere(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../../" + warmCallFile)
	if err != nil || strings.Count(string(source), warmCallLine) != 1 {
		t.Errorf("%s does not contain %q once, %v", warmCallFile, warmCallLine, err)
	}
}

// Every line of rows.txt is a figure of a measured row.
func TestRowsAreRead(t *testing.T) {
	t.Parallel()
	r := results{"Waves/role calls": 2, "Waves/role waves": 1.5, "Changed/searched p99-cpu-ms": 5, "Changed/plain p99-cpu-ms": 3}
	for part := range strings.SplitSeq(goRows, "\nrun ") {
		_, lines, _ := strings.Cut(part, "\n")
		for line := range strings.Lines(strings.TrimSpace(lines)) {
			text, _, _ := strings.Cut(line, " ")
			row, err := strconv.Atoi(text)
			if strings.HasPrefix(line, "#") {
				continue
			}
			isMeasured := slices.ContainsFunc(groups, func(rows []int) bool { return slices.Contains(rows, row) })
			if f, _ := r.readFigure(row, line); err != nil || !isMeasured || f.Name == "" {
				t.Errorf("%s: %+v, %v", line, f, err)
			}
		}
	}
	for line, want := range map[string]figure{
		"5 | role, {calls} calls | waves | Waves/role waves | ≤ 2": {Row: 5, Name: "role, 2 calls", Unit: "waves", Ours: []float64{1.5}, Goal: atMost(2)},
		"9 | added | ms | Changed/searched p99-cpu-ms - Changed/plain | ≥ 0.7x | one call | p99-cpu-ms": {
			Row: 9, Name: "added", Unit: "ms", Ours: []float64{2}, Goal: ratioAtLeast(0.7), Peer: "one call", Theirs: []float64{5},
		},
		"9 | recall | | Roles recall | ≥ 0.93, tested | bleve | recall": {Row: 9, Name: "recall", Note: "≥ 0.93, tested", Peer: "bleve"},
	} {
		got, isMeant := r.readFigure(want.Row, line)
		if diff := cmp.Diff(want, got); diff != "" || !isMeant {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
	if f, isMeant := r.readFigure(11, "11 | ? search | ms | Candidates cpu-ms | ≤ 6"); isMeant {
		t.Errorf("got %+v of a benchmark that did not run", f)
	}
}
