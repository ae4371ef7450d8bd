package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// The alarms of a synthesized template are evaluated here on made-up metrics, with their threshold,
// comparison, periods, datapoints to alarm, treatment of missing data, metric math and composite
// rules. A test that changes none of them cannot show that an alarm fires.
//
// Every minute is evaluated, on the periods that end there. CloudWatch differs in this: it looks
// further back than the evaluation periods if some of their data is missing, by an unpublished
// number of periods. So a series with gaps proves little, and one that is silent for a whole window
// is evaluated as CloudWatch does. An expression that [alarmSet] does not document is an error, as
// are a metric that the data does not mention and a series that is shorter than the alarm's window.

// alarmState is an alarm's state after a minute.
type alarmState string

// The states. notYet is that of a minute before the alarm's first whole window.
const (
	notYet  alarmState = ""
	isOK    alarmState = "OK"
	inAlarm alarmState = "ALARM"
	// insufficient is the state if all data of the window is missing and the alarm does not say
	// what that means.
	insufficient alarmState = "INSUFFICIENT_DATA"
)

// states returns the states of an alarm after each minute of the data.
func (a *alarmSet) states(id string, data metricData) ([]alarmState, error) {
	if _, found := a.byID[id]; !found {
		return nil, fmt.Errorf("there is no alarm %s", id)
	}
	if a.byID[id].AlarmRule != nil {
		return a.compositeStates(id, data)
	}
	states, err := a.byID[id].states(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	return states, nil
}

// firesAfter returns the number of minutes after which the alarm is first in alarm; 0 if it never is.
func (a *alarmSet) firesAfter(id string, data metricData) (minutes int, err error) {
	states, err := a.states(id, data)
	return slices.Index(states, inAlarm) + 1, err
}

func (a alarm) states(data metricData) ([]alarmState, error) {
	period, err := a.periodMinutes()
	if err != nil {
		return nil, err
	}
	series, minutes, err := a.seriesOf(data)
	if err != nil {
		return nil, err
	}
	window := a.EvaluationPeriods * period
	if window == 0 || minutes < window {
		return nil, fmt.Errorf("the series have %d minutes, the window %d", minutes, window)
	}
	states := make([]alarmState, minutes)
	for end := window; end <= minutes; end++ {
		var points []float64
		for from := end - window; from < end; from += period {
			point, err := a.value(series, from, from+period)
			if err != nil {
				return nil, err
			}
			points = append(points, point)
		}
		states[end-1], err = a.judge(points)
		if err != nil {
			return nil, err
		}
	}
	return states, nil
}

// seriesOf returns the series of the alarm's metrics by their ids, and their number of minutes.
func (a alarm) seriesOf(data metricData) (all map[string]series, minutes int, err error) {
	all = map[string]series{}
	for _, q := range a.queries() {
		if q.MetricStat == nil {
			continue
		}
		m := q.MetricStat.Metric.metric(q.MetricStat.Stat)
		series, found := data(m)
		if !found {
			return nil, 0, fmt.Errorf("the data has no %s %s %v", m.Namespace, m.Name, m.Dimensions)
		}
		all[q.ID] = series
		minutes = max(minutes, len(series))
	}
	return all, minutes, nil
}

// judge returns the state for the data points of a window, of which NaN are missing.
func (a alarm) judge(points []float64) (alarmState, error) {
	breaching := 0
	missing := 0
	for _, p := range points {
		breaches, err := a.breaches(p)
		if err != nil {
			return "", err
		}
		if breaches {
			breaching++
		}
		if math.IsNaN(p) {
			missing++
		}
	}
	unsaid := a.TreatMissingData == "" || a.TreatMissingData == "missing"
	switch {
	case missing == len(points) && unsaid:
		return insufficient, nil
	case breaching >= cmp.Or(a.DatapointsToAlarm, a.EvaluationPeriods):
		return inAlarm, nil
	}
	return isOK, nil
}

// breaches reports whether a data point breaches the threshold.
func (a alarm) breaches(point float64) (bool, error) {
	if math.IsNaN(point) {
		switch a.TreatMissingData {
		case "breaching", "notBreaching", "missing", "":
			return a.TreatMissingData == "breaching", nil
		}
		return false, fmt.Errorf("missing data is treated as %q", a.TreatMissingData)
	}
	switch a.ComparisonOperator {
	case "GreaterThanThreshold":
		return point > a.Threshold, nil
	case "GreaterThanOrEqualToThreshold":
		return point >= a.Threshold, nil
	case "LessThanThreshold":
		return point < a.Threshold, nil
	case "LessThanOrEqualToThreshold":
		return point <= a.Threshold, nil
	}
	return false, fmt.Errorf("no comparison %q", a.ComparisonOperator)
}
