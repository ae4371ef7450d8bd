package main

import (
	"slices"
	"testing"
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
		`{"Action":"HASH","Field":{"FieldKeys":["authorization"],"FieldType":"SINGLE_HEADER"}}`,
		`{"Action":"SUBSTITUTION","Field":{"FieldType":"QUERY_STRING"}}`,
	}
	if !slices.Equal(protected, want) {
		t.Errorf("samples are protected by %q; want %q", protected, want)
	}
}
