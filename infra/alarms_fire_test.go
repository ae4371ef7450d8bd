package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
)

// caseOf returns the case of an alarm: that of its kind, or of its kind and the end of its name.
func caseOf(alarms *alarmSet, id string) (alarmCase, error) {
	_, kind, _ := strings.Cut(strings.TrimSuffix(alarms.description(id), "."), "infra/README.md, alarm ")
	best := ""
	for key := range alarmCases {
		end, found := strings.CutPrefix(key, kind)
		if found && (end == "" || end[0] == '-' && strings.HasSuffix(alarms.name(id), end)) && len(key) > len(best) {
			best = key
		}
	}
	if best == "" {
		return alarmCase{}, fmt.Errorf("the alarm %s has no case", alarms.name(id))
	}
	return alarmCases[best], nil
}

// periods returns data of so many periods, in each of which every metric has one value.
func periods(minutes, number int, of map[string]float64) map[string]series {
	all := map[string]series{}
	for name, v := range of {
		for range number {
			all[name] = append(all[name], []float64{v})
			all[name] = append(all[name], silence(minutes-1)...)
		}
	}
	return all
}

// concat returns data one after the other.
func concat(parts ...map[string]series) map[string]series {
	all := map[string]series{}
	for _, p := range parts {
		for name, s := range p {
			all[name] = append(all[name], s...)
		}
	}
	return all
}

// alarmShape is what the template says of an alarm on metrics.
type alarmShape struct {
	EvaluationPeriods float64
	Period            float64
	Metrics           []struct{ MetricStat struct{ Period float64 } }
}

// checkCase returns what the alarm does otherwise than its case says: it fires when the trouble
// lasts for exactly as many periods as the alarm wants, not before, not without, and not after.
func (c alarmCase) checkCase(alarms *alarmSet, id string, shape alarmShape) error {
	minutes := int(shape.Period) / 60
	for _, m := range shape.Metrics {
		minutes = max(minutes, int(m.MetricStat.Period)/60)
	}
	n := int(shape.EvaluationPeriods)
	good := periods(minutes, n, c.good)
	expect := func(what string, data map[string]series, want bool) error {
		after, err := alarms.firesAfter(id, byName(data))
		if err == nil && (after > 0) != want {
			err = fmt.Errorf("%s, %s: fires after %d minutes; want it to fire: %t", id, what, after, want)
		}
		return err
	}
	silent := map[string]series{}
	for name := range c.good {
		silent[name] = silence(n * minutes)
	}
	problem := errors.Join(
		expect("trouble", concat(good, periods(minutes, n, c.bad), good), true),
		expect("no trouble", concat(good, good), false),
		expect("no data", silent, c.onSilence),
	)
	if n > 1 {
		problem = errors.Join(problem, expect("trouble that ends early", concat(good, periods(minutes, n-1, c.bad), good), false))
	}
	if c.few != nil {
		problem = errors.Join(problem, expect("few requests", periods(minutes, n, c.few), false))
	}
	return problem
}

// alarmTemplate returns an alarm of a template with the properties, and with all other alarms if it is a composite one,
// whose rule names some of them.
func alarmTemplate(tpl template, id string, properties map[string]any) (*alarmSet, error) {
	changed := tpl.Resources[id]
	changed.Properties = properties
	only := template{Resources: map[string]resource{}}
	if changed.Type == "AWS::CloudWatch::CompositeAlarm" {
		only.Resources = tpl.resourcesOf("AWS::CloudWatch::Alarm")
	}
	only.Resources[id] = changed
	data, err := json.Marshal(only)
	if err != nil {
		return nil, err
	}
	return readAlarms(data)
}

// checkAlarm checks one alarm of a template against its case, with other properties if given.
func checkAlarm(tpl template, id string, properties map[string]any) error {
	alarms, err := alarmTemplate(tpl, id, properties)
	if err != nil {
		return err
	}
	if strings.HasPrefix(tpl.Resources[id].Type, "AWS::CloudWatch::Composite") {
		return checkBurnAlarm(alarms, id)
	}
	var shape alarmShape
	data, err := json.Marshal(tpl.Resources[id].Properties)
	if err == nil {
		err = json.Unmarshal(data, &shape)
	}
	c, missing := caseOf(alarms, id)
	if err := cmp.Or(err, missing); err != nil {
		return err
	}
	return c.checkCase(alarms, id, shape)
}

// minute is the data of one minute of a surface, or of outcomes: 1,000, of which so many are bad.
func minute(minutes int, bad float64) map[string]series {
	all := map[string]series{
		"ended": repeat(minutes, 1000), "late": repeat(minutes, bad), "Requests": repeat(minutes, 1000), "5xxErrorRate": repeat(minutes, bad/10),
		"RequestCount": repeat(minutes, 1000-bad/2), "HTTPCode_Target_5XX_Count": repeat(minutes, bad/2), "HTTPCode_ELB_5XX_Count": repeat(minutes, bad/2),
	}
	for _, s := range surfaces {
		all[s.name+"_requests"] = repeat(minutes, 1000)
		all[s.name+"_failed"] = repeat(minutes, bad)
		all[s.name+"_slow"] = repeat(minutes, bad)
	}
	return all
}

// checkBurnAlarm returns what the alarm of an objective does otherwise than it must: it fires
// within ten minutes of an outage and ends within 35 minutes of its end; it fires for a leak at 7
// times the rate that uses up the budget, and not at half of 6 times.
func checkBurnAlarm(alarms *alarmSet, id string) error {
	const before = 12 * 60
	budget := map[bool]float64{true: 1, false: 10}[strings.Contains(alarms.name(id), "availability")]
	after, err := alarms.firesAfter(id, byName(concat(minute(before, 0), minute(30, 1000))))
	if err == nil && (after <= before || after > before+10) {
		err = fmt.Errorf("%s: fires %d minutes after an outage began", id, after-before)
	}
	states, problem := alarms.states(id, byName(concat(minute(before, 0), minute(30, 1000), minute(35, 0))))
	if problem == nil && states[len(states)-1] == inAlarm {
		problem = fmt.Errorf("%s: still in alarm 35 minutes after the end of an outage", id)
	}
	for rate, want := range map[float64]bool{7: true, 3: false} {
		after, leak := alarms.firesAfter(id, byName(minute(before, rate*budget)))
		if leak == nil && (after > 0) != want {
			leak = fmt.Errorf("%s: fires after %d minutes at %v times the rate of the budget; want it to fire: %t", id, after, rate, want)
		}
		problem = errors.Join(problem, leak)
	}
	return errors.Join(err, problem)
}

// alarmIDs returns the logical ids of a template's alarms.
func alarmIDs(tpl template) (ids []string) {
	for _, kind := range []string{"AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm"} {
		for id := range tpl.resourcesOf(kind) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Every alarm fires on its case and does not without it.
func TestEveryAlarmFires(t *testing.T) {
	for _, tpl := range synthSearch(t).templates {
		for _, id := range alarmIDs(tpl) {
			if err := checkAlarm(tpl, id, tpl.Resources[id].Properties); err != nil {
				t.Error(err)
			}
		}
	}
}

// A changed alarm is noticed: with a threshold that is a quarter higher or lower, with missing data
// treated the other way, with another comparison, with twice the periods, and with a rule whose
// operators are swapped.
func TestChangedAlarmsAreNoticed(t *testing.T) {
	seen := map[string]bool{}
	for _, tpl := range synthSearch(t).templates {
		for _, id := range alarmIDs(tpl) {
			if seen[id] { // in another stage
				continue
			}
			seen[id] = true
			for what, properties := range changesOf(tpl.Resources[id].Properties) {
				if checkAlarm(tpl, id, properties) == nil {
					t.Errorf("%s: its case does not notice %s", id, what)
				}
			}
		}
	}
	t.Logf("%d alarms", len(seen))
}

// changesOf returns changed copies of an alarm's properties.
func changesOf(properties map[string]any) map[string]map[string]any {
	all := map[string]map[string]any{}
	change := func(what, name string, value any) {
		all[what] = maps.Clone(properties)
		all[what][name] = value
	}
	if rule, isComposite := properties["AlarmRule"]; isComposite {
		text, _ := json.Marshal(rule)
		for _, swap := range [][2]string{{" AND ", " OR "}, {" OR ", " AND "}} {
			var other any
			_ = json.Unmarshal(bytes.ReplaceAll(text, []byte(swap[0]), []byte(swap[1])), &other)
			change(swap[1]+"for"+swap[0], "AlarmRule", other)
		}
		return all
	}
	threshold := properties["Threshold"].(float64)
	change("a higher threshold", "Threshold", cmp.Or(threshold*1.25, 10))
	change("a lower threshold", "Threshold", cmp.Or(threshold*0.75, -1))
	change("missing data", "TreatMissingData", map[any]any{"breaching": "notBreaching", "notBreaching": "breaching"}[properties["TreatMissingData"]])
	change("another comparison", "ComparisonOperator", map[any]any{
		"GreaterThanThreshold": "LessThanOrEqualToThreshold", "LessThanOrEqualToThreshold": "GreaterThanThreshold",
	}[properties["ComparisonOperator"]])
	change("twice the periods", "EvaluationPeriods", 2*properties["EvaluationPeriods"].(float64))
	return all
}
