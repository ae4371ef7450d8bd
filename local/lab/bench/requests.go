package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// capacityPackage has the benchmarks of whole operations.
const capacityPackage = "./local/testkit/capacity"

// warmRounds is how often row 6 is measured, each time in new processes: Node compiles the same program
// more or less well. A goal holds only if it does in every round.
const warmRounds = 5

// warmRoutes are the routes of row 6: their names in the benchmark and in the table, and the most
// processor time over their calls in µs; 0 means no goal.
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
	ours results
	node map[string]float64
}

// measureWarmRound runs both one after the other, so that both meet the machine in the same state.
func (b *bench) measureWarmRound() (r warmRound, err error) {
	recorded := filepath.Join(b.dir, "recorded.json")
	r.ours, err = b.runGo("-bench=^BenchmarkWarm$", "-benchtime=6x", capacityPackage, "BENCH_RECORDED="+recorded, "GOMAXPROCS=1", deployed)
	if err != nil {
		return r, err
	}
	r.node = map[string]float64{}
	settings := strings.Fields("NODE_ENV=production AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x TABLE_ACCOUNTS=accounts")
	for _, route := range warmRoutes {
		out, err := b.run(filepath.Join(peersDir, "node"), settings, "node", "warm.mjs", recorded, route.name, "6")
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
// Node, by processor time. Goals are for a request's time over the database's own, which is the time
// of the SDK's client alone for the same calls.
func measureWarmRequests(b *bench) (figures []figure, err error) {
	all := make([]warmRound, warmRounds)
	for i := range all {
		all[i], err = b.measureWarmRound()
		if err != nil {
			return nil, err
		}
	}
	for _, route := range warmRoutes {
		name := "Warm/" + route.name
		whole := figure{Row: 6, Unit: "µs CPU"}
		over := figure{Row: 6, Name: route.text + ", over its calls alone", Unit: "µs CPU", Every: true}
		if route.most > 0 {
			over.Goal = atMost(route.most)
		}
		perCore := figure{Row: 6, Name: route.text + ", one core", Unit: "a second", Goal: ratioAtLeast(4), Every: true}
		perCore.Peer = "Express on Node"
		for _, round := range all {
			m := round.ours[name]
			whole.Ours = append(whole.Ours, m["cpu-us"])
			over.Ours = append(over.Ours, m["cpu-us"]-m["client-cpu-us"])
			perCore.Ours = append(perCore.Ours, 1e6/m["cpu-us"])
			perCore.Theirs = append(perCore.Theirs, 1e6/round.node[route.name])
		}
		m := all[0].ours[name]
		whole.Name = fmt.Sprintf("%s: %.0f a second; p50 %.0f, p99 %.0f µs; %.0f KB, %.0f allocations", route.text,
			1e6/median(whole.Ours), m["p50-us"], m["p99-us"], m["B/op"]/1000, m["allocs/op"])
		figures = append(figures, whole, over, perCore)
	}
	return figures, nil
}
