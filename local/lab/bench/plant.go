package main

// regressions are faults by the row that must find them. They are planted by `make bench PLANT=ROW`
// for one run, without changing a file; a test keeps them applicable.
var regressions = map[int]change{
	// Tables that are built before main, as regular expressions in package variables are.
	1: {"shared/cloud/host.go", "// Host is the surroundings of one function.\n", `func init() {
	sum := 0
	for begun := time.Now(); time.Since(begun) < 8*time.Millisecond; sum++ {
	}
	slog.Debug("planted", "sum", sum)
}

// Host is the surroundings of one function.
`},
	// One more write of the key's item, before the request is counted.
	5: {"shared/account/apikey/count.go", "	nonce := strconv", "	_ = Update(c.table, hash).Set(attrLastUsed, now.UnixMilli()).Run(ctx)\n	nonce := strconv"},
	// A search that first makes a page of all that matches.
	9: {"shared/search/roleindex/search.go", "	e := v.newEvaluation(&q)\n	defer e.close()\n	s := e.findMatches()\n	defer e.releaseSets(s)\n	limit", `	if q.Limit == 0 {
		all := q
		all.Limit = 5000
		v.Search(all)
	}
	e := v.newEvaluation(&q)
	defer e.close()
	s := e.findMatches()
	defer e.releaseSets(s)
	limit`},
	// An upload that is copied before it is decoded.
	14: {"shared/api/decode/base64.go", `	s = strings.TrimRight(s, "=\r\n")`, `	s = strings.Clone(strings.Clone(strings.TrimRight(s, "=\r\n")))`},
}
