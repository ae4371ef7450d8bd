package main

import "github.com/recruiting-marketplace/external-api/infra/capacity"

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

// A request is the mean of the mix at the targets (levers.requestsFor); a submission is submit, a successful
// ingestion and three requests for the batch. Times are those of the tests
// plus 3 ms per wave of calls, and for ingestion a second for the profile provider. What a request costs
// depends on the levers.
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
type cost struct{ database, functions, edge, egress, logs, rest float64 }

func (c cost) total() float64 {
	return c.database + c.functions + c.edge + c.egress + c.logs + c.rest
}

// times returns the cost of n units.
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
	return cost{
		c.database + other.database, c.functions + other.functions, c.edge + other.edge,
		c.egress + other.egress, c.logs + other.logs, c.rest + other.rest,
	}
}

// cost returns what a load costs in prod-us, without fixed costs.
func (l load) cost() cost {
	c := ofProd.requestsFor(l.requests).add(ofProd.submissionsFor(l.submissions))
	c.database += l.storedGB * 0.2 * perTableGB
	c.rest = l.submissions*perSubmissionRest + l.storedGB*perBucketGB
	return c
}

// perSubmissionRest is what messages and files of a submission cost.
const perSubmissionRest = 3*perMessage + 2*perPut + perGet

// sweeps returns the cost of a month of the schedules of one minute.
func sweeps() cost { return sweep.times(hours * 60) }
