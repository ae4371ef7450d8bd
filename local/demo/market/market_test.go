package market

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/role"
)

var now = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// The same number and time give the same events, and more roles only add some.
func TestEventsAreAlwaysTheSame(t *testing.T) {
	t.Parallel()
	few, many := slices.Collect(Roles(20, now)), slices.Collect(Roles(50, now))
	if diff := cmp.Diff(few, many[:len(few)]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(slices.Collect(Recruiter("rec", "agy", 240, now)), slices.Collect(Recruiter("rec", "agy", 240, now))); diff != "" {
		t.Error(diff)
	}
}

// What make run comes with shows every state that a role can be in.
func TestDemoShowsEverything(t *testing.T) {
	t.Parallel()
	shown := map[string]int{}
	for line := range Roles(240, now) {
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
		shown[e.Data.Status]++
		shown[e.Data.Visibility]++
		if e.Data.ConfidentialSearch && e.Data.Visibility != role.Stealth {
			shown["confidential"]++
		}
	}
	for what, least := range map[string]int{"roles": 200, "ACTIVE": 100, "PAUSED": 5, "CLOSED": 5, role.Stealth: 5, "confidential": 5} {
		if shown[what] < least {
			t.Errorf("%s: %d; want at least %d", what, shown[what], least)
		}
	}
	dealtOut := map[Involvement]int{}
	for _, kind := range dealt(240, now) {
		dealtOut[kind]++
	}
	for _, kind := range []Involvement{Primary, Trial, Single, AutoMatch, Pending, Rejected, OwnFee, StealthPrimary} {
		if dealtOut[kind] < 2 {
			t.Errorf("%s: %d roles; want two at least", kind, dealtOut[kind])
		}
	}
	if all := slices.Collect(Recruiter("rec", "agy", 240, now)); !slices.ContainsFunc(all, func(l Line) bool { return strings.Contains(string(l), "intakeTranscript.upserted") }) {
		t.Error("no intake transcript")
	}
}

// A crowd goes on behind the book, with nobody twice, back to years that lists know.
func TestCrowd(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	oldest := now
	for i := range 3000 {
		c := Candidate(i, "rec", now)
		if seen[c.CandidateID] || seen[*c.Email] {
			t.Fatalf("candidate %d is there twice", i)
		}
		seen[c.CandidateID], seen[*c.Email] = true, true
		if c.AddedAt.Before(oldest) {
			oldest = c.AddedAt.Time
		}
	}
	if last := Candidate(50_000, "rec", now).AddedAt; last.Year() < 2015 || oldest.After(now.AddDate(0, 0, -300)) {
		t.Errorf("the book goes back to %v and %v", oldest, last)
	}
	if n := len(slices.Collect(Crowd("rec", BookSize+7, now))); n != 7 {
		t.Errorf("%d behind the book; want 7", n)
	}
}
