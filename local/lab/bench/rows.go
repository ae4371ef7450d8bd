package main

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
)

// results are those of benchmarks by name, without "Benchmark" and the number of processors, and unit: "Mix calls/s". A
// benchmark that ran has a 1 by its name alone.
type results map[string]float64

// at returns a result as the only sample, and none if it is missing.
func (r results) at(name string) []float64 {
	if value, ok := r[name]; ok {
		return []float64{value}
	}
	return nil
}

// goRows has the rows that benchmarks measure. It says itself how they are written.
//
//go:embed rows.txt
var goRows string

func benchmarks(row int) func(*bench) ([]figure, error) {
	return func(b *bench) ([]figure, error) {
		var figures []figure
		for _, part := range strings.Split(goRows, "\nrun ")[1:] {
			command, lines, _ := strings.Cut(part, "\n")
			if !strings.HasPrefix(lines, fmt.Sprint(row, " |")) {
				continue
			}
			r, err := b.runGo(strings.Fields(command)...)
			if err != nil {
				return figures, err
			}
			for line := range strings.Lines(strings.TrimSpace(lines)) {
				if f, isMeant := r.readFigure(row, line); isMeant {
					figures = append(figures, f)
				}
			}
		}
		return figures, nil
	}
}

var placeholder = regexp.MustCompile(`{.*?}`)

// readFigure returns the figure of a line of goRows. It reports false for one to be left out.
func (r results) readFigure(row int, line string) (f figure, isMeant bool) {
	var cells [7]string
	for i, cell := range strings.Split(line, "|") {
		cells[i] = strings.TrimSpace(cell)
	}
	name, isOptional := strings.CutPrefix(cells[1], "? ")
	result, less, _ := strings.Cut(cells[3], " - ")
	benchmark, metric, _ := strings.Cut(result, " ")
	f = figure{Row: row, Unit: cells[2], Ours: r.at(result), Peer: cells[5], Theirs: r.at(benchmark + " " + cells[6])}
	if f.Ours != nil {
		f.Ours[0] -= r[less+" "+metric]
	}
	f.Name = placeholder.ReplaceAllStringFunc(name, func(of string) string {
		return strconv.FormatFloat(r[benchmark+" "+strings.Trim(of, "{}")], 'f', -1, 64)
	})
	f.Goal, f.Note = readGoal(cells[4])
	return f, !isOptional || r.at(benchmark) != nil
}

// runGo runs a command with its settings, as a line of [goRows] has them, and returns the results of its benchmarks. It fails if
// there are none.
func (b *bench) runGo(words ...string) (results, error) {
	if _, err := exec.LookPath("mvn"); err != nil {
		words = slices.DeleteFunc(words, func(word string) bool { return word == ".ci/opensearch" })
	}
	out, err := b.run(".", nil, "env", words...)
	if err != nil {
		return nil, fmt.Errorf("read the settings of Go: %w", err)
	}
	found := parseResults(out)
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no benchmark %s:\n%s", strings.Join(words, " "), out)
	}
	return found, nil
}

// parseResults reads lines of the Go benchmark format: a name, the number of iterations, and pairs
// of a value and its unit. Of a benchmark that ran several times it returns the medians.
func parseResults(out string) results {
	samples := map[string][]float64{}
	for line := range strings.Lines(out) {
		name, isResult := strings.CutPrefix(line, "Benchmark")
		fields := strings.Fields(name)
		if !isResult || len(fields) < 4 {
			continue
		}
		name = processors.ReplaceAllString(fields[0], "")
		samples[name] = append(samples[name], 1)
		for pair := range slices.Chunk(fields[2:], 2) {
			value, err := strconv.ParseFloat(pair[0], 64)
			if err != nil || len(pair) < 2 {
				break
			}
			samples[name+" "+pair[1]] = append(samples[name+" "+pair[1]], value)
		}
	}
	medians := results{}
	for name, values := range samples {
		medians[name] = median(values)
	}
	return medians
}

// processors is their number, which the testing package appends to a name if it is not 1.
var processors = regexp.MustCompile(`-[0-9]+$`)

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
	r.ours, err = b.runGo("BENCH_RECORDED="+recorded, "GOMAXPROCS=1", "GOGC=800", // as deployed
		"go", "test", "-run=^$", "-benchmem", "-timeout=30m", "-bench=^BenchmarkWarm$", "-benchtime=6x", capacityPackage)
	if err != nil {
		return r, fmt.Errorf("measure the handlers: %w", err)
	}
	r.node = map[string]float64{}
	settings := strings.Fields("NODE_ENV=production AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x TABLE_ACCOUNTS=accounts")
	for _, route := range warmRoutes {
		out, err := b.run(filepath.Join(peersDir, "node"), settings, "node", "warm.mjs", recorded, route.name, "6")
		if err != nil {
			return r, fmt.Errorf("measure the peer in Node: %w", err)
		}
		r.node[route.name], err = strconv.ParseFloat(strings.TrimSpace(out), 64)
		if err != nil {
			return r, fmt.Errorf("read the milliseconds: %w", err)
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
		name := "Warm/" + route.name + " "
		whole := figure{Row: 6, Unit: "µs CPU"}
		over := figure{Row: 6, Name: route.text + ", over its calls alone", Unit: "µs CPU", Every: true}
		if route.most > 0 {
			over.Goal = atMost(route.most)
		}
		perCore := figure{Row: 6, Name: route.text + ", one core", Unit: "a second", Goal: ratioAtLeast(4), Every: true}
		perCore.Peer = "Express on Node"
		for _, round := range all {
			used := round.ours[name+"cpu-us"]
			whole.Ours = append(whole.Ours, used)
			over.Ours = append(over.Ours, used-round.ours[name+"client-cpu-us"])
			perCore.Ours = append(perCore.Ours, 1e6/used)
			perCore.Theirs = append(perCore.Theirs, 1e6/round.node[route.name])
		}
		m := all[0].ours
		whole.Name = fmt.Sprintf("%s: %.0f a second; p50 %.0f, p99 %.0f µs; %.0f KB, %.0f allocations", route.text,
			1e6/median(whole.Ours), m[name+"p50-us"], m[name+"p99-us"], m[name+"B/op"]/1000, m[name+"allocs/op"])
		figures = append(figures, whole, over, perCore)
	}
	return figures, nil
}

// measureSizes measures row 4: the programs and archives of the deployment.
func measureSizes(b *bench) ([]figure, error) {
	if _, err := b.run(".", nil, "make", "--no-print-directory", "build"); err != nil {
		return nil, fmt.Errorf("build the functions: %w", err)
	}
	echo := filepath.Join(b.dir, "echo-arm64")
	if err := b.buildPeer("echo", echo, "GOOS=linux", "GOARCH=arm64"); err != nil {
		return nil, fmt.Errorf("build the echo: %w", err)
	}
	theirs, err := megabytes(echo)
	if err != nil {
		return nil, fmt.Errorf("measure the echo: %w", err)
	}
	var figures []figure
	for _, f := range append([]string{"ingest"}, httpFunctions...) {
		program, err := megabytes(filepath.Join("build", f, "bootstrap"))
		if err != nil {
			return nil, fmt.Errorf("measure a program: %w", err)
		}
		zip, err := megabytes(filepath.Join("build", f+".zip"))
		if err != nil {
			return nil, err
		}
		mostProgram := 9.0
		mostZip := 3.3
		if f == "ingest" {
			mostProgram = 22
			mostZip = 8
		}
		figures = append(figures,
			figure{Row: 4, Name: "program of " + f, Unit: "MB", Ours: program, Peer: "bare echo", Theirs: theirs, Goal: atMost(mostProgram)},
			figure{Row: 4, Name: "zip of " + f, Unit: "MB", Ours: zip, Goal: atMost(mostZip)})
	}
	return figures, nil
}

// megabytes returns the size of a file in millions of bytes, as the only sample.
func megabytes(path string) ([]float64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return []float64{float64(info.Size()) / 1e6}, nil
}

// Prices of DynamoDB's units, in dollars for a million.
const readPrice, writePrice = 0.125, 0.625

var readsByID = []string{
	"getCandidate", "getPreferences", "getFastTrack", "getRole", "getAgencyRole", "getCRMCandidate", "getCall", "getBatch",
}

// shownCosts are the other operations with costs in the table; the file of samples has all.
var shownCosts = []string{"identity", "listCandidates", "listRoles", "listCRMCandidates", "submitCandidate", "submitBulk", "ingest"}

// measureUnits measures rows 7 and 8: the units of the capacity model, which a test holds to the
// units operations use at scale, and within 1.2 times that at a tenth of it; and what they cost.
func measureUnits(b *bench) ([]figure, error) {
	_, err := b.run(".", nil, "go", "test", "-run=^TestOperationsUseWhatIsRecorded$", "-count=1", capacityPackage)
	if err != nil {
		return nil, fmt.Errorf("measure the units: %w", err)
	}
	measured := capacity.ReadMeasurements()
	flat := figure{Row: 7, Name: "operations of constant units (docs/capacity.md)", Unit: "operations", Note: "told; flat, or a test fails"}
	flat.Ours = []float64{float64(len(measured.Operations))}
	figures := []figure{flat}
	for _, name := range slices.Sorted(maps.Keys(measured.Operations)) {
		u := measured.UnitsOf(name)
		figures = append(figures, figure{Row: 7, Name: name, Unit: "units", Ours: []float64{u.Reads + u.Writes}, Hidden: true})
		isRead := slices.Contains(readsByID, name)
		cost := figure{
			Row: 8, Name: "database of " + name, Unit: "$ a million", Ours: dollars(u), Peer: "one write, one read",
			Theirs: dollars(capacity.Units{Reads: 1, Writes: 1}), Hidden: !isRead && !slices.Contains(shownCosts, name),
		}
		if isRead {
			cost.Goal = ratioAtMost(1.3)
		}
		figures = append(figures, cost)
	}
	return figures, nil
}

func dollars(u capacity.Units) []float64 { return []float64{u.Reads*readPrice + u.Writes*writePrice} }

// measureChecks reports row 17: what the last `make test` and `.ci/run` of this working copy took.
// Running them here would take longer than the rest.
func measureChecks(*bench) ([]figure, error) {
	var figures []figure
	for _, check := range []struct {
		name, file string
		most       float64
	}{{"make test, the last run", ".bin/test.seconds", 210}, {".ci/run, the last run", ".bin/ci.seconds", 900}} {
		f := figure{Row: 17, Name: check.name, Unit: "s", Goal: atMost(check.most)}
		if text, err := os.ReadFile(check.file); err == nil {
			seconds, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
			if err != nil {
				return nil, fmt.Errorf("%s is not a number of seconds: %w", check.file, err)
			}
			f.Ours = []float64{seconds}
		}
		figures = append(figures, f)
	}
	return figures, nil
}
