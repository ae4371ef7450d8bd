package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The units a second that DynamoDB takes for a new on-demand table; warm throughput cannot be less.
const newTableReads, newTableWrites = 12_000, 4_000

// warmThroughput returns the throughput for which a table or index is kept warm: its units, by the
// model of package capacity, at the stage's WarmRequests, and at least what a person has pinned in
// WarmThroughput, because DynamoDB refuses a lower one than before. It returns nil if a new table takes
// as much. name is the name of the table, or the names of the table and the index.
func (s Stage) warmThroughput(name string) *awsdynamodb.WarmThroughput {
	least := s.modelThroughput(name)
	pinned := s.WarmThroughput[name]
	reads := max(least.Reads, pinned.Reads)
	writes := max(least.Writes, pinned.Writes)
	if reads <= newTableReads && writes <= newTableWrites {
		return nil
	}
	return &awsdynamodb.WarmThroughput{ReadUnitsPerSecond: &reads, WriteUnitsPerSecond: &writes}
}

// modelThroughput returns modelUnits, and at least those of a new table.
func (s Stage) modelThroughput(name string) capacity.Units {
	units, _ := s.modelUnits(name)
	return capacity.Units{
		Reads:  roundUnits(max(newTableReads, units.Reads)),
		Writes: roundUnits(max(newTableWrites, units.Writes)),
	}
}

// modelUnits returns the units of a table or index at the stage's WarmRequests by the model of package
// capacity, in normal use and during an outage of the profile provider.
func (s Stage) modelUnits(name string) (normal, outage capacity.Units) {
	model := capacity.ReadMeasurements()
	normal = normal.Add(s.loadShare(), model.TableUnits()[name])
	return normal, outage.Add(s.loadShare(), model.OutageUnits()[name])
}

func (s Stage) loadShare() float64 { return float64(s.WarmRequests) / capacity.Requests }

// checkLookUps checks that the profile provider takes half as many look-ups again as are expected at the
// stage's WarmRequests. With fewer, the submissions that an outage of the provider has parked would not be
// done in time: a worker that may not ask parks its submission again.
func (s Stage) checkLookUps() error {
	least := int(math.Ceil(s.loadShare() * capacity.LookUps))
	const message = "profileRate must be at least %d at warmRequests %d: 1.5 times the expected look-ups a minute"
	return need(s.ProfileRate >= least, fmt.Sprintf(message, least, s.WarmRequests))
}

// roundUnits rounds up to thousands, so that small changes of the measurements change no table.
func roundUnits(units float64) float64 { return 1000 * math.Ceil(units/1000) }

// submissionSeconds is how long a worker is busy with one submission if the provider is slow.
const submissionSeconds = 2

// queueConcurrency returns how many workers take messages of a queue at a time. For submissions
// these are as many as the profile provider has look-ups for, at the stage's ProfileRate. Nothing else
// bounds the look-ups at a time: a worker makes one.
func (s Stage) queueConcurrency(q topology.Queue) int {
	const fewest = 2 // the minimum of SQS
	if q.Name != topology.IngestQueue.Name || s.ProfileRate == 0 {
		return q.MaxConcurrency
	}
	return max(fewest, int(math.Ceil(float64(s.ProfileRate)/60*submissionSeconds)))
}

// checkReserved checks that instances are reserved only for functions, and enough for those that
// the function's queue and schedule start at a time. Otherwise the function would be throttled, and its
// messages would go to the dead-letter queue.
func (s Stage) checkReserved() (problem error) {
	for _, name := range slices.Sorted(maps.Keys(s.ReservedConcurrency)) {
		f := topology.FunctionNamed(name)
		least := 1
		if f.Queue != nil {
			least = s.queueConcurrency(*f.Queue)
			if f.Every > 0 {
				least++
			}
		}
		isFunction := f.Timeout > 0 // a container has none
		if !isFunction || s.ReservedConcurrency[name] < least {
			const message = "reservedConcurrency of %s must be of a function, and at least %d"
			problem = errors.Join(problem, fmt.Errorf(message, name, least))
		}
	}
	return problem
}

// checkNames checks that the settings by table are for tables of the topology, or indexes: one for a name that is
// mistyped would have no effect.
func (s Stage) checkNames() error {
	var tables, all []string
	for _, t := range topology.Tables {
		tables = append(tables, t.Name)
		all = append(all, t.Name)
		for _, index := range t.Indexes {
			all = append(all, t.Name+" "+index.Name)
		}
	}
	return errors.Join(
		needNames(maps.Keys(s.Restored), tables, "restored: no table is called %s"),
		needNames(maps.Keys(s.WarmThroughput), all, "warmThroughput: no table or index is called %s"),
	)
}

// needNames returns an error with the message, which names it, for each of the names that is not known.
func needNames(names iter.Seq[string], known []string, message string) (problem error) {
	for _, name := range slices.Sorted(names) {
		problem = errors.Join(problem, need(slices.Contains(known, name), fmt.Sprintf(message, name)))
	}
	return problem
}

// unreservedInstances is how many of the account's instances Lambda lets no function reserve.
const unreservedInstances = 100

// concurrencyQuota returns how many instances of functions the account runs at a time.
func (s Stage) concurrencyQuota() int { return cmp.Or(s.AccountConcurrency, 1000) }

// checkQuota checks that the account has the instances that the stage reserves. Otherwise Lambda
// refuses the functions while the stack is created.
func (s Stage) checkQuota() error {
	least := unreservedInstances
	if s.Edge {
		least += authorizerInstances
	}
	for _, n := range s.ReservedConcurrency {
		least += n
	}
	const text = "accountConcurrency must be at least %d: %d stay unreserved. Ask for more in Service Quotas"
	return need(s.concurrencyQuota() >= least, fmt.Sprintf(text, least, unreservedInstances))
}

const (
	// targetUtilization is the share, in percent, of a table's provisioned units that its load uses.
	targetUtilization = 70.0
	// scaleHeadroom is how far above the model's load the units of a table can grow, and leastShare the
	// share of it that is always provisioned, from which the load of a morning can grow.
	scaleHeadroom = 1.5
	leastShare    = 0.1
	// leastUnits is the smallest number of units that is provisioned. Those of five minutes, which DynamoDB
	// saves, are enough to count a shard of what six hours without the profile provider have parked
	// (submission.Backlog), every five minutes.
	leastUnits = 20
)

// unitRanges returns between how many units a second auto scaling keeps a table or an index. They are empty if the
// stage has no provisioned units.
func (s Stage) unitRanges(name string) (reads, writes *awsdynamodb.EnableScalingProps) {
	if !s.Provisioned {
		return &awsdynamodb.EnableScalingProps{}, &awsdynamodb.EnableScalingProps{}
	}
	load, outage := s.modelUnits(name)
	return scaleUnits(load.Reads, outage.Reads), scaleUnits(load.Writes, outage.Writes)
}

// scaleUnits returns the range for so many units a second by the model, in normal use and during an outage
// of the profile provider, which takes more writes.
func scaleUnits(load, outage float64) *awsdynamodb.EnableScalingProps {
	least := max(leastUnits, math.Ceil(load/targetUtilization*100*leastShare))
	most := max(load, outage) / targetUtilization * 100 * scaleHeadroom
	return &awsdynamodb.EnableScalingProps{MinCapacity: &least, MaxCapacity: new(max(2*least, roundUnits(most)))}
}

func followLoad(units awsdynamodb.IScalableTableAttribute) {
	units.ScaleOnUtilization(&awsdynamodb.UtilizationScalingProps{TargetUtilizationPercent: new(targetUtilization)})
}
