package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// capacityPackage has the benchmarks of whole operations.
const capacityPackage = "./local/capacity"

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

// measureWarmRequests measures row 6: warm requests while the database answers at once, the same on
// Node, by processor time. Goals are for what a request takes over the database's own time, which is
// what the SDK's client alone takes for the same calls.
func measureWarmRequests(b *bench) ([]figure, error) {
	recorded := filepath.Join(b.dir, "recorded.json")
	results, err := b.runGo(goBench{module: ".", pkg: capacityPackage, pattern: "^BenchmarkWarm$", time: "2s", rounds: rounds, env: []string{"BENCH_RECORDED=" + recorded, "GOGC=800", "GOMAXPROCS=1"}}) // as functions are deployed
	if err != nil {
		return nil, err
	}
	node := map[string][]float64{} // microseconds by route
	for range rounds {
		out, err := b.run(b.command(filepath.Join(peersDir, "node"), []string{"NODE_ENV=production", "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "TABLE_ACCOUNTS=accounts"},
			"node", "warm.mjs", recorded, "2"))
		if err != nil {
			return nil, err
		}
		var round map[string]float64
		if err := json.Unmarshal([]byte(out), &round); err != nil {
			return nil, err
		}
		for route, micros := range round {
			node[route] = append(node[route], micros)
		}
	}
	var figures []figure
	for _, route := range []struct {
		name, text string
		most       float64
	}{
		{"identity", "identity", 150}, {"list", "network page of 20", 400}, {"CRM", "CRM page of 20", 400}, {"roles", "roles page of 20", 400},
		{"preferences", "preferences", 0}, {"role", "role", 0},
	} {
		name, note := "Warm/"+route.name, "told" // where there is no goal
		m := results[name]
		goal := goal{}
		if route.most > 0 {
			goal = atMost(route.most)
		}
		text := fmt.Sprintf("%s: %.0f a second; p50 %.0f, p99 %.0f µs; %.0f KB, %.0f allocations", route.text,
			1e6/m["cpu-us"], m["p50-us"], m["p99-us"], m["B/op"]/1000, m["allocs/op"])
		figures = append(figures,
			figure{Row: 6, Name: text, Unit: "µs CPU", Ours: lookUp(results, name, "cpu-us"), Note: "told"},
			figure{Row: 6, Name: route.text + ", over its calls alone", Unit: "µs CPU", Ours: []float64{m["cpu-us"] - m["client-cpu-us"]}, Goal: goal, Note: note})
		if theirs := median(node[route.name]); theirs > 0 {
			ours := []float64{1e6 / m["cpu-us"]}
			figures = append(figures, figure{Row: 6, Name: route.text + ", one core", Unit: "a second", Ours: ours, Peer: "Express on Node", Theirs: []float64{1e6 / theirs}, Goal: ratioAtLeast(4)})
		}
	}
	return figures, nil
}

// measureIngestion measures row 13: submissions that one core ingests, by processor time.
func measureIngestion(b *bench) ([]figure, error) {
	results, err := b.runGo(goBench{module: ".", pkg: capacityPackage, pattern: "^BenchmarkIngest$", time: "60x", env: []string{"GOMAXPROCS=1"}})
	return []figure{
		{Row: 13, Name: "ingestion by one core of processor time", Unit: "a second", Ours: lookUp(results, "Ingest", "cpu-items/s"), Goal: atLeast(20)},
		{Row: 13, Name: "ingestion, one after the other, with the database's time", Unit: "a second", Ours: lookUp(results, "Ingest", "items/s"), Note: "told"},
	}, err
}
