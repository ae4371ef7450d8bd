// Command cost prints what the prod stages cost, for the operator's guide: for each unit of work,
// for a month at three loads, at three sizes with the levers of large stages, for an agency of three sizes, and
// fixed costs, those of alarms and canary among them. Units are those of package
// capacity, measured with much data; times and bytes are those in log lines of the tests (`go test
// ./local/run/system -run TestEventsThroughProcesses -v`) or stated assumptions; prices are those of us-east-1, in
// US dollars, without free tiers and taxes.
package main

import (
	_ "embed" // the tables
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

// newBills returns the bills of each load with each setting of the levers.
func newBills(loads []load, settings ...levers) (all []bill) {
	for _, l := range loads {
		for _, s := range settings {
			all = append(all, bill{l, s.name, s.cost(l), s.fixedCost()})
		}
	}
	return all
}

// Total returns the whole amount.
func (b bill) Total() float64 { return b.Costs.Total() + b.Fixed }

// PerMillion returns the cost of a million requests.
func (b bill) PerMillion() float64 { return b.Total() / b.requests * 1e6 }
