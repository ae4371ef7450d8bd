package main

import (
	_ "embed" // the alarms
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// alarms has, for each kind of alarm of a prod stage, how many alarms there are, composite ones
// among them, and how many metrics they look at. A test of package infra counts them in the template.
var alarms = readAlarms()

type alarmCount struct{ Alarms, Composites, Metrics int }

func (a alarmCount) dollars() float64 {
	return float64(a.Metrics)*perAlarm + float64(a.Composites)*perComposite
}

//go:embed alarms.json
var alarmsText []byte

func readAlarms() (counts struct {
	// Kinds has the alarms; Custom is the number of metrics of our own, each billed by the month, without those of
	// the canary alone.
	Kinds  map[string]alarmCount
	Custom int
}) {
	if err := json.Unmarshal(alarmsText, &counts); err != nil {
		panic(err) // a test ensures that it can be read
	}
	return counts
}

type position struct {
	name    string
	dollars float64
}

// fixed returns the costs of a month that do not depend on the load.
func fixed() []position {
	watching := 0.0
	for _, a := range alarms.Kinds {
		watching += a.dollars()
	}
	return []position{
		{"firewall (three rules)", 5 + 3},
		{"load balancer", 16.43 + 1},
		{"two upload tasks (0.5 vCPU, 1 GB, public address)", 2 * (14.42 + 3.65)},
		{"alarms", watching},
		{fmt.Sprintf("metrics of our own (%d)", alarms.Custom), float64(alarms.Custom) * perMetric},
		{"dashboard", 3},
		{"secrets (5)", 5 * 0.40},
		{"queue polling", 1},
		{"canary, every five minutes", canary().total()},
	}
}

// canaryRequests is what a run of the canary sends beside the submission and its three requests: its
// list, off-market and the list of roles, and as a recruiter two for roles, the CRM and calls, and one for
// recommended roles and matches.
const canaryRequests = 3 + 8

// canary returns the cost of a month of the canary: a run every five minutes, which submits one
// candidate and waits for it for about ten seconds, with 128 MB and a line of log, and two metrics of its own.
func canary() cost {
	runs := hours * 60 / 5
	own := unit{gbSeconds: 10 * 0.125, starts: 1, logBytes: 500}
	c := own.times(runs).add(load{requests: canaryRequests * runs, submissions: runs}.cost())
	c.rest += 2 * perMetric
	return c
}

func fixedCost() float64 {
	sum := sweeps().total()
	for _, f := range fixed() {
		sum += f.dollars
	}
	return sum
}

// search returns what a search domain costs a month: its nodes, of so many times the size of an r7g.large.search, their
// storage, and its alarms.
func search(nodes, size, storageGB float64) (machines, storage, watching float64) {
	return nodes * hours * size * perSearchNode, nodes * storageGB * perSearchGB, 4*perAlarm + perMetric
}

func formatFixed() string {
	var b strings.Builder
	b.WriteString("| Without load, a month | dollars |\n| - | -: |\n")
	for _, f := range fixed() {
		fmt.Fprintf(&b, "| %s | %.2f |\n", f.name, f.dollars)
	}
	fmt.Fprintf(&b, "| sweeper and publisher, every minute | %.2f |\n", sweeps().total())
	fmt.Fprintf(&b, "| all | **%.2f** |\n", fixedCost())
	return b.String()
}

func formatAlarms() string {
	var b strings.Builder
	b.WriteString("| Alarm | number | metrics | dollars a month |\n| - | -: | -: | -: |\n")
	for _, kind := range slices.Sorted(maps.Keys(alarms.Kinds)) {
		a := alarms.Kinds[kind]
		fmt.Fprintf(&b, "| `%s` | %d | %d | %.2f |\n", kind, a.Alarms, a.Metrics, a.dollars())
	}
	return b.String()
}

// formatSearch returns the guide's sentence on a search domain of two nodes.
func formatSearch() string {
	const nodes, storageGB = 2, 50
	machines, storage, watching := search(nodes, 1, storageGB)
	const sentence = "A search domain of %d r7g.large.search with %d GB each adds %.2f + %.2f, " +
		"and %.2f for its alarms: **%.0f**.\n"
	return fmt.Sprintf(sentence, nodes, storageGB, machines, storage, watching, machines+storage+watching)
}
