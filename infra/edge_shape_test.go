package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// checkShape returns what a response of the edge lacks of the contract's shape: the envelope, the
// same id in the header, and Retry-After with 429 and 503.
func checkShape(status int, body string, headers map[string]string) error {
	var envelope contract.ErrorEnvelope
	if err := json.Unmarshal([]byte(body), &envelope); err != nil {
		return fmt.Errorf("%d %q is no envelope: %w", status, body, err)
	}
	e := envelope.Error
	switch {
	case e.Type == "" || e.Message == "" || e.Code != "" && contract.Codes[e.Code] != status:
		return fmt.Errorf("%d: got %+v", status, e)
	case e.RequestID == "" || headers["x-request-id"] != e.RequestID || headers["cache-control"] != "no-store" || headers["x-content-type-options"] != "nosniff":
		return fmt.Errorf("%d with the id %s: got the headers %v", status, e.RequestID, headers)
	case (status == 429 || status == 503) && headers["retry-after"] == "":
		return fmt.Errorf("%d without Retry-After", status)
	}
	return nil
}

// unshapedAnswers returns the responses in a template that the firewall or CloudFront makes and
// that have not the contract's shape.
func unshapedAnswers(tpl template) (problems []error) {
	for id, r := range tpl.resourcesOf("AWS::WAFv2::WebACL") {
		bodies, _ := r.Properties["CustomResponseBodies"].(map[string]any)
		for _, v := range asArray(r.Properties["Rules"]) {
			action := v.(map[string]any)["Action"].(map[string]any)
			block, blocks := action["Block"].(map[string]any)
			custom, _ := block["CustomResponse"].(map[string]any)
			if !blocks || custom == nil {
				problems = append(problems, fmt.Errorf("%s: the action %v has no response of ours", id, action))
				continue
			}
			body, _ := bodies[fmt.Sprint(custom["CustomResponseBodyKey"])].(map[string]any)
			headers := map[string]string{}
			for _, h := range asArray(custom["ResponseHeaders"]) {
				headers[strings.ToLower(h.(map[string]any)["Name"].(string))] = h.(map[string]any)["Value"].(string)
			}
			problems = append(problems, checkShape(int(custom["ResponseCode"].(float64)), fmt.Sprint(body["Content"]), headers))
		}
	}
	for id, r := range tpl.resourcesOf("AWS::CloudFront::Distribution") {
		shaped := map[float64]bool{}
		for _, v := range asArray(r.Properties["DistributionConfig"].(map[string]any)["CustomErrorResponses"]) {
			row := v.(map[string]any)
			shaped[row["ErrorCode"].(float64)] = row["ResponsePagePath"] == topology.UnavailablePath && row["ResponseCode"] == row["ErrorCode"]
		}
		for _, code := range []float64{502, 503, 504} {
			if !shaped[code] {
				problems = append(problems, fmt.Errorf("%s: %v is not that of platform", id, code))
			}
		}
	}
	return problems
}

// Every response that the edge makes itself has the contract's shape; the 413 is plain.
func TestTheEdgesOwnAnswersAreShaped(t *testing.T) {
	eachStage(t, func(t *testing.T, tpl template) {
		for _, err := range unshapedAnswers(tpl) {
			if err != nil {
				t.Error(err)
			}
		}
	})
	statuses := map[int]bool{}
	for _, a := range runLimit(t, `{headers: {'content-length': {value: '12582913'}}}`, `{uri: '/`+strings.Repeat("a", maxHeadBytes)+`'}`,
		`{uri: '`+contract.BasePath+`/recruiter/roles'}`, `{uri: '`+contract.BasePath+`/identity', headers: {authorization: {value: 'Bearer x'}}}`) {
		headers := map[string]string{}
		for name, h := range a.Headers {
			headers[name] = h.Value
		}
		statuses[a.StatusCode] = true
		if err := checkShape(a.StatusCode, a.Body, headers); err != nil && a.StatusCode != 413 {
			t.Error(err)
		}
	}
	// A status that is added to the function is added here.
	if n := strings.Count(limitSource, "return answer(") + strings.Count(limitSource, "refuse(4") + strings.Count(limitSource, "refuse(5"); len(statuses) != 3 || n != 3 {
		t.Errorf("the function responds in %d places, with %v; want a case for each", n, statuses)
	}
}

// An unshaped response is found: a rule that blocks with the firewall's own page, one without
// Retry-After, and an error page that is CloudFront's.
func TestPlantedUnshapedAnswersAreFound(t *testing.T) {
	for what, plant := range map[string]func(tpl template, acl, distribution map[string]any){
		"a blocking rule": func(_ template, acl, _ map[string]any) {
			acl["Rules"] = append(asArray(acl["Rules"]), map[string]any{"Action": map[string]any{"Block": map[string]any{}}})
		},
		"no Retry-After": func(_ template, acl, _ map[string]any) {
			rule := asArray(acl["Rules"])[0].(map[string]any)
			custom := rule["Action"].(map[string]any)["Block"].(map[string]any)["CustomResponse"].(map[string]any)
			custom["ResponseHeaders"] = asArray(custom["ResponseHeaders"])[1:]
		},
		"an error page": func(_ template, _, distribution map[string]any) {
			config := distribution["DistributionConfig"].(map[string]any)
			config["CustomErrorResponses"] = asArray(config["CustomErrorResponses"])[:8]
		},
	} {
		tpl := copyTemplate(t, synthDeployed(t).templates["prod-us"])
		plant(tpl, tpl.findResource(t, "AWS::WAFv2::WebACL", "Firewall").Properties, tpl.findResource(t, "AWS::CloudFront::Distribution", "Edge").Properties)
		found := 0
		for _, err := range unshapedAnswers(tpl) {
			if err != nil {
				found++
			}
		}
		if found == 0 {
			t.Errorf("%s is not found", what)
		}
	}
}

// The firewall limits tightly what has no possible key, widely each key, and most widely each
// address, and refuses with 429.
func TestTheFirewallLimits(t *testing.T) {
	type limit struct {
		of     string
		number float64
	}
	got := map[string]limit{}
	for _, v := range asArray(synthDeployed(t).templates["prod-us"].findResource(t, "AWS::WAFv2::WebACL", "Firewall").Properties["Rules"]) {
		rule := v.(map[string]any)
		rate := rule["Statement"].(map[string]any)["RateBasedStatement"].(map[string]any)
		scope, _ := rate["ScopeDownStatement"].(map[string]any)
		of := fmt.Sprint(rate["AggregateKeyType"])
		if scope["NotStatement"] != nil {
			of += " without a key"
		}
		got[rule["Name"].(string)] = limit{of, rate["Limit"].(float64)}
	}
	want := map[string]limit{"no-key": {"IP without a key", 300}, "key": {"CUSTOM_KEYS", 3000}, "address": {"IP", 30_000}}
	if !maps.Equal(got, want) {
		t.Errorf("got %v; want %v", got, want)
	}
}
