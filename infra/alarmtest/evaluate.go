package alarmtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// State is an alarm's state after a minute.
type State string

// The states. NotYet is that of a minute before the alarm's first whole window.
const (
	NotYet  State = ""
	OK      State = "OK"
	InAlarm State = "ALARM"
	// Insufficient is the state if all data of the window is missing and the alarm does not say
	// what that means.
	Insufficient State = "INSUFFICIENT_DATA"
)

// States returns the states of an alarm after each minute of the data.
func (a *Alarms) States(id string, data Data) ([]State, error) {
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

// FiresAfter returns the number of minutes after which the alarm is first in alarm; 0 if it never is.
func (a *Alarms) FiresAfter(id string, data Data) (minutes int, err error) {
	states, err := a.States(id, data)
	return slices.Index(states, InAlarm) + 1, err
}

func (a alarm) states(data Data) ([]State, error) {
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
	states := make([]State, minutes)
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
func (a alarm) seriesOf(data Data) (all map[string]Series, minutes int, err error) {
	all = map[string]Series{}
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
func (a alarm) judge(points []float64) (State, error) {
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
		return Insufficient, nil
	case breaching >= cmp.Or(a.DatapointsToAlarm, a.EvaluationPeriods):
		return InAlarm, nil
	}
	return OK, nil
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
