package system_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

// objectLeads are the objects of a bucket that items lead to: true for one that must be
// there, false for one that may be there and is removed by what leads to it.
type objectLeads map[string]bool

// allowObject records that an object may exist, unless it is already recorded that it must.
func (leads objectLeads) allowObject(key string) {
	if _, found := leads[key]; !found {
		leads[key] = false
	}
}

// checkObjects matches the objects of every bucket with the items of every table, both
// ways: an item refers to each object, or its bucket drops it after days; and the objects
// that items lead to are there.
func (sys *testSystem) checkObjects() {
	sys.t.Helper()
	leads := map[string]objectLeads{topology.Resumes.Name: {}, topology.MarketplaceBucket.Name: {}}
	for _, item := range sys.storedItems(topology.Network, "M#") {
		if key, found := item["resumeKey"].(string); found {
			leads[topology.Resumes.Name][key] = true
		}
	}
	sys.addSubmissionLeads(leads[topology.Resumes.Name])
	sys.addMarketplaceLeads(leads[topology.MarketplaceBucket.Name])
	for _, bucket := range topology.Buckets {
		stored := sys.storedObjects(bucket, "")
		for _, key := range stored {
			expires := slices.ContainsFunc(bucket.Expires, func(e topology.Expiry) bool { return strings.HasPrefix(key, e.Prefix) })
			if _, led := leads[bucket.Name][key]; !led && !expires {
				sys.t.Errorf("nothing leads to the object %s of %s", key, bucket.Name)
			}
		}
		for key, required := range leads[bucket.Name] {
			if required && !slices.Contains(stored, key) {
				sys.t.Errorf("an item leads to %s of %s, which is not there", key, bucket.Name)
			}
		}
	}
}

// addSubmissionLeads adds what submissions on their way, uploads and disposals lead to.
func (sys *testSystem) addSubmissionLeads(leads objectLeads) {
	sys.t.Helper()
	for _, item := range sys.storedItems(topology.Submissions, "") {
		switch pk := item[topology.PK].(string); pk[:2] {
		case "L#":
			var sub submission.Submission
			must(sys.t, json.Unmarshal(item["payload"].([]byte), &sub))
			leads.allowObject(sub.CopyKey())
			leads[sub.ResumeKey] = sub.Deadline.After(sys.now())
		case "F#":
			if expires := time.UnixMilli(int64(item["expires"].(float64))); expires.After(sys.now()) {
				leads[fmt.Sprint("uploads/", item["agency"], "/", item["sha256"])] = true
			}
		case "X#":
			for _, key := range item["keys"].([]any) {
				leads.allowObject(key.(string))
			}
		}
	}
}

// addMarketplaceLeads adds transcripts, published files and what is pending of both.
func (sys *testSystem) addMarketplaceLeads(leads objectLeads) {
	sys.t.Helper()
	for _, item := range sys.storedItems(topology.Marketplace, "") {
		pk := item[topology.PK].(string)
		sk := item[topology.SK].(string)
		var content struct {
			Text          string `json:"text"`
			TranscriptKey string `json:"transcriptKey"`
		}
		body, _ := item["body"].([]byte)
		switch kind, id, _ := strings.Cut(pk, "#"); {
		case (kind == "I" || kind == "L") && (sk == kind || sk == "D") && body != nil:
			must(sys.t, json.Unmarshal(body, &content))
			for _, key := range []string{content.Text, content.TranscriptKey} {
				if key != "" {
					leads[key] = true
				}
			}
		case kind == "X":
			leads.allowObject(id)
		case kind == "U" && sk == "B": // it is claimed before the base is written
			leads.allowObject(crm.IndexPrefix + id)
		case kind == "H" && strings.HasPrefix(sk, "H#"):
			for _, key := range item["files"].([]any) {
				leads[key.(string)] = true
			}
		}
	}
}

// After a death of the worker at any of its calls, however the item goes on, no object is
// left that nothing leads to, and every membership has its resume. The worker dies before each call that
// writes: at a read, it leaves what it leaves at the write that follows.
func TestNoResumeIsLeftBehind(t *testing.T) {
	t.Parallel()
	for name, goOn := range map[string]func(*manualSystem, person){
		"the message comes again": func(s *manualSystem, _ person) { s.runWorkers() },
		"the person is submitted again past the deadline": func(s *manualSystem, p person) {
			s.takeMessages()
			s.advanceClock(submission.DefaultTimeout)
			_, err := s.newAgencyClient().Submit(s.t.Context(), newSubmitRequest(s.t, p, ""))
			must(s.t, err)
			s.runWorkers()
		},
		"the sweeper ends the item": func(s *manualSystem, _ person) {
			s.takeMessages()
			s.advanceClock(submission.DefaultTimeout)
			must(s.t, s.Sweep(s.t.Context()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := callTrigger{counts: isWrite}
			s := newManualSystem(t, m.onCall)
			api := s.newAgencyClient()
			calls := 0
			for reached := true; reached; calls++ {
				slug := fmt.Sprintf("sam-%02d", calls)
				p := person{priya.file, priya.name, slug + "@example.com", slug}
				for n := range 2 { // the second one replaces the first one's resume
					_, err := api.Submit(t.Context(), newSubmitRequest(t, p, ""))
					must(t, err)
					if n == 0 {
						s.runWorkers()
						s.advanceClock(time.Second)
					}
				}
				m.armAt(calls+1, true, func() {})
				for _, message := range s.takeMessages() {
					s.deliverMessage(message)
				}
				reached = m.wasReached()
				s.checkObjects()
				goOn(s, p)
				s.checkObjects()
				s.advanceClock(time.Hour)
				must(t, s.sweepDue())
				s.checkObjects()
				api = s.newAgencyClient()
			}
			if calls < 5 {
				t.Errorf("the worker wrote only %d times", calls-1)
			}
			if resumes, members := len(s.storedObjects(topology.Resumes, "resumes/")), len(s.storedItems(topology.Network, "M#")); resumes != members {
				t.Errorf("%d resumes for %d memberships", resumes, members)
			}
			if left := s.storedItems(topology.Submissions, "X#"); len(left) > 0 {
				t.Errorf("the disposals %v are left", left)
			}
			s.checkItemKinds()
		})
	}
}
