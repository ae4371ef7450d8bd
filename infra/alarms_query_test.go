package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// queries returns the rows of a metric alarm: its Metrics, or one row for its single metric.
func (a alarm) queries() []query {
	if a.AlarmRule != nil || len(a.Metrics) > 0 {
		return a.Metrics
	}
	var q query
	if err := json.Unmarshal([]byte(`{"ID": "m", "MetricStat": {}}`), &q); err != nil {
		panic(err) // a constant
	}
	q.MetricStat.Metric = a.metricProperties
	q.MetricStat.Period = a.Period
	q.MetricStat.Stat = cmp.Or(a.Statistic, a.ExtendedStatistic)
	return []query{q}
}

var errPeriods = errors.New("the metrics have no period in whole minutes, or several")

// periodMinutes returns the period that the alarm's metrics share.
func (a alarm) periodMinutes() (minutes int, err error) {
	for _, q := range a.queries() {
		if q.MetricStat == nil {
			continue
		}
		period := q.MetricStat.Period
		if period < 60 || period%60 != 0 || minutes != 0 && minutes != period/60 {
			return 0, errPeriods
		}
		minutes = period / 60
	}
	if minutes == 0 {
		return 0, errPeriods
	}
	return minutes, nil
}

// metric returns the metric with the values of its dimensions as text.
func (m metricProperties) metric(statistic string) metricKey {
	out := metricKey{Namespace: m.Namespace, Name: m.MetricName, Statistic: statistic, Dimensions: map[string]string{}}
	for _, d := range m.Dimensions {
		out.Dimensions[d.Name] = flatten(d.Value)
	}
	return out
}

// flatten returns a property of a template as text: ${Id} for a reference and ${Id.Attribute} for an attribute.
func flatten(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		if ref, ok := v["Ref"].(string); ok {
			return "${" + ref + "}"
		}
		if get, ok := v["Fn::GetAtt"].([]any); ok && len(get) == 2 {
			return "${" + flatten(get[0]) + "." + flatten(get[1]) + "}"
		}
		if join, ok := v["Fn::Join"].([]any); ok && len(join) == 2 {
			var parts []string
			list, _ := join[1].([]any)
			for _, part := range list {
				parts = append(parts, flatten(part))
			}
			return strings.Join(parts, flatten(join[0]))
		}
	}
	text, _ := json.Marshal(v)
	return string(text)
}
