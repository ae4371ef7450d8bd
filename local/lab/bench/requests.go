package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// capacityPackage has the benchmarks of whole operations.
const capacityPackage = "./local/testkit/capacity"

// measureWaves measures row 5: the waves of calls of operations where each call takes 3 ms.
func measureWaves(b *bench) ([]figure, error) {
	results, err := b.runGo(goBench{module: ".", pkg: capacityPackage, pattern: "^BenchmarkWaves$", time: "15x"})
	if err != nil {
		return nil, err
	}
	var figures []figure
	for _, o := range []struct {
		name string
		most float64
	}{
		{"preferences", 2}, {"role", 2}, {"CRM-candidate", 2}, {"batch", 2}, {"list-page", 2}, {"CRM-page", 2}, {"role-list", 2}, {"submit", 4},
	} {
		name := "Waves/" + o.name
		figures = append(figures,
			figure{Row: 5, Name: fmt.Sprintf("%s, %g calls", o.name, results[name]["calls"]), Unit: "waves", Ours: lookUp(results, name, "waves"), Goal: atMost(o.most)},
			figure{Row: 5, Name: o.name + ", 3 ms a call", Unit: "ms", Ours: lookUp(results, name, "ms/op"), Peer: "one call", Theirs: lookUp(results, name, "ms/call"), Note: "told"})
	}
	bulk, err := b.runGo(goBench{module: ".", pkg: "./functions/submissions", pattern: "^BenchmarkBulk$", time: "15x"})
	for name, text := range map[string]string{"keyed": "bulk of 100 with Idempotency-Key", "unkeyed": "bulk of 100"} {
		figures = append(figures,
			figure{Row: 5, Name: text, Unit: "waves", Ours: lookUp(bulk, "Bulk/"+name, "waves"), Goal: atMost(4)},
			figure{Row: 5, Name: text + ", 3 ms a call", Unit: "ms", Ours: lookUp(bulk, "Bulk/"+name, "ms/submit"), Peer: "one call", Theirs: lookUp(bulk, "Bulk/"+name, "ms/call"), Note: "told"})
	}
	return figures, err
}

// warmRounds is how often row 6 is measured, each time in new processes: Node compiles the same program
// more or less well. A goal holds only if it does in every round.
const warmRounds = 5

// warmRoutes are the routes of row 6: their names in the benchmark and in the table, and the most
// processor time over their calls in µs; 0 is no goal.
var warmRoutes = []struct {
	name, text string
	most       float64
}{
	{"identity", "identity", 150}, {"list", "network page of 20", 400}, {"CRM", "CRM page of 20", 400}, {"roles", "roles page of 20", 400},
	{"preferences", "preferences", 0}, {"role", "role", 0},
}

// warmRound is one round of row 6: what a request takes here, by benchmark, and on Node, in
// microseconds by route.
type warmRound struct {
	ours map[string]metrics
	node map[string]float64
}

// measureWarmRound runs both one after the other, so that both meet the machine in the same state.
func (b *bench) measureWarmRound() (r warmRound, err error) {
	recorded := filepath.Join(b.dir, "recorded.json")
	env := append([]string{"BENCH_RECORDED=" + recorded, "GOMAXPROCS=1"}, deployed...)
	r.ours, err = b.runGo(goBench{module: ".", pkg: capacityPackage, pattern: "^BenchmarkWarm$", time: "6x", env: env})
	if err != nil {
		return r, err
	}
	r.node = map[string]float64{}
	for _, route := range warmRoutes {
		out, err := b.run(b.command(filepath.Join(peersDir, "node"), []string{"NODE_ENV=production", "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "TABLE_ACCOUNTS=accounts"},
			"node", "warm.mjs", recorded, route.name, "6"))
		if err != nil {
			return r, err
		}
		r.node[route.name], err = strconv.ParseFloat(strings.TrimSpace(out), 64)
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// measureWarmRequests measures row 6: warm requests while the database answers at once, the same on
// Node, by processor time. Goals are for what a request takes over the database's own time, which is
// what the SDK's client alone takes for the same calls.
func measureWarmRequests(b *bench) (figures []figure, err error) {
	all := make([]warmRound, warmRounds)
	for i := range all {
		all[i], err = b.measureWarmRound()
		if err != nil {
			return nil, err
		}
	}
	for _, route := range warmRoutes {
		figures = append(figures, warmFigures(all, "Warm/"+route.name, route.text, route.most)...)
		f := figure{Row: 6, Name: route.text + ", one core", Unit: "a second", Peer: "Express on Node", Goal: ratioAtLeast(4), Every: true}
		for _, round := range all {
			f.Ours = append(f.Ours, 1e6/round.ours["Warm/"+route.name]["cpu-us"])
			f.Theirs = append(f.Theirs, 1e6/round.node[route.name])
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// warmFigures returns the figures of a route alone. most bounds its processor time over its calls; 0
// is no goal.
func warmFigures(all []warmRound, name, text string, most float64) []figure {
	whole := figure{Row: 6, Unit: "µs CPU", Note: "told"}
	over := figure{Row: 6, Name: text + ", over its calls alone", Unit: "µs CPU", Note: "told", Every: true}
	if most > 0 {
		over.Goal = atMost(most)
		over.Note = ""
	}
	for _, round := range all {
		m := round.ours[name]
		whole.Ours = append(whole.Ours, m["cpu-us"])
		over.Ours = append(over.Ours, m["cpu-us"]-m["client-cpu-us"])
	}
	m := all[0].ours[name]
	whole.Name = fmt.Sprintf("%s: %.0f a second; p50 %.0f, p99 %.0f µs; %.0f KB, %.0f allocations", text,
		1e6/median(whole.Ours), m["p50-us"], m["p99-us"], m["B/op"]/1000, m["allocs/op"])
	return []figure{whole, over}
}

// measureIngestion measures row 13: submissions that one core ingests, by processor time.
func measureIngestion(b *bench) ([]figure, error) {
	results, err := b.runGo(goBench{module: ".", pkg: capacityPackage, pattern: "^BenchmarkIngest$", time: "60x", env: []string{"GOMAXPROCS=1"}})
	return []figure{
		{Row: 13, Name: "ingestion by one core of processor time", Unit: "a second", Ours: lookUp(results, "Ingest", "cpu-items/s"), Goal: atLeast(20)},
		{Row: 13, Name: "ingestion, one after the other, with the database's time", Unit: "a second", Ours: lookUp(results, "Ingest", "items/s"), Note: "told"},
	}, err
}
