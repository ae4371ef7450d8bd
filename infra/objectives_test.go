package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// matches reports whether a line matches a pattern of a metric filter, as far as the patterns here
// use the syntax: comparisons of a field with a number or with text with wildcards, &&, || and
// parentheses.
func matches(t *testing.T, pattern string, line map[string]any) bool {
	t.Helper()
	tree, err := parser.ParseExpr(strings.NewReplacer("$.", "", " = ", " == ").Replace(strings.Trim(pattern, "{}")))
	if err != nil {
		t.Fatal(pattern, err)
	}
	return matchesTree(t, tree, line)
}

func matchesTree(t *testing.T, tree ast.Expr, line map[string]any) bool {
	t.Helper()
	if inner, ok := tree.(*ast.ParenExpr); ok {
		return matchesTree(t, inner.X, line)
	}
	node := tree.(*ast.BinaryExpr)
	switch node.Op {
	case token.LAND:
		return matchesTree(t, node.X, line) && matchesTree(t, node.Y, line)
	case token.LOR:
		return matchesTree(t, node.X, line) || matchesTree(t, node.Y, line)
	}
	field := line[node.X.(*ast.Ident).Name]
	literal := node.Y.(*ast.BasicLit)
	if literal.Kind == token.STRING {
		glob, err := strconv.Unquote(literal.Value)
		text, _ := field.(string)
		found, _ := path.Match(strings.ReplaceAll(glob, "/", "|"), strings.ReplaceAll(text, "/", "|"))
		return err == nil && found
	}
	limit, err := strconv.ParseFloat(literal.Value, 64)
	value, isNumber := field.(float64)
	if err != nil || !isNumber {
		return false
	}
	return map[token.Token]bool{token.EQL: value == limit, token.GTR: value > limit, token.GEQ: value >= limit, token.LSS: value < limit}[node.Op]
}

// countsOf returns the names of the stage's counts that a line of a log adds to.
func countsOf(t *testing.T, tpl template, line string) (names []string) {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(line), &fields); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	for _, r := range tpl.resourcesOf("AWS::Logs::MetricFilter") {
		name := asArray(r.Properties["MetricTransformations"])[0].(map[string]any)["MetricName"].(string)
		if matches(t, r.Properties["FilterPattern"].(string), fields) {
			names = append(names, name)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names))) // the logs of several functions add to one
}

// gatewayLine returns the gateway's log line of a request, in which API Gateway has replaced the
// variables.
func gatewayLine(route string, status, ms int, problem string) string {
	return strings.NewReplacer("$context.requestId", "id", "$context.routeKey", route, "$context.status", strconv.Itoa(status),
		"$context.responseLatency", strconv.Itoa(ms), "$context.error.messageString", strconv.Quote(problem), "$context.error.message", problem,
		"$context.integrationErrorMessage", "-").Replace(accessLog)
}

// Each line of the gateway's and of the worker's log counts as what it is, also one that tells of a
// failure of the gateway itself.
func TestLinesAreCounted(t *testing.T) {
	const agency, recruiter = "POST " + contract.BasePath + "/talent-network/candidates/submit", "GET " + contract.BasePath + "/recruiter/roles/{roleId}"
	tpl := synthService(t)
	for line, want := range map[string][]string{
		gatewayLine(agency, 200, 2000, "-"):                                                  {"agencies_requests"},
		gatewayLine(agency, 200, 2001, "-"):                                                  {"agencies_requests", "agencies_slow"},
		gatewayLine(agency, 503, 29000, "Service Unavailable"):                               {"agencies_failed", "agencies_requests", "agencies_slow"},
		gatewayLine(recruiter, 500, 10, "-"):                                                 {"recruiters_failed", "recruiters_requests"},
		gatewayLine(recruiter, 404, 10, "-"):                                                 {"recruiters_requests"},
		gatewayLine(recruiter, 304, 1001, "-"):                                               {"recruiters_requests", "recruiters_slow"},
		gatewayLine(recruiter, 401, 10, "-"):                                                 {"recruiters_requests", "rejected_keys"},
		gatewayLine(recruiter, 429, 10, "Too Many Requests"):                                 {"recruiters_requests", "throttled"},
		gatewayLine("GET "+contract.BasePath+"/health", 200, 1, "-"):                         nil,
		gatewayLine("$default", 404, 1, "-"):                                                 nil,
		`{"msg": "ingest", "status": "succeeded", "code": ""}`:                               {"ended"},
		`{"msg": "ingest", "status": "succeeded", "age_ms": 120000}`:                         {"ended"},
		`{"msg": "ingest", "status": "succeeded", "age_ms": 120001}`:                         {"ended", "late"},
		`{"msg": "ingest", "status": "queued", "age_ms": 999999}`:                            nil,
		`{"msg": "request", "status": 200, "environment": "test"}`:                           nil,
		`{"msg": "request", "status": 403, "environment": "live"}`:                           nil,
		`{"msg": "request", "status": 200, "environment": "live"}`:                           {"succeeded"},
		`{"msg": "ingest", "status": "queued", "code": ""}`:                                  nil,
		`{"msg": "ingest", "status": "failed", "code": "resume_parse_failed"}`:               {"ended"},
		`{"msg": "ingest", "status": "failed", "code": "linkedin_verification_unavailable"}`: {"ended", "unverified"},
	} {
		if diff := cmp.Diff(want, countsOf(t, tpl, line)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

// Every route for one kind of keys is on the surface of its callers, and no other route is on one.
func TestSurfacesAreThoseOfTheKeys(t *testing.T) {
	tpl := synthService(t)
	for _, r := range contract.Routes {
		var want []string
		switch r.KeyType {
		case contract.AgencyKey:
			want = []string{"agencies_requests"}
		case contract.PersonalKey:
			want = []string{"recruiters_requests"}
		}
		got := countsOf(t, tpl, gatewayLine(r.Method+" "+contract.BasePath+r.Path, 404, 1, "-"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.Operation, diff)
		}
	}
}

// The guide states the objectives that the alarms watch.
func TestGuideStatesTheObjectives(t *testing.T) {
	guide := readGuide(t)
	objective := func(kind string) float64 { return 100 - 100**alarmKinds[kind].Threshold }
	for _, s := range surfaces {
		row := fmt.Sprintf("| %s | %.1f %% | %.0f %% within %d ms |", s.name, objective("availability"), objective("latency"), s.slow)
		if !strings.Contains(guide, row) {
			t.Errorf("the guide lacks the row %s", row)
		}
	}
	for _, name := range []string{"large uploads", "all callers, at the edge"} {
		if row := fmt.Sprintf("| %s | %.1f %% |", name, objective("availability")); !strings.Contains(guide, row) {
			t.Errorf("the guide lacks the row %s", row)
		}
	}
	if row := fmt.Sprintf("| submissions | %.0f %% within %d s |", objective("outcome"), outcomeSeconds); !strings.Contains(guide, row) {
		t.Errorf("the guide lacks the row %s", row)
	}
}

// A failing container of uploads, and responses with 5xx of CloudFront itself, page the operator, each by an
// error budget of its own: they are in no log of the API.
func TestUploadsAndTheEdgeHaveABudget(t *testing.T) {
	alarms := synthDeployed(t).templates["prod-us"]
	for subject, metrics := range map[string][]string{
		"LargeUploads": {"AWS/ApplicationELB HTTPCode_ELB_5XX_Count", "AWS/ApplicationELB HTTPCode_Target_5XX_Count", "AWS/ApplicationELB RequestCount"},
		"AllCallers":   {"AWS/CloudFront 5xxErrorRate", "AWS/CloudFront Requests"},
	} {
		page := alarms.findResource(t, "AWS::CloudWatch::CompositeAlarm", "Availability"+subject+"Alarm").Properties
		if actions := flatten(page["AlarmActions"]); !strings.Contains(actions, "Pages") {
			t.Errorf("%s notifies %s", subject, actions)
		}
		for _, window := range []string{"5m", "60m", "30m", "360m"} {
			var got []string
			for _, m := range metricsOf(t, alarms.findResource(t, "AWS::CloudWatch::Alarm", "Availability"+subject+window+"Alarm")) {
				got = append(got, m.Namespace+" "+m.MetricName)
			}
			slices.Sort(got)
			if diff := cmp.Diff(metrics, got); diff != "" {
				t.Errorf("%s, %s: metrics (-want +got):\n%s", subject, window, diff)
			}
		}
	}
}
