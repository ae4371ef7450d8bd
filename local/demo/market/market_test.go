package market

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

var now = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// The same number and time give the same events, and more roles only add some.
func TestEventsAreAlwaysTheSame(t *testing.T) {
	t.Parallel()
	few := slices.Collect(RoleEvents(20, now))
	many := slices.Collect(RoleEvents(50, now))
	if diff := cmp.Diff(few, many[:len(few)]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(AssignmentEvents("rec", "agy", 240, now), AssignmentEvents("rec", "agy", 240, now)); diff != "" {
		t.Error(diff)
	}
}

// What make run comes with shows every state that a role can be in.
func TestDemoShowsEverything(t *testing.T) {
	t.Parallel()
	shown := map[string]int{}
	for line := range RoleEvents(240, now) {
		var e struct {
			Type string
			Data role.Role
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Type != "role.upserted" {
			continue
		}
		shown["roles"]++
		shown[string(e.Data.Status)]++
		shown[string(e.Data.Visibility)]++
		if e.Data.ConfidentialSearch && e.Data.Visibility != contract.RoleVisibilityStealth {
			shown["confidential"]++
		}
	}
	for what, least := range map[string]int{"roles": 200, "ACTIVE": 100, "PAUSED": 5, "CLOSED": 5, string(contract.RoleVisibilityStealth): 5, "confidential": 5} {
		if shown[what] < least {
			t.Errorf("%s: %d; want at least %d", what, shown[what], least)
		}
	}
	dealtOut := map[Involvement]int{}
	for _, kind := range dealInvolvements(240, now) {
		dealtOut[kind]++
	}
	for _, kind := range []Involvement{Primary, Trial, Single, AutoMatch, Pending, Rejected, Withdrawn, RequestOnly, OwnFee, StealthPrimary, Idle} {
		if dealtOut[kind] < 2 {
			t.Errorf("%s: %d roles; want two at least", kind, dealtOut[kind])
		}
	}
	if all := AssignmentEvents("rec", "agy", 240, now); !slices.ContainsFunc(all, func(l Event) bool { return strings.Contains(string(l), "intakeTranscript.upserted") }) {
		t.Error("no intake transcript")
	}
}

// What is told of one thing agrees with what is told of others.
func TestDemoAgrees(t *testing.T) {
	t.Parallel()
	read := func(line Event, kind string, data any) bool {
		e := struct {
			Type string
			Data any
		}{Data: data}
		if !strings.Contains(string(line), `"type":"`+kind+`"`) {
			return false
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		return true
	}
	added := map[string]contract.Time{}
	for i := range CandidateCount {
		c := CandidateAt(i, "rec", now)
		added[c.CandidateID] = c.AddedAt
	}
	applied := map[[2]string]role.Application{}
	once := map[string]bool{}
	var matches []match.Match
	for _, line := range RecruiterEvents("rec", "agy", 240, now) {
		var id struct{ Type, EntityID string }
		if err := json.Unmarshal([]byte(line), &id); err != nil || once[id.Type+id.EntityID] {
			t.Errorf("%.200s: is there twice, or %v", line, err)
		}
		once[id.Type+id.EntityID] = true
		var a role.Application
		if read(line, "application.upserted", &a) {
			applied[[2]string{a.RoleID, a.CandidateID}] = a
			if a.SubmittedAt.Before(added[a.CandidateID].Time) || a.SubmittedAt.After(now) {
				t.Errorf("%s is submitted at %v, and was added at %v", a.CandidateID, a.SubmittedAt, added[a.CandidateID])
			}
		}
		var m match.Match
		if read(line, "match.upserted", &m) {
			matches = append(matches, m)
		}
	}
	for _, m := range matches {
		a, there := applied[[2]string{m.RoleID, m.Candidate.CandidateID}]
		if there != (m.Status == contract.MatchStatusSubmitted) || there && !(a.AutoMatch && a.SubmittedAt.After(m.SentAt.Time)) {
			t.Errorf("%+v has the application %+v", m, a)
		}
		if m.SentAt.Before(added[m.Candidate.CandidateID].Time) {
			t.Errorf("%s is asked for before being in the book", m.Candidate.CandidateID)
		}
	}
	own := map[string]int64{}
	hired := map[string]int64{}
	for key, a := range applied {
		own[key[0]]++
		if a.Status == "HIRED" {
			hired[key[0]]++
		}
	}
	for line := range RoleEvents(240, now) {
		var p role.Pipeline
		var id struct{ EntityID string }
		if !read(line, "rolePipeline.upserted", &p) || json.Unmarshal([]byte(line), &id) != nil {
			continue
		}
		if own[id.EntityID] > *p.TotalApplications || hired[id.EntityID] > p.TotalHired {
			t.Errorf("a role has %+v, but %d of one recruiter, %d of them hired", p, own[id.EntityID], hired[id.EntityID])
		}
	}
	if len(matches) != MatchCount {
		t.Errorf("%d matches", len(matches))
	}
}

// A large CRM has no candidate twice, and its dates stay within the years that lists accept.
func TestCrowd(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	oldest := now
	for i := range 3000 {
		c := CandidateAt(i, "rec", now)
		if seen[c.CandidateID] || seen[*c.Email] {
			t.Fatalf("candidate %d is there twice", i)
		}
		seen[c.CandidateID] = true
		seen[*c.Email] = true
		if c.AddedAt.Before(oldest) {
			oldest = c.AddedAt.Time
		}
	}
	if last := CandidateAt(50_000, "rec", now).AddedAt; last.Year() < 2015 || oldest.After(now.AddDate(0, 0, -300)) {
		t.Errorf("the book goes back to %v and %v", oldest, last)
	}
	if n := len(slices.Collect(CandidateEvents("rec", CandidateCount, CandidateCount+7, now))); n != 7 {
		t.Errorf("%d behind the book; want 7", n)
	}
}
