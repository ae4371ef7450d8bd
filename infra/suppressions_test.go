package main

import (
	"strings"
	"testing"
)

// Each row of suppressions.yaml is for a rule that a construct of some stage breaks: none is left over from a construct
// that is gone or has another name.
func TestSuppressionsAreUsed(t *testing.T) {
	var written []string
	for _, tpl := range synthDeployed(t).stacks {
		for _, r := range tpl.Resources {
			path, _ := r.Metadata["aws:cdk:path"].(string)
			written = append(written, path+" "+flatten(r.Metadata["cdk_nag"])+flatten(r.Metadata["checkov"]))
		}
	}
	for _, row := range readRows[[]suppression](suppressionsText) {
		for _, reasons := range []map[string]string{row.Rules, row.Checks} {
			for rule, reason := range reasons {
				for _, at := range row.At {
					if places := (suppression{At: []string{at}}).places(); !isSuppressed(written, places, rule, reason) {
						t.Errorf("%s: no stage has it, with %s suppressed", at, rule)
					}
				}
			}
		}
	}
}

// isSuppressed reports whether the path and metadata of some resource are those of one of the places, with the rule and its
// reason.
func isSuppressed(written, places []string, rule, reason string) bool {
	for _, line := range written {
		for _, place := range places {
			isThere := strings.Contains(line, "-"+place+"/") || strings.Contains(line, "-"+place+" ")
			if isThere && strings.Contains(line, rule) && strings.Contains(line, reason) {
				return true
			}
		}
	}
	return false
}
