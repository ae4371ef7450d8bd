//go:build !race

package resumetest

// Race tells whether the race detector is in this binary.
const Race = false
