package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readAlarm returns the alarms of a template with one alarm, A, and those in more.
func readAlarm(t *testing.T, properties string, more ...string) *alarmSet {
	t.Helper()
	alarms, err := readAlarms([]byte(`{"Resources": {` +
		strings.Join(append([]string{`"A": {"Type": "AWS::CloudWatch::Alarm", "Properties": {` + properties + `}}`}, more...), ",") + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	return alarms
}

// compact returns one character for each state: "-" not yet, "." OK, "!" in alarm, "?" insufficient.
func compact(states []alarmState) (out string) {
	for _, s := range states {
		out += map[alarmState]string{notYet: "-", isOK: ".", inAlarm: "!", insufficient: "?"}[s]
	}
	return out
}

func join(parts ...series) (all series) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func TestStatesOfASingleMetric(t *testing.T) {
	t.Parallel()
	const metric = `"MetricName": "m", "Namespace": "n", "Period": 60, "Statistic": "Sum", "ComparisonOperator": "GreaterThanThreshold", "Threshold": 1, `
	up := join(repeat(2, 1), repeat(3, 1, 1), repeat(1, 1))
	gap := join(repeat(2, 2), silence(2))
	for name, c := range map[string]struct {
		rest   string
		series series
		want   string
	}{
		"one period":                {`"EvaluationPeriods": 1`, up, "..!!!."},
		"two periods":               {`"EvaluationPeriods": 2`, up, "-..!!."},
		"one of two periods":        {`"EvaluationPeriods": 2, "DatapointsToAlarm": 1`, up, "-.!!!!"},
		"missing data is unsaid":    {`"EvaluationPeriods": 1`, gap, "!!??"},
		"missing data is a breach":  {`"EvaluationPeriods": 1, "TreatMissingData": "breaching"`, gap, "!!!!"},
		"missing data is no breach": {`"EvaluationPeriods": 1, "TreatMissingData": "notBreaching"`, gap, "!!.."},
		"a period of two minutes":   {`"EvaluationPeriods": 1, "Period": 120`, up, "-!!!!!"},
		"the other direction":       {`"EvaluationPeriods": 1, "ComparisonOperator": "LessThanOrEqualToThreshold"`, up, "!!...!"},
		"a mean":                    {`"EvaluationPeriods": 1, "Statistic": "Average", "Threshold": 0.5`, up, "!!!!!!"},
		"a percentile":              {`"EvaluationPeriods": 1, "Statistic": "", "ExtendedStatistic": "p50", "Threshold": 0.5`, up, "!!!!!!"},
	} {
		got, err := readAlarm(t, metric+c.rest).states("A", byName(map[string]series{"m": c.series}))
		if diff := cmp.Diff(c.want, compact(got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestStatesOfMetricMath(t *testing.T) {
	t.Parallel()
	data := byName(map[string]series{
		"failed": join(repeat(1, 0), repeat(1, 5), repeat(1, 5), silence(2)),
		"all":    join(repeat(1, 10), repeat(1, 10), repeat(1, 100), repeat(1, 0), silence(1)),
	})
	for expression, want := range map[string]string{
		"f / n":                           ".!.??",
		"IF(f >= 5, 1, f / n)":            ".!!??",
		"100 * (n - f) / n - 99.5":        "!..??",
		"FILL(f, 0) / n":                  ".!.??",
		"FILL(f, 1)":                      ".!!!!",
		"SUM(METRICS())":                  "!!!.?",
		"MAX(METRICS()) - MIN(METRICS())": "!!!.?",
	} {
		alarms := readAlarm(t, fmt.Sprintf(`"ComparisonOperator": "GreaterThanThreshold", "Threshold": 0.1, "EvaluationPeriods": 1, "Metrics": [
			{"Id": "e", "Expression": %q},
			{"Id": "f", "ReturnData": false, "MetricStat": {"Stat": "Sum", "Period": 60, "Metric": {"Namespace": "n", "MetricName": "failed"}}},
			{"Id": "n", "ReturnData": false, "MetricStat": {"Stat": "Sum", "Period": 60, "Metric": {"Namespace": "n", "MetricName": "all"}}}]`, expression))
		got, err := alarms.states("A", data)
		if diff := cmp.Diff(want, compact(got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", expression, err, diff)
		}
	}
}

func TestStatesOfACompositeAlarm(t *testing.T) {
	t.Parallel()
	part := func(id, metric string) string {
		return fmt.Sprintf(`%q: {"Type": "AWS::CloudWatch::Alarm", "Properties": {"MetricName": %q, "Namespace": "n", "Period": 60, "Statistic": "Sum",
			"ComparisonOperator": "GreaterThanThreshold", "Threshold": 0, "EvaluationPeriods": 1}}`, id, metric)
	}
	data := byName(map[string]series{
		"b": join(repeat(2, 1), repeat(2, 0)),
		"c": join(repeat(1, 1), repeat(1, 0), repeat(1, 1), repeat(1, 0)),
	})
	rule := func(operator string) string {
		return `"A": {"Type": "AWS::CloudWatch::CompositeAlarm", "Properties": {"AlarmRule": {"Fn::Join": ["", ["(ALARM(\"", {"Fn::GetAtt": ["B", "Arn"]}, "\")` +
			operator + `(\"", {"Fn::GetAtt": ["C", "Arn"]}, "\"))"]]}}}`
	}
	for operator, want := range map[string]string{" AND ALARM": "!...", " OR ALARM": "!!!.", " AND NOT ALARM": ".!..", " AND OK": ".!.."} {
		alarms, err := readAlarms([]byte(`{"Resources": {` + strings.Join([]string{rule(operator), part("B", "b"), part("C", "c")}, ",") + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		got, err := alarms.states("A", data)
		if diff := cmp.Diff(want, compact(got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", operator, err, diff)
		}
		if n := len(alarms.metrics("A")); n != 2 {
			t.Errorf("a rule on two alarms has %d metrics", n)
		}
	}
}

// What cannot be evaluated is an error, not a silent alarm.
func TestUnknownPartsAreErrors(t *testing.T) {
	t.Parallel()
	const good = `"MetricName": "m", "Namespace": "n", "Period": 60, "Statistic": "Sum", "ComparisonOperator": "GreaterThanThreshold", "Threshold": 1, "EvaluationPeriods": 1`
	row := func(expression string) string {
		return `, "MetricName": null, "Metrics": [{"Id": "e", "Expression": "` + expression + `"}, {"Id": "m", "ReturnData": false, "MetricStat": {"Stat": "Sum", "Period": 60, "Metric": {"MetricName": "m"}}}]`
	}
	for name, change := range map[string]string{
		"a statistic": `, "Statistic": "Mode"`, "a comparison": `, "ComparisonOperator": "Near"`, "seconds": `, "Period": 10`,
		"a longer window": `, "EvaluationPeriods": 9`, "another metric": `, "MetricName": "other"`,
		"a function": row("RATE(m)"), "an operator": row("m % 2"), "an id": row("x + 1"), "no expression": row("m +"),
	} {
		if states, err := readAlarm(t, good+change).states("A", byName(map[string]series{"m": repeat(3, 1)})); err == nil {
			t.Errorf("%s: got %v; want an error", name, states)
		}
	}
	if _, err := readAlarm(t, good).states("B", nil); err == nil {
		t.Error("an unknown alarm has states")
	}
	if _, err := readAlarms([]byte("{")); err == nil {
		t.Error("half a template was read")
	}
}
