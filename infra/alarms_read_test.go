package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// alarmSet are the alarms of a template, metric alarms and composite ones. Their metric math may
// consist of numbers, the ids of metrics, + - * /, comparisons, parentheses, IF(c, a, b),
// FILL(m, n), and SUM(METRICS()), MAX(METRICS()) or MIN(METRICS()).
type alarmSet struct{ byID map[string]alarm }

// alarm is the part of an alarm's properties that decides when it fires.
type alarm struct {
	metricProperties
	AlarmName, AlarmDescription, AlarmRule any
	AlarmActions                           []any
	Threshold                              float64
	ComparisonOperator, TreatMissingData   string
	EvaluationPeriods, DatapointsToAlarm   int
	Metrics                                []query
}

// query is a row of an alarm's Metrics: a metric or an expression.
type query struct {
	ID, Expression string
	ReturnData     *bool
	MetricStat     *struct {
		Metric metricProperties
		Period int
		Stat   string
	}
}

type metricProperties struct {
	Namespace, MetricName        string
	Statistic, ExtendedStatistic string
	Period                       int
	Dimensions                   []struct {
		Name  string
		Value any
	}
}

// readAlarms returns the alarms of a template in JSON. It fails on what is no template and on an alarm
// that cannot be evaluated.
func readAlarms(template []byte) (*alarmSet, error) {
	var t struct {
		Resources map[string]struct {
			Type       string
			Properties json.RawMessage
		}
	}
	if err := json.Unmarshal(template, &t); err != nil {
		return nil, err
	}
	alarms := &alarmSet{byID: map[string]alarm{}}
	var problems []error
	for id, r := range t.Resources {
		if r.Type != "AWS::CloudWatch::Alarm" && r.Type != "AWS::CloudWatch::CompositeAlarm" {
			continue
		}
		var a alarm
		if err := json.Unmarshal(r.Properties, &a); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", id, err))
		}
		alarms.byID[id] = a
	}
	return alarms, errors.Join(problems...)
}

// ids returns the logical ids of the alarms, sorted.
func (a *alarmSet) ids() []string { return slices.Sorted(maps.Keys(a.byID)) }

// name returns the name of an alarm.
func (a *alarmSet) name(id string) string { return flatten(a.byID[id].AlarmName) }

// description returns the description of an alarm.
func (a *alarmSet) description(id string) string { return flatten(a.byID[id].AlarmDescription) }

// metrics returns the metrics that an alarm looks at; of a composite alarm, those of the alarms in its rule.
func (a *alarmSet) metrics(id string) (all []metricKey) {
	for _, part := range a.metricAlarms(id) {
		for _, q := range part.queries() {
			if q.MetricStat != nil {
				all = append(all, q.MetricStat.Metric.metric(q.MetricStat.Stat))
			}
		}
	}
	return all
}

// metricAlarms returns the alarm, or those in the rule of a composite one.
func (a *alarmSet) metricAlarms(id string) (all []alarm) {
	own := a.byID[id]
	if own.AlarmRule == nil {
		return []alarm{own}
	}
	for _, part := range a.ids() {
		if strings.Contains(flatten(own.AlarmRule), "${"+part+".Arn}") {
			all = append(all, a.metricAlarms(part)...)
		}
	}
	return all
}
