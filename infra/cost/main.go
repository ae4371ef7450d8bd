// Command cost prints what the prod stages cost, for the operator's guide: for each unit of work,
// for a month at three loads, at three sizes with the levers of large stages, for an agency of three sizes, and
// fixed costs, those of alarms and canary among them. Units are those of package
// capacity, measured with much data; times and bytes are those in log lines of the tests (`go test
// ./local/run/system -run TestEventsThroughProcesses -v`) or stated assumptions; prices are those of us-east-1, in
// US dollars, without free tiers and taxes.
package main

import (
	"fmt"
	"strings"
)

func main() {
	for _, part := range tables() {
		fmt.Println(part)
	}
}

func tables() []string {
	return []string{
		formatRows("Load a month", loads, fixedCost()), formatSizes(), formatRows("Unit", units, 0),
		formatFixed(), formatAlarms(), formatSearch(),
	}
}

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

// units are units of work, and three sizes of an agency. The large one submits 230 candidates on each of 22 days.
var units = []load{
	{"1 million requests", 1e6, 0, 0},
	{"1,000 submissions, each with three requests for its batch", 0, 1000, 0},
	{"agency-month, small: 5 members, 10,000 requests, 100 submissions", 1e4, 100, 0.1},
	{"agency-month, medium: 50 members, 100,000 requests, 1,000 submissions", 1e5, 1000, 1},
	{"agency-month, large: 500 members, 1 million requests, 5,060 submissions", 1e6, 5060, 5},
}

// formatRows returns a table with a row for each load, and a column for fixed costs if they are not 0.
func formatRows(name string, rows []load, fixed float64) string {
	var b strings.Builder
	heads := []string{name, "DynamoDB", "Lambda", "API and edge", "egress", "logs", "queue, files"}
	if fixed > 0 {
		heads = append(heads, "fixed")
	}
	fmt.Fprintf(&b, "| %s | total |\n| - |%s\n", strings.Join(heads, " | "), strings.Repeat(" -: |", len(heads)))
	for _, l := range rows {
		c := l.cost()
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |",
			l.name, c.database, c.functions, c.edge, c.egress, c.logs, c.rest)
		if fixed > 0 {
			fmt.Fprintf(&b, " %.2f |", fixed)
		}
		total := c.total() + fixed
		cents := 0
		if total < 20 {
			cents = 2
		}
		fmt.Fprintf(&b, " **%.*f** |\n", cents, total)
	}
	return b.String()
}
