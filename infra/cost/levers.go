package main

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
)

// Prices.
const (
	perRead, perWrite     = 0.125e-6, 0.625e-6
	perGBSecond, perStart = 13.3334e-6, 0.20e-6
	perReadHour           = 0.00013            // provisioned
	perWriteHour          = 0.00065            //
	perRequest            = 1.00e-6            // HTTP API
	perProcessorHour      = 0.03238            // Fargate on ARM
	perMemoryHour         = 0.00356            // a GB
	perAddressHour        = 0.005              // public
	perBalancerUnit       = 0.008              // an hour, of 1 GB
	perEdge               = 1.00e-6 + 0.60e-6  // CloudFront, firewall
	perEdgeFunction       = 0.10e-6            // CloudFront's function
	perEgressGB           = 0.085              // of CloudFront, the first 10 TB
	perMessage            = 0.40e-6            //
	perPut, perGet        = 5e-6, 0.4e-6       //
	perLogGB              = 0.50 + 3*0.15*0.03 // ingested, and kept for three months
	perTableGB            = 0.25 + 0.20        // stored, and restorable
	perBucketGB           = 0.023
	perAlarm, perMetric   = 0.10, 0.30
	perComposite          = 0.50
	hours                 = 730.0
	perSearchNode         = 0.178 // r7g.large.search, an hour
	perSearchGB           = 0.122
)

// unit is the consumption of one request, submission or run: units of DynamoDB, GB-seconds of
// Lambda, invocations, requests, and bytes of log and of responses.
type unit struct {
	capacity.Units
	gbSeconds, starts, requests float64
	logBytes, sentBytes         float64
}

// A request is the mean of the mix at the targets (levers.cost); a submission is submit, a successful
// ingestion and three requests for the batch. Times are those of the tests plus 3 ms per wave of calls, and
// for ingestion a second for the profile provider. What a request costs depends on the levers.
var (
	measured   = capacity.ReadMeasurements()
	submission = unit{
		measured.UnitsOf("submitCandidate").Add(1, measured.UnitsOf("ingest")).Add(3, measured.UnitsOf("getBatch")),
		0.060 + 1.2 + 3*0.020, 5, 4, 5*1000 + 4*250, 4 * 1000,
	}
	// sweep is one run of a schedule of one minute.
	sweep = unit{measured.UnitsOf("sweep").Add(1, measured.UnitsOf("publish")), 0.15*3.5 + 0.1, 2, 0, 2 * 300, 0}
)

// cost is an amount in dollars, by category.
type cost [6]float64

// The categories of a cost, in the order of the tables.
const (
	database = iota
	functions
	edge
	egress
	logs
	rest
)

// Total returns the sum of all categories.
func (c cost) Total() (sum float64) {
	for _, dollars := range c {
		sum += dollars
	}
	return sum
}

func (u unit) times(n float64) cost {
	return cost{
		database:  n * (u.Reads*perRead + u.Writes*perWrite),
		functions: n * (u.gbSeconds*perGBSecond + u.starts*perStart),
		edge:      n * u.requests * (perRequest + perEdge + perEdgeFunction),
		egress:    n * u.sentBytes / 1e9 * perEgressGB,
		logs:      n * u.logBytes / 1e9 * perLogGB,
	}
}

func (c cost) add(other cost) cost {
	for i, dollars := range other {
		c[i] += dollars
	}
	return c
}

// perSubmissionRest is what messages and files of a submission cost.
const perSubmissionRest = 3*perMessage + 2*perPut + perGet

// levers are the settings of a stage that change what a request costs: its provisioned, gzipFrom, logSample
// and readTasks.
type levers struct {
	name                                        string
	provisioned, compressed, sampled, contained bool
}

var (
	ofProd   = levers{name: "as prod-us", compressed: true}
	ofScale  = levers{"as scale", true, true, true, true}
	stepwise = []levers{
		{name: "none"},
		{name: "`gzipFrom`", compressed: true},
		{name: "and `logSample`", compressed: true, sampled: true},
		{name: "and `provisioned`", compressed: true, sampled: true, provisioned: true},
		{name: "and `readTasks`: as scale", compressed: true, sampled: true, provisioned: true, contained: true},
	}
)

const (
	inUse = 0.70 // the share of provisioned units that a steady load uses
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
	// requestGBSeconds is the time of a function for one request: that of the tests plus 3 ms per wave of calls.
	requestGBSeconds = 0.020 * 0.25
)

// containedShare is the share of requests that the reads container serves, and loggedShare that of those which
// have a line in any case.
var (
	containedShare = capacity.RequestShare(func(t capacity.Target) bool {
		ofAgencies := []string{"listMembers", "listAgencyRoles", "searchAgencyRoles", "getAgencyRole"}
		return t.Surface == capacity.OfRecruiters || slices.Contains(ofAgencies, t.Operation)
	})
	loggedShare = unusual + capacity.RequestShare(func(t capacity.Target) bool {
		logged := []string{"lookupCandidates", "lookupPreferences", "offMarket", "reEnable", "putPreferences", "putFastTrack"}
		return slices.Contains(logged, t.Operation)
	})
)

func (l levers) price(u capacity.Units) float64 {
	if l.provisioned {
		return (u.Reads*perReadHour + u.Writes*perWriteHour) / 3600 / inUse
	}
	return u.Reads*perRead + u.Writes*perWrite
}

// cost returns what the load of a month, evenly over the month, costs without fixed costs.
func (l levers) cost(of load) cost {
	n := of.requests
	perSecond := n / hours / 3600
	inContainer := 0.0
	if l.contained {
		inContainer = containedShare
	}
	sent := 0.5*pageBytes + 0.5*smallBytes
	line := float64(lineBytes)
	pack := 0.0
	if l.compressed {
		pack = packSeconds
		sent = 0.5*pageBytes*packed + 0.5*smallBytes
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
		tasks := max(leastTasks, perSecond*containedShare*(readProcessor+pack)/readsInUse/2)
		c[functions] += tasks * hours * (2*perProcessorHour + 4*perMemoryHour + perAddressHour)
		c[edge] += n * inContainer * (sent + requestBytes) / 1e9 * perBalancerUnit
	}
	submitted := submission.times(of.submissions)
	submitted[database] = of.submissions * l.price(submission.Units)
	c = c.add(submitted)
	c[database] += of.storedGB * 0.2 * perTableGB
	c[rest] += of.submissions*perSubmissionRest + of.storedGB*perBucketGB
	return c
}
