package market

import (
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// MatchCount is how many matches the demo's recruiter has, in every state.
const MatchCount = 40

// matchOutcomes are the states of matches, in turn: the status, how many days ago the match
// was sent, and how far its application came.
var matchOutcomes = []struct {
	status     contract.MatchStatus
	days       int
	reachedOut bool
	label      string
	after      string
}{
	{contract.MatchStatusPending, 0, false, "", ""},
	{contract.MatchStatusPending, 2, true, "", ""},
	{contract.MatchStatusSubmitted, 9, true, "First round", ""},
	{contract.MatchStatusPending, 6, false, "", ""}, // its last day
	{contract.MatchStatusDismissed, 12, false, "", ""},
	{contract.MatchStatusPending, 8, false, "", ""}, // its window is over
	{contract.MatchStatusSubmitted, 15, true, "Rejected", "Mid round"},
	{contract.MatchStatusExpired, 20, false, "", ""},
	{contract.MatchStatusSubmitted, 30, true, "Hired", ""},
	{contract.MatchStatusPending, 4, true, "", ""},
}

// statusByLabel is the status of an application by the label on its match.
var statusByLabel = map[string]string{"First round": "INTERVIEWING", "Rejected": "REJECTED", "Hired": "HIRED"}

// matchEvents returns the events of a recruiter's matches on some of the first n roles, and of
// the applications and assignments that follow from them.
func matchEvents(recruiterID, agencyID string, n int, now time.Time) (events []Event) {
	isAssigned := map[string]bool{}
	for r := range dealInvolvements(n, now) {
		isAssigned[r.ID] = true
	}
	for i := range MatchCount {
		r := findSuitedRole(firstRequested+i, n, now)
		m := matchAt(i, r, recruiterID, now)
		events = append(events, newEvent("match.upserted", fmt.Sprintf("match-%s-%02d", recruiterID, i), now, m))
		if m.Status != contract.MatchStatusSubmitted {
			continue
		}
		events = append(events, newMatchedApplication(m, r, firstRequested+i, agencyID, now))
		if !isAssigned[r.ID] {
			events = append(events, assignmentEvents(r, RequestOnly, 0, recruiterID, now)...)
		}
		isAssigned[r.ID] = true
	}
	return events
}

// newMatchedApplication returns the event of the application that followed from a match of the
// i-th candidate.
func newMatchedApplication(m match.Match, r roles.Role, i int, agencyID string, now time.Time) Event {
	a := newApplication(r, i, m.RecruiterID, agencyID, now)
	stage := *m.ProgressLabel
	if m.RejectedAfterStage != nil {
		stage = *m.RejectedAfterStage
	}
	a.setStage(statusByLabel[*m.ProgressLabel], stage)
	a.AutoMatch = true
	a.Via = new(contract.ApplicationViaAutoMatch)
	a.SubmittedAt = contract.At(m.SentAt.Add(30 * time.Hour))
	return a.newEvent(now)
}

func matchAt(i int, r roles.Role, recruiterID string, now time.Time) match.Match {
	c := CandidateAt(firstRequested+i, recruiterID, now)
	o := matchOutcomes[i%len(matchOutcomes)]
	m := match.Match{
		RecruiterID: recruiterID, RoleID: r.ID, Status: o.status, ReachedOut: o.reachedOut,
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
