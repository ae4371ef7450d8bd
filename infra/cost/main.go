// Command cost prints what the prod stages cost, for the operator's guide: for each unit of work,
// for a month at three loads, at three sizes with the levers of large stages, for an agency of three sizes, and
// fixed costs, those of alarms and canary among them. Units are those of package
// capacity, measured with much data; times and bytes are those in log lines of the tests (`go test
// ./local/run/system -run TestEventsThroughProcesses -v`) or stated assumptions; prices are those of us-east-1, in
// US dollars, without free tiers and taxes.
package main

import (
	_ "embed" // the tables
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
)

func main() { fmt.Println(formatTables()) }

// layout has the tables, with an empty line between them. It is filled in formatTables.
//
//go:embed tables.tmpl
var layout string

func formatTables() string {
	const nodes, storageGB = 2, 50
	machines, storage, watching := search(nodes, 1, storageGB)
	var text strings.Builder
	err := template.Must(template.New("tables").Parse(layout)).Execute(&text, map[string]any{
		"Loads": newBills(loads, ofProd), "Units": newBills(units, ofProd),
		"Compared": newBills([]load{steady(1000), steady(100_000)}, levers{name: "none"}, ofProd, ofScale),
		"Stepwise": newBills([]load{steady(1_000_000)}, stepwise...),
		"Fixed":    fixed(), "FixedCost": fixedCost(), "Alarms": alarms.Kinds,
		"Nodes": nodes, "StorageGB": storageGB, "Machines": machines, "Storage": storage, "Watching": watching,
		"Search": machines + storage + watching,
	})
	if err != nil {
		panic(err) // a test ensures that it can be filled
	}
	return text.String()
}

// load is the use of a month: submissions, each with its ingestion and three requests
// for its batch, the other requests, and the stored GB.
type load struct {
	Name                  string
	requests, submissions float64
	storedGB              float64
}

var loads = []load{
	{"small: 100,000 requests, 2,000 submissions", 1e5, 2e3, 1},
	{"medium: 5 million requests, 100,000 submissions", 5e6, 1e5, 30},
	{"large: 100 million requests, 1 million submissions", 1e8, 1e6, 300},
}

// units are units of work, and three sizes of an agency. The large one submits 230 candidates on each of 22 days.
var units = []load{
	{"1 million requests", 1e6, 0, 0},
	{"1,000 submissions, each with three requests for its batch", 0, 1000, 0},
	{"agency-month, small: 5 members, 10,000 requests, 100 submissions", 1e4, 100, 0.1},
	{"agency-month, medium: 50 members, 100,000 requests, 1,000 submissions", 1e5, 1000, 1},
	{"agency-month, large: 500 members, 1 million requests, 5,060 submissions", 1e6, 5060, 5},
}

// steady returns a steady load, with the submissions of 230 candidates on 22 days from each of 10,000 agencies at a million
// requests a minute.
func steady(perMinute float64) load {
	return load{capacity.FormatNumber(perMinute), perMinute * 60 * hours, perMinute / 1e6 * 230 * 22 * 10_000, 0}
}

// bill is a row of a table: what a load costs a month.
type bill struct {
	load
	Levers string
	Costs  cost
	Fixed  float64
}

func newBills(loads []load, settings ...levers) (all []bill) {
	for _, l := range loads {
		for _, s := range settings {
			fixed := fixedCost()
			if s.contained { // as scale, which has a search domain
				machines, storage, watching := search(3, 2, 100)
				fixed += machines + storage + watching
			}
			all = append(all, bill{l, s.name, s.cost(l), fixed})
		}
	}
	return all
}

// Total returns the whole amount.
func (b bill) Total() float64 { return b.Costs.Total() + b.Fixed }

// PerMillion returns the cost of a million requests.
func (b bill) PerMillion() float64 { return b.Total() / b.requests * 1e6 }

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
	// The canary submits one candidate every five minutes and waits for it for about ten seconds, with 128 MB and a line
	// of log, and has two metrics of its own. Beside the submission and its three requests it sends its list, off-market
	// and the list of roles, and as a recruiter two for roles, the CRM and calls, and one for recommended roles and matches.
	const requests = 3 + 8
	runs := hours * 60 / 5
	own := unit{gbSeconds: 10 * 0.125, starts: 1, logBytes: 500}
	canary := own.times(runs).add(ofProd.cost(load{requests: requests * runs, submissions: runs}))
	canary[rest] += 2 * perMetric
	return []position{
		{"firewall (three rules)", 5 + 3},
		{"load balancer", 16.43 + 1},
		{"two upload tasks (0.5 vCPU, 1 GB, public address)", 2 * (14.42 + 3.65)},
		{"alarms", watching},
		{fmt.Sprintf("metrics of our own (%d)", alarms.Custom), float64(alarms.Custom) * perMetric},
		{"dashboard", 3},
		{"secrets (5)", 5 * 0.40},
		{"queue polling", 1},
		{"canary, every five minutes", canary.Total()},
		{"sweeper and publisher, every minute", sweep.times(hours * 60).Total()},
	}
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
