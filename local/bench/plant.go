package main

// regressions are faults by the row that must find them. They are planted by `make bench PLANT=ROW`
// for one run; a test keeps them applicable.
var regressions = map[int]change{
	// Tables that are built before main, as package-level regular expressions are.
	1: {"shared/cloud/host.go", "// Host is the surroundings of one function.\n", `func init() {
	sum := 0
	for begun := time.Now(); time.Since(begun) < 8*time.Millisecond; sum++ {
	}
	slog.Debug("planted", "sum", sum)
}

// Host is the surroundings of one function.
`},
}
