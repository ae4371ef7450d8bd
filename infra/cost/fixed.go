package main

import (
	_ "embed" // the alarms
	"encoding/json"
	"fmt"
)

// alarms has, for each kind of alarm of a prod stage, how many alarms there are, composite ones
// among them, and how many metrics they look at. A test of package infra counts them in the template.
var alarms = readAlarms()

type alarmCount struct{ Alarms, Composites, Metrics int }

// Dollars returns what the alarms cost a month.
func (a alarmCount) Dollars() float64 {
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
	Name    string
	Dollars float64
}

// fixed returns the costs of a month that do not depend on the load.
func fixed() []position {
	watching := 0.0
	for _, a := range alarms.Kinds {
		watching += a.Dollars()
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
		{"canary, every five minutes", canary().Total()},
		{"sweeper and publisher, every minute", sweep.times(hours * 60).Total()},
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
	c := own.times(runs).add(ofProd.cost(load{requests: canaryRequests * runs, submissions: runs}))
	c[rest] += 2 * perMetric
	return c
}

func fixedCost() (sum float64) {
	for _, f := range fixed() {
		sum += f.Dollars
	}
	return sum
}

// search returns what a search domain costs a month: its nodes, of so many times the size of an r7g.large.search, their
// storage, and its alarms.
func search(nodes, size, storageGB float64) (machines, storage, watching float64) {
	return nodes * hours * size * perSearchNode, nodes * storageGB * perSearchGB, 4*perAlarm + perMetric
}
