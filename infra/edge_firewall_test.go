package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The firewall keeps samples of what every rule refused, in which the operator finds the addresses of
// a flood. They hold neither keys nor what was searched for.
func TestTheFirewallKeepsSamplesWithoutKeys(t *testing.T) {
	firewall := synthService(t).findResource(t, "AWS::WAFv2::WebACL", "Firewall").Properties
	visible := []any{firewall["VisibilityConfig"]}
	for _, rule := range asArray(firewall["Rules"]) {
		visible = append(visible, rule.(map[string]any)["VisibilityConfig"])
	}
	for _, v := range visible {
		if config := v.(map[string]any); config["SampledRequestsEnabled"] != true {
			t.Errorf("%v keeps no samples", config["MetricName"])
		}
	}
	var protected []string
	protection, _ := firewall["DataProtectionConfig"].(map[string]any)
	for _, p := range asArray(protection["DataProtections"]) {
		protected = append(protected, flatten(p))
	}
	slices.Sort(protected)
	want := []string{
		`{"Action":"HASH","Field":{"FieldKeys":["authorization","x-api-key"],"FieldType":"SINGLE_HEADER"}}`,
		`{"Action":"SUBSTITUTION","Field":{"FieldKeys":["cookie"],"FieldType":"SINGLE_HEADER"}}`,
		`{"Action":"SUBSTITUTION","Field":{"FieldType":"QUERY_STRING"}}`,
	}
	if !slices.Equal(protected, want) {
		t.Errorf("samples are protected by %q; want %q", protected, want)
	}
}

// The firewall logs what its rules refuse or count, and nothing else, for two weeks, without keys, cookies
// and searches. A saved query counts the refusals by rule and address.
func TestTheFirewallLogsWhatItRefuses(t *testing.T) {
	edge := synthDeployed(t).stacks["rmk-prod-us-edge"]
	log := edge.findResource(t, "AWS::Logs::LogGroup", "FirewallLog").Properties
	if log["LogGroupName"] != "aws-waf-logs-rmk-prod-us" || log["RetentionInDays"] != 14.0 {
		t.Errorf("got the log group %v", log)
	}
	got := edge.findResource(t, "AWS::WAFv2::LoggingConfiguration", "FirewallLogging").Properties
	if to := flatten(got["LogDestinationConfigs"]); !strings.Contains(to, `:log-group:aws-waf-logs-rmk-prod-us"`) {
		t.Errorf("logs to %s", to)
	}
	header := func(name string) any { return map[string]any{"SingleHeader": map[string]any{"Name": name}} }
	redacted := []any{header("authorization"), header("cookie"), header("x-api-key"), map[string]any{"QueryString": map[string]any{}}}
	if diff := cmp.Diff(redacted, got["RedactedFields"]); diff != "" {
		t.Errorf("redacted (-want +got):\n%s", diff)
	}
	action := func(name string) any { return map[string]any{"ActionCondition": map[string]any{"Action": name}} }
	filter := map[string]any{"DefaultBehavior": "DROP", "Filters": []any{map[string]any{
		"Behavior": "KEEP", "Requirement": "MEETS_ANY", "Conditions": []any{action("BLOCK"), action("COUNT")},
	}}}
	if diff := cmp.Diff(filter, got["LoggingFilter"]); diff != "" {
		t.Errorf("filter (-want +got):\n%s", diff)
	}
	query := edge.findResource(t, "AWS::Logs::QueryDefinition", "RefusedQuery").Properties
	if text := flatten(query["QueryString"]); query["Name"] != "rmk-prod-us/refused" || !strings.Contains(text, "httpRequest.clientIp") {
		t.Errorf("got the query %v: %s", query["Name"], text)
	}
}
