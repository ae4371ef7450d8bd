package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A few kinds of alarms wake an operator, and say when the trouble is over; all others are tickets.
func TestFewAlarmsArePages(t *testing.T) {
	want := []string{"availability", "canary", "concurrency", "latency", "outcome", "queue-age-quiet", "traffic-floor"}
	var got []string
	tpl := synthSearch(t).templates["prod-us"]
	for _, id := range alarmIDs(tpl) {
		r := tpl.Resources[id]
		actions := flatten(r.Properties["AlarmActions"])
		_, kind, _ := strings.Cut(strings.TrimSuffix(r.Properties["AlarmDescription"].(string), "."), "infra/README.md, alarm ")
		isPage := strings.Contains(actions, "Pages")
		if isPage && !slices.Contains(got, kind) {
			got = append(got, kind)
		}
		if ok := flatten(r.Properties["OKActions"]); isPage && ok != actions {
			t.Errorf("%s notifies %s, and %s at its end", id, actions, ok)
		}
		if !isPage && r.Properties["AlarmActions"] != nil && !strings.Contains(actions, "Tickets") {
			t.Errorf("%s notifies %s", id, actions)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

// Pages also reach the pager, which confirms by itself; the address gets pages and tickets.
func TestPagesReachThePager(t *testing.T) {
	s, err := synthInContext(map[string]any{"stage": "prod-us"}, func(stage map[string]any) {
		stage["alarmEmail"] = "operator@example.com"
		stage["pageUrl"] = "https://pager.example.com/x"
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, r := range s.templates["prod-us"].resourcesOf("AWS::SNS::Subscription") {
		topic := "tickets"
		if strings.Contains(flatten(r.Properties["TopicArn"]), "Pages") {
			topic = "pages"
		}
		got[topic+" "+r.Properties["Protocol"].(string)]++
	}
	if diff := cmp.Diff(map[string]int{"pages email": 2, "pages https": 2, "tickets email": 2}, got); diff != "" {
		t.Errorf("subscriptions in both regions (-want +got):\n%s", diff)
	}
}

// TestTheQuotaIsASetting fails unless the alarm on concurrency follows the account's quota, and a quota that
// reserved concurrency uses up is refused.
func TestTheQuotaIsASetting(t *testing.T) {
	s, err := synthInContext(map[string]any{"stage": "prod-us"}, func(stage map[string]any) { stage["accountConcurrency"] = 5000 })
	if err != nil {
		t.Fatal(err)
	}
	if got := s.templates["prod-us"].findResource(t, "AWS::CloudWatch::Alarm", "ConcurrencyAlarm").Properties["Threshold"]; got != 4000.0 {
		t.Errorf("the alarm is raised at %v instances", got)
	}
	_, err = synthInContext(map[string]any{"stage": "prod-us"}, func(stage map[string]any) { stage["accountConcurrency"] = 289 })
	if err == nil || !strings.Contains(err.Error(), "accountConcurrency must be at least 290") {
		t.Errorf("a new account's quota: got %v", err)
	}
}
