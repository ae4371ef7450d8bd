// Command cost prints the monthly costs of the prod stage at three loads, for the operator's guide.
// Units are those of package capacity, measured with much data; times and bytes are those in log
// lines of the tests (`go test ./local/system -run TestEventsThroughProcesses -v`); prices are
// those of us-east-1, in US dollars, without free tiers and taxes.
package main

import (
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
)

// load is the use of a month: submissions, each with its ingestion and three requests
// for its batch, the other requests, and the stored GB.
type load struct {
	name                  string
	requests, submissions float64
	storedGB              float64
}

var loads = []load{
	{"small: 100,000 requests, 2,000 submissions", 1e5, 2e3, 1},
	{"medium: 5 million requests, 100,000 submissions", 5e6, 1e5, 30},
	{"large: 100 million requests, 1 million submissions", 1e8, 1e6, 300},
}

// unit is the consumption of one request, submission or run: units of DynamoDB,
// GB-seconds of Lambda, and bytes of log.
type unit struct {
	capacity.Units
	gbSeconds, logBytes float64
}

// A request is the mean of the mix at the targets; a submission is submit, a successful
// ingestion and three requests for the batch. Times are those of the tests
// plus 3 ms per wave of calls, and for ingestion a second for the profile provider.
var (
	measured   = capacity.ReadMeasurements()
	request    = unit{measured.MeanRequest(), 0.020 * 0.25, 1000}
	submission = unit{
		measured.UnitsOf("submitCandidate").Add(1, measured.UnitsOf("ingest")).Add(3, measured.UnitsOf("getBatch")),
		0.060 + 1.2 + 3*0.020, 5 * 1000,
	}
	// sweep is one run of the schedule, which has 43,200 a month.
	sweep = unit{measured.UnitsOf("sweep"), 0.15 * 0.25, 0}
)

// Prices.
const (
	perRead, perWrite     = 0.125e-6, 0.625e-6
	perGBSecond, perStart = 13.3334e-6, 0.20e-6
	perRequest            = 1.00e-6 // HTTP API
	perEdge               = 1.00e-6 + 0.60e-6 + 0.10e-6
	perMessage            = 0.40e-6
	perPut, perGet        = 5e-6, 0.4e-6
	perLogGB              = 0.50
	perTableGB            = 0.25 + 0.20 // stored, and restorable
	perBucketGB           = 0.023
	runs                  = 43_200.0
	hours                 = 730.0
	perSearchNode         = 0.178 // r7g.large.search, an hour
	perSearchGB           = 0.122
	perAlarm, perMetric   = 0.10, 0.30
)

// fixed are the costs that do not depend on the load.
var fixed = []struct {
	name    string
	dollars float64
}{
	{"firewall (one rule)", 6},
	{"balancer", 16.43 + 1},
	{"one upload task (0.5 vCPU, 1 GB, public address)", 14.42 + 3.65},
	{"metrics of alarms (146), composite alarms (4), metrics (52), dashboard", 14.6 + 2 + 15.6 + 3},
	{"canary (8,640 runs, each 7 requests and a submission)", 1},
	{"secrets (4)", 1.6},
	{"queue polling", 1},
}

func main() { fmt.Print(formatTable(), "\n", formatSearch()) }

// formatSearch returns the guide's sentence on a search domain of two nodes.
func formatSearch() string {
	const nodes, storageGB = 2, 50
	machines, storage, watching := nodes*hours*perSearchNode, float64(nodes*storageGB*perSearchGB), 4*perAlarm+perMetric
	return fmt.Sprintf("A search domain of %d r7g.large.search with %d GB each adds %.2f + %.2f, and %.2f for its alarms: **%.0f**.\n",
		nodes, storageGB, machines, storage, watching, machines+storage+watching)
}

// formatTable returns the guide's table, one row per load.
func formatTable() string {
	var b strings.Builder
	b.WriteString("| Load a month | DynamoDB | Lambda | API and edge | queue, files, logs | fixed | total |\n| - | -: | -: | -: | -: | -: | -: |\n")
	standing := 0.0
	for _, f := range fixed {
		standing += f.dollars
	}
	for _, l := range loads {
		database, functions, edge, rest := l.databaseCost(), l.functionCost(), l.edgeCost(), l.otherCost()
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | **%.0f** |\n",
			l.name, database, functions, edge, rest, standing, database+functions+edge+rest+standing)
	}
	return b.String()
}

func (l load) databaseCost() float64 {
	used := capacity.Units{}.Add(l.requests, request.Units).Add(l.submissions, submission.Units).Add(runs, sweep.Units)
	return used.Reads*perRead + used.Writes*perWrite + l.storedGB*0.2*perTableGB
}

func (l load) functionCost() float64 {
	seconds := l.requests*request.gbSeconds + l.submissions*submission.gbSeconds + runs*sweep.gbSeconds
	return seconds*perGBSecond + (l.requests+5*l.submissions+runs)*perStart
}

func (l load) edgeCost() float64 { return (l.requests + 4*l.submissions) * (perRequest + perEdge) }

func (l load) otherCost() float64 {
	logs := (l.requests*request.logBytes + l.submissions*submission.logBytes) / 1e9
	return l.submissions*(3*perMessage+2*perPut+perGet) + logs*perLogGB + l.storedGB*perBucketGB
}
