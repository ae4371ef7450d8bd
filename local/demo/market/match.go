package market

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
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
		c := CandidateAt(firstRequested+i, recruiterID, now)
		o := matchOutcomes[i%len(matchOutcomes)]
		m := match.Match{
			RecruiterID: recruiterID, RoleID: r.ID, Status: o.status, ReachedOut: o.reachedOut,
			SentAt:            contract.At(now.Add(-time.Duration(o.days)*24*time.Hour - time.Duration(i)*7*time.Minute)),
			HiringManagerName: []string{"Mona Lindholm", "Peter Adeyemi", "Salma Haddad"}[i%3],
			ProgressLabel:     optional.NonZero(o.label), RejectedAfterStage: optional.NonZero(o.after),
			Candidate: match.Candidate{
				CandidateID: c.CandidateID, Name: c.Name, Title: c.CurrentRole.Title, OneLiner: c.OneLiner, Location: c.Location,
				LinkedInURL: c.LinkedInURL, Email: c.Email,
			},
		}
		if i%2 == 0 {
			m.HiringManagerNote = new("This background is just what the team lacks.")
		}
		events = append(events, newEvent("match.upserted", fmt.Sprintf("match-%s-%02d", recruiterID, i), now, m))
		if m.Status != contract.MatchStatusSubmitted {
			continue
		}
		a := newApplication(r, firstRequested+i, recruiterID, agencyID, now)
		a.setStage(statusByLabel[*m.ProgressLabel], *cmp.Or(m.RejectedAfterStage, m.ProgressLabel))
		a.AutoMatch = true
		a.Via = new(contract.ApplicationViaAutoMatch)
		a.SubmittedAt = contract.At(m.SentAt.Add(30 * time.Hour))
		events = append(events, a.newEvent(now))
		if !isAssigned[r.ID] {
			events = append(events, assignmentEvents(r, RequestOnly, 0, recruiterID, now)...)
		}
		isAssigned[r.ID] = true
	}
	return events
}

const (
	// firstSubmitted is the first candidate with applications. The newer ones before it have
	// none, so that roles can be recommended for them.
	firstSubmitted = 26
	// firstRequested is the first candidate with a match, added long enough ago for every outcome.
	firstRequested = 40
)

// findSuitedRole returns an open role among the first n for the i-th candidate: the first of
// the same work after the role that the candidate is modelled on.
func findSuitedRole(i, n int, now time.Time) roles.Role {
	ideal := roles.At(i, now)
	for j := 1; j < n; j++ {
		if r := roles.At((i+j)%n, now); r.Status == contract.RoleStatusActive && shareRoleType(r, ideal) {
			return r
		}
	}
	return roles.At(i%n, now)
}

func shareRoleType(a, b roles.Role) bool {
	return slices.ContainsFunc(a.RoleTypes, func(key string) bool { return slices.Contains(b.RoleTypes, key) })
}

// findApplicants returns the numbers of count candidates without a match for a role: those who
// do such work, and others if there are too few.
func findApplicants(r roles.Role, count int, now time.Time) (numbers []int) {
	for _, all := range []bool{false, true} {
		for i := firstSubmitted; i < CandidateCount-2 && len(numbers) < count; i++ {
			isAsked := i >= firstRequested && i < firstRequested+MatchCount
			isTaken := isAsked || slices.Contains(numbers, i)
			if !isTaken && (all || shareRoleType(roles.At(i, now), r)) {
				numbers = append(numbers, i)
			}
		}
	}
	return numbers
}

// CallCount is how many transcribed calls the demo's recruiter has; one more has no
// transcript and is not listed.
const CallCount = 25

func callEvents(recruiterID string, n int, now time.Time) (events []Event) {
	for i := range CallCount + 1 {
		c := CandidateAt(i*3, recruiterID, now)
		r := findSuitedRole(i*3, n, now)
		at := now.Add(-time.Duration(i*31+5) * time.Hour)
		call := notetaker.Call{
			RecruiterID: recruiterID, Title: "Screening: " + c.Name, ScheduledAt: contract.At(at), Platform: []string{"google_meet", "zoom", "teams"}[i%3],
			URL: fmt.Sprintf("https://app.example.com/calls/%02d", i), DurationSeconds: new(float64(900 + 97*i)),
			Participants: []contract.CallParticipant{{Name: new("Ingrid Solberg"), Email: "ingrid.solberg@example.com"}, {Name: &c.Name, Email: *c.Email}},
			Candidate:    &notetaker.Candidate{CandidateID: c.CandidateID, Name: c.Name}, UpdatedAt: contract.At(at.Add(time.Hour)),
		}
		if i%4 != 3 {
			call.RoleID = &r.ID
		}
		if i < CallCount {
			call.Summary = new("Wants a smaller team; free in two months.")
			call.SummaryFull = new(c.Name + " wants a smaller team and more say in the product. Free in two months.")
			call.Transcript = &notetaker.Transcript{Language: new("en"), Segments: conversation(c.Name, *c.Email)}
		}
		events = append(events, newEvent("call.upserted", fmt.Sprintf("call-%s-%02d", recruiterID, i), now, call))
	}
	return events
}

func conversation(name, email string) (all []notetaker.Segment) {
	for i, text := range words.Conversation {
		s := notetaker.Segment{Speaker: new("Ingrid Solberg"), SpeakerEmail: new("ingrid.solberg@example.com"), Text: text}
		if i%2 == 1 {
			s.Speaker = &name
			s.SpeakerEmail = &email
		}
		s.StartSeconds = new(float64(10 * i))
		s.EndSeconds = new(float64(10*i + 8))
		all = append(all, s)
	}
	return all
}
