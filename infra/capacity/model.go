// Package capacity is a model of the load on the tables. From the units that each operation uses of
// each partition key ([ReadMeasurements]; the tests of local/testkit/capacity measure them) and from how
// often it runs ([Targets]) it computes the units a second of each table and index. Those of the busiest key of every
// form are computed by the same tests, which write the tables of docs/capacity.md.
//
// It calls nothing in AWS. The deployment derives the warm throughput of tables from it, and infra/cost
// takes its units from the same measurements.
package capacity

import (
	_ "embed" // the measurements
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// TableUnits returns the units a second of each table, by its name, and of each global index, by
// the names of the table and the index. It panics on an operation without a target, and a target without an operation.
func (m Measurements) TableUnits() map[string]Units {
	untargeted := maps.Clone(m.Operations)
	sums := map[string]Units{}
	for _, t := range Targets() {
		operation, ok := m.Operations[t.Operation]
		if !ok {
			panic("capacity: not measured: " + t.Operation)
		}
		delete(untargeted, t.Operation)
		for _, form := range slices.Sorted(maps.Keys(operation.Keys)) { // sorted: the last digit of a sum depends on the order
			sums[tableOf(form)] = sums[tableOf(form)].Add(t.PerSecond, operation.Keys[form].Total)
		}
	}
	for name := range untargeted {
		panic("capacity: no target: " + name)
	}
	return sums
}

// tableOf returns the table of a form of keys, or the table and the index of which it is.
func tableOf(form string) string {
	if !strings.ContainsRune(form, '<') {
		return form
	}
	table, _, _ := strings.Cut(form, " ")
	return table
}

// Units are read and write units of DynamoDB.
type Units struct {
	Reads  float64 `json:"reads,omitempty"`
	Writes float64 `json:"writes,omitempty"`
}

// Add returns the sum of u and n times v.
func (u Units) Add(n float64, v Units) Units {
	return Units{u.Reads + n*v.Reads, u.Writes + n*v.Writes}
}

// Use is the units that one run of an operation uses of the keys of one form.
type Use struct {
	// Total is the sum of all keys. Busiest has the most reads of one key, and the most writes of one key.
	Total   Units `json:"total"`
	Busiest Units `json:"busiest"`
}

// Measurements has what the tests of local/testkit/capacity have measured.
type Measurements struct {
	// Operations has what one run of each operation uses, by name.
	Operations map[string]Operation `json:"operations"`
	// LargestItems has the size in bytes of the largest item for each form of partition key.
	LargestItems map[string]int `json:"largestItems"`
}

// Operation is what one run of an operation uses.
type Operation struct {
	// Calls is the number of calls to all AWS services.
	Calls int `json:"calls"`
	// Keys has the use of keys by their form: the table and the form of its partition key, such as
	// "accounts A#<agency>", or the table and the name of a global index.
	Keys map[string]Use `json:"keys"`
}

// Units returns the sum of the units of all keys.
func (o Operation) Units() (sum Units) {
	for _, use := range o.Keys {
		sum = sum.Add(1, use.Total)
	}
	return sum
}

// UnitsOf returns the units of one run of an operation. It panics if the operation is not measured.
func (m Measurements) UnitsOf(operation string) Units {
	o, ok := m.Operations[operation]
	if !ok {
		panic("capacity: not measured: " + operation)
	}
	return o.Units()
}

// MeanRequest returns the mean units of a request at the targets, without submissions.
func (m Measurements) MeanRequest() (mean Units) {
	var all float64
	for _, t := range mix {
		all += t.PerSecond
	}
	for _, t := range mix {
		mean = mean.Add(t.PerSecond/all, m.UnitsOf(t.Operation))
	}
	return mean
}

//go:embed measurements.json
var recorded []byte

// ReadMeasurements returns the recorded measurements. It panics if they are malformed.
func ReadMeasurements() (m Measurements) {
	if err := json.Unmarshal(recorded, &m); err != nil {
		panic(err)
	}
	return m
}

// FormatNumber returns a number with separators for thousands, and with one decimal if it is below 10.
func FormatNumber(n float64) string {
	if n < 10 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", n), ".0")
	}
	digits := fmt.Sprintf("%.0f", n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// The load for which the model computes: 10,000 agencies, 1,000,000 requests a minute, 1,000,000
// roles of which each changes once a day, a CRM of 100,000 candidates.
const (
	// Requests is the number of requests a second of all callers.
	Requests = 1_000_000.0 / 60
	// roleChanges is the number of changes a second of a million roles, each of which changes once a day.
	roleChanges = 1_000_000.0 / (24 * 3600)
	// Submissions is the number of submissions a second, single and in bulk: 230 candidates a day
	// from each of 10,000 agencies, within four hours.
	Submissions = 160.0
	// RoleInstances is the number of instances of the function that lists roles: half of all
	// requests, at 40 ms each, and half as many again for peaks.
	RoleInstances = 0.5 * Requests * 0.040 * 1.5
)

// Target is how often an operation runs.
type Target struct {
	// Operation is the name of a measured operation.
	Operation string
	PerSecond float64
	// Surface is the kind of callers that send it.
	Surface Surface
}

// Surface is the kind of callers of an operation.
type Surface int

// The surfaces. Elsewhere is for workers and for requests without a key.
const (
	Elsewhere Surface = iota
	OfAgencies
	OfRecruiters
)

// mix has the number of requests of each operation in a thousand requests. An agency's integration
// polls its list, its batches and roles; a recruiter's assistant lists and reads roles and
// candidates. As many candidates are taken off the market, fifty at a time, as are submitted.
var mix = []Target{
	{"health", 1, Elsewhere}, {"docs", 1, Elsewhere}, {"docsPage", 1, Elsewhere}, {"openapiJSON", 1, Elsewhere},
	{"openapiYAML", 1, Elsewhere}, {"docsMarkdown", 1, Elsewhere}, {"llms", 1, Elsewhere}, {"changeFeed", 1, Elsewhere},

	{"identity", 5, OfAgencies}, {"listEnumerations", 1, OfAgencies}, {"listMembers", 2, OfAgencies},
	{"listCandidates", 30, OfAgencies}, {"listCandidates by recruiterEmail", 20, OfAgencies},
	{"listCandidates by status", 10, OfAgencies},
	{"lookupCandidates", 20, OfAgencies}, {"lookupPreferences", 10, OfAgencies}, {"offMarket", 0.2, OfAgencies},
	{"reEnable", 0.2, OfAgencies},
	{"getCandidate", 10, OfAgencies}, {"getPreferences", 20, OfAgencies}, {"putPreferences", 10, OfAgencies},
	{"getFastTrack", 10, OfAgencies}, {"putFastTrack", 5, OfAgencies},
	{"listAgencyRoles", 60, OfAgencies}, {"searchAgencyRoles", 60, OfAgencies}, {"getAgencyRole", 60, OfAgencies},

	{"listRoles", 120, OfRecruiters}, {"listRoles by query", 80, OfRecruiters}, {"getRole", 120, OfRecruiters},
	{"listActiveRoles", 60, OfRecruiters}, {"getSavedPreferences", 10, OfRecruiters},
	{"listRecommendedRoles", 30, OfRecruiters},
	{"listCRMCandidates", 60, OfRecruiters}, {"listCRMCandidates by query", 20, OfRecruiters},
	{"getCRMCandidate", 60, OfRecruiters},
	{"listMatches", 30, OfRecruiters}, {"listAutoMatches", 5, OfRecruiters}, {"listCalls", 20, OfRecruiters},
	{"getCall", 20, OfRecruiters},
}

// others are the operations with rates that are not part of the mix. Three in eight submissions are
// single, and each batch is polled three times.
var others = []Target{
	{"submitCandidate", singles, OfAgencies}, {"submitBulk", bulks, OfAgencies},
	{"uploadResume", 100 * bulks, OfAgencies},
	{"getBatch", 3 * (singles + bulks), OfAgencies}, {"listBatches", singles + bulks, OfAgencies},
	{"listChanges", agencies / 30, OfAgencies}, {"listChanges of 50", entries / 50, OfAgencies},
	{"ingest", Submissions, Elsewhere},
	{"feed role", roleChanges, Elsewhere}, {"feed hiringManagerMetrics", roleChanges, Elsewhere},
	{"feed rolePipeline", 20, Elsewhere},
	{"feed roleAssignment", 10, Elsewhere}, {"feed company", 0.2, Elsewhere}, {"feed announcement", 1, Elsewhere},
	{"feed intakeTranscript", 1, Elsewhere}, {"feed savedPreferences", 1, Elsewhere},
	{"feed crmCandidate", 100, Elsewhere},
	{"feed application", 20, Elsewhere}, {"feed match", 5, Elsewhere}, {"feed call", 10, Elsewhere},
	{"feed agency", 0.1, Elsewhere}, {"feed member", 1, Elsewhere}, {"feed recruiter", 1, Elsewhere},
	{"feed membership.offMarketSet", 5, Elsewhere}, {"feed membership.locked", 1, Elsewhere},
	{"feed person.erased", 0.1, Elsewhere},
	{"catalogue refresh", 2 * RoleInstances, Elsewhere}, {"catalogue digest", 1, Elsewhere},
	{"publish", 1.0 / 60, Elsewhere}, {"sweep", 1.0 / 60, Elsewhere},
	// Measured to show the cost of the log of changes.
	{"listRoles while none changes", 0, OfRecruiters}, {"listRoles at 1 change a second", 0, OfRecruiters},
}

const (
	// agencies is the number of agencies, each of which polls its changes every 30 seconds.
	agencies = 10_000.0
	// entries is the number of entries of change feeds that are made in a second: one for each
	// ingestion, preferences, fast-track opt-in and candidate who is taken off the market or put back.
	entries = Submissions + (10+5+2*0.2*50)*Requests/1000

	singles = Submissions * 3 / 8
	bulks   = Submissions * 5 / 8 / 100 // of a hundred items
)

// Targets returns how often each operation runs.
func Targets() []Target {
	all := slices.Clone(mix)
	for i := range all {
		all[i].PerSecond *= Requests / 1000
	}
	return append(all, others...)
}

// RequestShare returns the share of all requests, without submissions, that the matching operations have.
func RequestShare(matches func(Target) bool) float64 {
	var all, matching float64
	for _, t := range mix {
		all += t.PerSecond
		if matches(t) {
			matching += t.PerSecond
		}
	}
	return matching / all
}

// LookUps is the number of look-ups a minute that the profile provider must accept: 1.5 for each submission that is
// expected. What exceeds one drains what an outage has parked.
const LookUps = 1.5 * Submissions * 60

// parkedWrites has the write units that an outage of the provider takes of a table and of its index for each
// submission that arrives, which a worker claims and parks, and for each that the sweeper wakes, which is one
// write more. `make soak SOAK=outage` counts them.
var parkedWrites = map[string]struct{ arriving, woken float64 }{
	"submissions":     {12, 14},
	"submissions due": {4, 6},
}

// OutageUnits is [Measurements.TableUnits] during an outage of the provider: no submission is ingested, each
// is parked, and the sweeper wakes as many as there are look-ups.
func (m Measurements) OutageUnits() map[string]Units {
	units := m.TableUnits()
	for form, use := range m.Operations["ingest"].Keys {
		if _, isParked := parkedWrites[tableOf(form)]; isParked {
			units[tableOf(form)] = units[tableOf(form)].Add(-Submissions, use.Total)
		}
	}
	for name, writes := range parkedWrites {
		parked := Submissions*writes.arriving + LookUps/60*writes.woken
		units[name] = units[name].Add(1, Units{Writes: parked})
	}
	return units
}
