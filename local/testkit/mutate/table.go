package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// printTable prints the numbers of every package, and the changes that no test found. It returns an error if the tests of a package
// found less than the least percentage.
func printTable(out io.Writer, results []result, least float64) (failed error) {
	var table bytes.Buffer
	counts := map[string]map[string]int{}
	for _, r := range results {
		if counts[r.Package] == nil {
			counts[r.Package] = map[string]int{}
		}
		counts[r.Package][r.Outcome]++
	}
	fmt.Fprintf(&table, "%8s %10s %9s %13s %6s  package\n", killed, timedOut, survived, notCompiled, "found")
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		found := c[killed] + c[timedOut]
		share := 100 * float64(found) / float64(max(1, found+c[survived]))
		if share < least && c[survived] > 0 {
			failed = errors.Join(failed, fmt.Errorf("the tests of %s find %.0f %%, less than %.0f", name, share, least))
		}
		fmt.Fprintf(&table, "%8d %10d %9d %13d %4.0f %%  %s\n", c[killed], c[timedOut], c[survived], c[notCompiled], share, name)
	}
	for _, r := range results {
		if r.Outcome == survived {
			fmt.Fprintf(&table, "%s:%d: %s\n", r.File, r.Line, r.Change)
		}
	}
	_, err := table.WriteTo(out)
	return errors.Join(err, failed)
}
