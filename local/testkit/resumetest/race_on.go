//go:build race

package resumetest

// Race reports whether this binary is built with the race detector.
const Race = true
