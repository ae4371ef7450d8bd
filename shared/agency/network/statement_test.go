package network_test

import (
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Whatever order they are written in, what was stated last stands: preferences by
// a PUT or a submission, everything else of a submission by the newest one.
func TestTheNewestStatementStands(t *testing.T) {
	t.Parallel()
	type statement struct {
		// put is a PUT of preferences, else it is a submission.
		put bool
		// at is the second it was made in, salary what it says.
		at, salary int
	}
	submit := func(at, salary int) statement { return statement{false, at, salary} }
	put := func(at, salary int) statement { return statement{true, at, salary} }
	for name, tt := range map[string]struct {
		// written is in the order of the writes, after a submission of second 0.
		written []statement
		// salary and resume are those of the statement that must stand.
		salary, resume int
	}{
		"in order":                                   {[]statement{submit(1, 10), submit(2, 20)}, 20, 2},
		"the older submission comes later":           {[]statement{submit(2, 20), submit(1, 10)}, 20, 2},
		"a PUT, then what was submitted before":      {[]statement{put(2, 20), submit(1, 10)}, 20, 1},
		"a PUT, then what was submitted after":       {[]statement{put(1, 10), submit(2, 20)}, 20, 2},
		"a PUT of the moment of the submission":      {[]statement{put(1, 10), submit(1, 20)}, 10, 1},
		"a PUT that changed nothing":                 {[]statement{put(2, 1), submit(1, 10)}, 1, 1},
		"a PUT between two submissions, out of turn": {[]statement{submit(3, 30), put(2, 20), submit(1, 10)}, 20, 3},
		"two PUTs": {[]statement{put(1, 10), put(3, 30), submit(2, 20)}, 30, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			moment := func(second int) time.Time { return start.Add(time.Duration(second) * time.Second) }
			made := func(s statement) network.Candidate {
				c := newCandidate("ada", "a")
				c.SubmittedAt = moment(s.at)
				c.Preferences.SalaryMin = int64(s.salary)
				c.ResumeKey = resumeOf(s.at)
				c.Name = "Ada " + resumeOf(s.at)
				c.ScreeningCallLink = "https://example.com/" + resumeOf(s.at)
				return c
			}
			d.mustIngest(made(submit(0, 1)), candidateID(1), start)
			for n, s := range tt.written {
				now := moment(10 + n)
				if !s.put {
					d.mustIngest(made(s), candidateID(2), now)
				} else {
					_, err := d.SetPreferences(ctx, d.mustMembership(candidateID(1)), contract.WorkPreferences{SalaryMin: int64(s.salary)}, network.Write{Now: moment(s.at), ID: name})
					must(t, err)
				}
			}
			got := d.mustMembership(candidateID(1))
			resume := resumeOf(tt.resume)
			if *got.Preferences.SalaryMin != int64(tt.salary) {
				t.Errorf("the salary is %d, want %d", *got.Preferences.SalaryMin, tt.salary)
			}
			if got.ResumeKey != resume || got.Name != "Ada "+resume || got.ScreeningCallLink != "https://example.com/"+resume {
				t.Errorf("got the resume %s, the name %s and the call %s; want those of %s", got.ResumeKey, got.Name, got.ScreeningCallLink, resume)
			}
			if rows := d.listRows("agy_1"); len(rows) != 1 || rows[0].Name != got.Name {
				t.Errorf("got the rows %+v", rows)
			}
		})
	}
}

func resumeOf(second int) string { return "resume of " + string(rune('0'+second)) }

// A submission that is too old for a membership's facts makes it eligible all the same.
func TestAnOlderSubmissionRenewsEligibility(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	old := newCandidate("ada", "a")
	later := start.Add(time.Hour)
	old.SubmittedAt = start.Add(-time.Minute)
	p := d.mustIngest(old, candidateID(2), later)
	got := d.mustMembership(candidateID(1))
	if want := later.Add(network.DefaultEligibility); p.ID != candidateID(1) || !got.Market.ExpiresAt.Equal(want) || !got.UpdatedAt.Equal(later) {
		t.Errorf("got %s, eligible until %v, updated %v; want %s until %v", p.ID, got.Market.ExpiresAt, got.UpdatedAt, candidateID(1), want)
	}
	if !p.HasNewer || p.ReplacedResume != "" {
		t.Errorf("it replaces %q", p.ReplacedResume)
	}
}
