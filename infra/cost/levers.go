package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
)

// levers are the settings of a stage that change what a request costs: its provisioned, gzipFrom, logSample
// and readTasks.
type levers struct {
	name                                        string
	provisioned, compressed, sampled, contained bool
}

var (
	ofProd  = levers{name: "as prod-us", compressed: true}
	ofScale = levers{"as scale", true, true, true, true}
	// stepwise has one lever after another.
	stepwise = []levers{
		{name: "none"},
		{name: "`gzipFrom`", compressed: true},
		{name: "and `logSample`", compressed: true, sampled: true},
		{name: "and `provisioned`", compressed: true, sampled: true, provisioned: true},
		{name: "and `readTasks`: as scale", compressed: true, sampled: true, provisioned: true, contained: true},
	}
)

const (
	// inUse is the share of provisioned units that a steady load uses.
	inUse = 0.70
	// A response of 10 KB, a page of 50 rows, is assumed for half of all requests, and one of 1 KB for the
	// others. packed is what gzip leaves of such a page (BenchmarkGzip of functions/roles measured 0.23, of
	// 20 KB), and packSeconds its processor time for the mean request.
	pageBytes, smallBytes = 10_000, 1000
	packed                = 0.24
	packSeconds           = 0.5 * 41e-6
	// A request has a line of a function or a container and, without a container, one of API Gateway. With
	// sampled lines, one in sample of those that succeed has one, and everything else: writes and look-ups by
	// POST, and one in a hundred, which fails or is slow.
	lineBytes, accessBytes = 1000, 250
	sample, unusual        = 20, 0.01
	// A request takes the container as much processor time, in tasks of two processors and 4 GB of which half
	// is in use; a task for each tasksEvery requests a second, and two at least.
	readProcessor, readsInUse = 1.1e-3, 0.5
	leastTasks                = 2
	requestBytes              = 1000 // that the balancer counts beside the response
)

// containedShare is the share of requests that the reads container serves, and loggedShare that of those which
// have a line in any case.
var (
	containedShare = capacity.RequestShare(func(t capacity.Target) bool {
		return t.Surface == capacity.OfRecruiters ||
			isOneOf(t, "listMembers", "listAgencyRoles", "searchAgencyRoles", "getAgencyRole")
	})
	loggedShare = unusual + capacity.RequestShare(func(t capacity.Target) bool {
		return isOneOf(t,
			"lookupCandidates", "lookupPreferences", "offMarket", "reEnable", "putPreferences", "putFastTrack")
	})
)

func isOneOf(t capacity.Target, operations ...string) bool {
	return slices.Contains(operations, t.Operation)
}

// price returns the cost of units, each paid for or provisioned.
func (l levers) price(u capacity.Units) float64 {
	if l.provisioned {
		return (u.Reads*perReadHour + u.Writes*perWriteHour) / 3600 / inUse
	}
	return u.Reads*perRead + u.Writes*perWrite
}

// requestsFor returns the cost of a month's n requests, evenly over the month.
func (l levers) requestsFor(n float64) cost {
	perSecond := n / hours / 3600
	inContainer := 0.0
	if l.contained {
		inContainer = containedShare
	}
	sent, line, pack := l.bytesSent(), float64(lineBytes), 0.0
	if l.compressed {
		pack = packSeconds
	}
	if l.sampled {
		line *= loggedShare + (1-loggedShare)/sample
	}
	c := cost{
		database:  n * l.price(measured.MeanRequest()),
		functions: n * (1 - inContainer) * ((requestGBSeconds+pack)*perGBSecond + perStart),
		edge:      n * (perEdge + perEdgeFunction + (1-inContainer)*perRequest),
		egress:    n * sent / 1e9 * perEgressGB,
		logs:      n * (line + (1-inContainer)*accessBytes) / 1e9 * perLogGB,
	}
	if l.contained {
		c.functions += l.tasks(perSecond, pack) * hours * (2*perProcessorHour + 4*perMemoryHour + perAddressHour)
		c.edge += n * inContainer * (sent + requestBytes) / 1e9 * perBalancerUnit
	}
	return c
}

// requestGBSeconds is the time of a function for one request: that of the tests plus 3 ms per wave of calls.
const requestGBSeconds = 0.020 * 0.25

// bytesSent returns the mean size of a response.
func (l levers) bytesSent() float64 {
	if l.compressed {
		return 0.5*pageBytes*packed + 0.5*smallBytes
	}
	return 0.5*pageBytes + 0.5*smallBytes
}

// tasks returns the number of tasks of the container, of two processors each.
func (l levers) tasks(perSecond, pack float64) float64 {
	return max(leastTasks, perSecond*containedShare*(readProcessor+pack)/readsInUse/2)
}

// submissionsFor returns the cost of n submissions.
func (l levers) submissionsFor(n float64) cost {
	c := submission.times(n)
	c.database = n * l.price(submission.Units)
	return c
}

// size is a steady load, with the submissions of 230 candidates on 22 days from each of 10,000 agencies at the
// largest.
type size struct {
	perMinute float64
	levers    []levers
}

// formatSizes returns the guide's table of three sizes with and without the levers.
func formatSizes() string {
	var b strings.Builder
	b.WriteString("| Requests a minute | Levers | DynamoDB | Lambda, tasks | API and edge | egress | logs ")
	b.WriteString("| queue, files | fixed | a month | a million |\n")
	b.WriteString("| -: | - | -: | -: | -: | -: | -: | -: | -: | -: | -: |\n")
	compared := []levers{{name: "none"}, ofProd, ofScale}
	for _, s := range []size{{1000, compared}, {100_000, compared}, {1_000_000, stepwise}} {
		for _, l := range s.levers {
			b.WriteString(s.row(l))
		}
	}
	return b.String()
}

func (s size) row(l levers) string {
	requests := s.perMinute * 60 * hours
	c, fixed := s.cost(l)
	total := c.total() + fixed
	return fmt.Sprintf("| %s | %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | **%.0f** | %.2f |\n",
		capacity.FormatNumber(s.perMinute), l.name, c.database, c.functions, c.edge, c.egress, c.logs, c.rest,
		fixed, total, total/requests*1e6)
}

// cost returns what the load of a month costs, and the fixed cost of the month.
func (s size) cost(l levers) (c cost, fixed float64) {
	submissions := s.perMinute / 1e6 * 230 * 22 * 10_000
	c = l.requestsFor(s.perMinute * 60 * hours).add(l.submissionsFor(submissions))
	c.rest += submissions * perSubmissionRest
	fixed = fixedCost()
	if l.contained { // as scale, which has a search domain
		fixed += scaleSearch()
	}
	return c, fixed
}
