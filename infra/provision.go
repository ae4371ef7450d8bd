package main

import (
	"math"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
)

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

// unitRange is between how many units a second auto scaling keeps a table or an index.
type unitRange struct{ least, most float64 }

// scaleUnits returns the range for so many units a second by the model, in normal use and during an outage
// of the profile provider, which takes more writes.
func scaleUnits(load, outage float64) unitRange {
	least := max(leastUnits, math.Ceil(load/targetUtilization*100*leastShare))
	most := max(load, outage) / targetUtilization * 100 * scaleHeadroom
	return unitRange{least, max(2*least, roundUnits(most))}
}

// unitRanges returns the ranges of a table or index.
func (s Stage) unitRanges(name string) (reads, writes unitRange) {
	load := s.modelUnits(name)
	outage := s.outageUnits(name)
	return scaleUnits(load.Reads, outage.Reads), scaleUnits(load.Writes, outage.Writes)
}

// billing returns how a table is paid: for each unit that it uses, or for provisioned ones.
func (s Stage) billing() awsdynamodb.BillingMode {
	if s.Provisioned {
		return awsdynamodb.BillingMode_PROVISIONED
	}
	return awsdynamodb.BillingMode_PAY_PER_REQUEST
}

// initialUnits returns what a provisioned table or index begins with: what auto scaling keeps at least.
// It is nil for others.
func (s Stage) initialUnits(name string) (reads, writes *float64) {
	if !s.Provisioned {
		return nil, nil
	}
	readRange, writeRange := s.unitRanges(name)
	return &readRange.least, &writeRange.least
}

// scaleTable lets the units of a provisioned table, and of its indexes, follow their load.
func (s Stage) scaleTable(table awsdynamodb.Table, name string, indexes []string) {
	if !s.Provisioned {
		return
	}
	reads, writes := s.unitRanges(name)
	followLoad(table.AutoScaleReadCapacity(reads.props()))
	followLoad(table.AutoScaleWriteCapacity(writes.props()))
	for _, index := range indexes {
		reads, writes := s.unitRanges(name + " " + index)
		followLoad(table.AutoScaleGlobalSecondaryIndexReadCapacity(&index, reads.props()))
		followLoad(table.AutoScaleGlobalSecondaryIndexWriteCapacity(&index, writes.props()))
	}
}

func (r unitRange) props() *awsdynamodb.EnableScalingProps {
	return &awsdynamodb.EnableScalingProps{MinCapacity: &r.least, MaxCapacity: &r.most}
}

func followLoad(units awsdynamodb.IScalableTableAttribute) {
	units.ScaleOnUtilization(&awsdynamodb.UtilizationScalingProps{TargetUtilizationPercent: new(targetUtilization)})
}
