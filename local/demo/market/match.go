package market

import (
	"fmt"
	"iter"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/match"
)

// Matches is how many matches the demo's recruiter has, in every state.
const Matches = 40

// outcomes are dealt to matches in turn: what became of each, how long after it was
// sent it stands now, and how far its application came.
var outcomes = []struct {
	status     string
	days       int
	reachedOut bool
	label      string
	after      string
}{
	{match.Pending, 0, false, "", ""},
	{match.Pending, 2, true, "", ""},
	{match.Submitted, 9, true, "First round", ""},
	{match.Pending, 6, false, "", ""}, // its last day
	{match.Dismissed, 12, false, "", ""},
	{match.Pending, 8, false, "", ""}, // its window is over
	{match.Submitted, 15, true, "Rejected", "Mid round"},
	{match.Expired, 20, false, "", ""},
	{match.Submitted, 30, true, "Hired", ""},
	{match.Pending, 4, true, "", ""},
}

// MatchesOf yields the events of a recruiter's matches, on some of the first n roles.
func MatchesOf(recruiterID string, n int, now time.Time) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for i := range Matches {
			if !yield(event("match.upserted", fmt.Sprintf("match-%s-%02d", recruiterID, i), now, matchAt(i, recruiterID, n, now))) {
				return
			}
		}
	}
}

func matchAt(i int, recruiterID string, n int, now time.Time) match.Match {
	c, o := Candidate(i, recruiterID, now), outcomes[i%len(outcomes)]
	m := match.Match{
		RecruiterID: recruiterID, RoleID: roles.At((i*7)%n, now).ID, Status: o.status, ReachedOut: o.reachedOut,
		SentAt:            contract.At(now.Add(-time.Duration(o.days)*24*time.Hour - time.Duration(i)*7*time.Minute)),
		HiringManagerName: []string{"Mona Lindholm", "Peter Adeyemi", "Salma Haddad"}[i%3],
		Candidate: match.Candidate{
			CandidateID: c.CandidateID, Name: c.Name, Title: c.CurrentRole.Title, OneLiner: c.OneLiner, Location: c.Location,
			LinkedInURL: c.LinkedInURL, Email: c.Email,
		},
	}
	if i%2 == 0 {
		m.HiringManagerNote = new("This background is just what the team lacks.")
	}
	if o.label != "" {
		m.ProgressLabel = &o.label
	}
	if o.after != "" {
		m.RejectedAfterStage = &o.after
	}
	return m
}
