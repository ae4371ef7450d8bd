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
	calls, err := b.runGo(goBench{pkg: capacityPackage, pattern: "^BenchmarkWaves$", time: "15x"})
	if err != nil {
		return nil, err
	}
	var figures []figure
	for _, operation := range []string{"preferences", "role", "CRM-candidate", "batch", "list-page", "CRM-page", "role-list", "submit"} {
		name := "Waves/" + operation
		most := 2.0
		if operation == "submit" {
			most = 4
		}
		figures = append(figures,
			calls.figure(5, fmt.Sprintf("%s, %g calls", operation, calls[name]["calls"]), "waves", name, "waves", atMost(most)),
			calls.figure(5, operation+", 3 ms a call", "ms", name, "ms/op", told).beside("one call", calls.at(name, "ms/call")))
	}
	bulk, err := b.runGo(goBench{pkg: "./functions/submissions", pattern: "^BenchmarkBulk$", time: "15x"})
	for _, row := range [][2]string{{"Bulk/keyed", "bulk of 100 with Idempotency-Key"}, {"Bulk/unkeyed", "bulk of 100"}} {
		name := row[0]
		text := row[1]
		figures = append(figures,
			bulk.figure(5, text, "waves", name, "waves", atMost(4)),
			bulk.figure(5, text+", 3 ms a call", "ms", name, "ms/submit", told).beside("one call", bulk.at(name, "ms/call")))
	}
	return figures, err
}

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
	env := append([]string{"BENCH_RECORDED=" + recorded, "GOMAXPROCS=1"}, deployed...)
	r.ours, err = b.runGo(goBench{pkg: capacityPackage, pattern: "^BenchmarkWarm$", time: "6x", env: env})
	if err != nil {
		return r, err
	}
	r.node = map[string]float64{}
	settings := strings.Fields("NODE_ENV=production AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x TABLE_ACCOUNTS=accounts")
	for _, route := range warmRoutes {
		out, err := b.run(b.command(filepath.Join(peersDir, "node"), settings, "node", "warm.mjs", recorded, route.name, "6"))
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

// measureIngestion measures row 13: submissions that one core ingests, by processor time.
func measureIngestion(b *bench) ([]figure, error) {
	r, err := b.runGo(goBench{pkg: capacityPackage, pattern: "^BenchmarkIngest$", time: "60x", env: []string{"GOMAXPROCS=1"}})
	return []figure{
		r.figure(13, "ingestion by one core of processor time", "a second", "Ingest", "cpu-items/s", atLeast(20)),
		r.figure(13, "ingestion, one after the other, with the database's time", "a second", "Ingest", "items/s", told),
	}, err
}

// measureUpload measures row 14: what an upload takes of memory.
func measureUpload(b *bench) (figures []figure, err error) {
	r, err := b.runGo(goBench{pkg: "./functions/submissions", pattern: "^BenchmarkUploadMemory$", time: "3x"})
	for _, kind := range []string{"pdf", "escaped", "text", "latin"} {
		figures = append(figures, r.figure(14, "memory for an upload, "+kind, "MB per MB", "UploadMemory/"+kind, "MB/MB", atMost(2.5)))
	}
	return figures, err
}

// measureSystem measures row 15: a mix of requests by as many clients as keep the machine busy, and the
// same calls of the database without the system.
func measureSystem(b *bench) ([]figure, error) {
	r, err := b.runGo(goBench{pkg: capacityPackage, pattern: "^BenchmarkMix$", time: "4x", rounds: 5, env: deployed})
	calls := r.figure(15, "calls of the database that a mix of requests makes", "a second", "Mix", "calls/s", ratioAtLeast(0.7))
	return []figure{
		calls.beside("the emulator's ceiling", r.at("Mix", "ceiling-calls/s")),
		r.figure(15, "requests of the mix", "a second", "Mix", "requests/s", told),
	}, err
}

// measureResumes measures row 12: resumes to text and to fields, by type, and another program that makes
// text of the same PDF files.
func measureResumes(b *bench) (figures []figure, err error) {
	for _, kind := range []string{"pdf", "docx", "rtf"} {
		r, err := b.runGo(goBench{pkg: "./shared/candidate/resume", pattern: "^BenchmarkTypes$/^" + kind + "$", time: "2x"})
		if err != nil {
			return figures, err
		}
		name := "Types/" + kind
		if kind == "pdf" {
			text := r.figure(12, "text of a PDF, mean", "ms CPU", name, "text-cpu-ms", ratioAtMost(2.5))
			figures = append(figures, text.beside("pdftotext", r.at(name, "pdftotext-cpu-ms")))
		}
		figures = append(figures,
			r.figure(12, "fields of a "+kind+", p50", "ms CPU", name, "fields-p50-cpu-ms", atMost(30)),
			r.figure(12, "fields of a "+kind+", p99", "ms CPU", name, "fields-p99-cpu-ms", told),
			r.figure(12, "peak memory for "+kind, "MB", name, "peak-MB", told))
	}
	return figures, nil
}
