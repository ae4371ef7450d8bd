package main

import (
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// One saved query finds the lines of a request in the log of every function, and of the container
// where there is one.
func TestTheSavedQuerySearchesEveryLog(t *testing.T) {
	eachStage(t, func(t *testing.T, tpl template) {
		query := tpl.findResource(t, "AWS::Logs::QueryDefinition", "FollowQuery").Properties
		const want = `filter request_id = "ID" or trace_id = "ID" or batch = "ID"`
		if text := flatten(query["QueryString"]); !strings.Contains(text, want) {
			t.Errorf("got the query %s; want %s in it", text, want)
		}
		searched := map[string]bool{}
		for _, name := range asArray(query["LogGroupNames"]) {
			searched[flatten(name)] = true
		}
		logs := len(tpl.resourcesOf("AWS::ECS::Service"))
		for _, f := range topology.Functions {
			logs++
			if id := tpl.idNamed(t, "AWS::Logs::LogGroup", constructID(f.Name)+"Log"); !searched["${"+id+"}"] {
				t.Errorf("%s is not searched: %v", id, searched)
			}
		}
		if len(searched) != logs {
			t.Errorf("%d logs are searched; want %d", len(searched), logs)
		}
	})
}
