package market

import (
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
)

// CallCount is how many transcribed calls the demo's recruiter has; one more has no
// transcript and is not listed.
const CallCount = 25

// callEvents returns the events of a recruiter's calls about some of the first n roles.
func callEvents(recruiterID string, n int, now time.Time) (events []Event) {
	for i := range CallCount + 1 {
		id := fmt.Sprintf("call-%s-%02d", recruiterID, i)
		events = append(events, newEvent("call.upserted", id, now, callAt(i, recruiterID, n, now)))
	}
	return events
}

func callAt(i int, recruiterID string, n int, now time.Time) notetaker.Call {
	c := CandidateAt(i*3, recruiterID, now)
	r := findSuitedRole(i*3, n, now)
	at := now.Add(-time.Duration(i*31+5) * time.Hour)
	out := notetaker.Call{
		RecruiterID: recruiterID, Title: "Screening: " + c.Name, ScheduledAt: contract.At(at), Platform: []string{"google_meet", "zoom", "teams"}[i%3],
		URL: fmt.Sprintf("https://app.example.com/calls/%02d", i), DurationSeconds: new(float64(900 + 97*i)),
		Participants: []notetaker.Participant{{Name: new("Ingrid Solberg"), Email: "ingrid.solberg@example.com"}, {Name: &c.Name, Email: *c.Email}},
		Candidate:    &notetaker.Candidate{CandidateID: c.CandidateID, Name: c.Name}, UpdatedAt: contract.At(at.Add(time.Hour)),
	}
	if i%4 != 3 {
		out.RoleID = &r.ID
	}
	if i == CallCount {
		return out
	}
	out.Summary = new("Wants a smaller team; free in two months.")
	out.SummaryFull = new(c.Name + " wants a smaller team and more say in the product. Free in two months.")
	out.Transcript = &notetaker.Transcript{Language: new("en"), Segments: conversation(c.Name, *c.Email)}
	return out
}

// conversation returns the turns of a short conversation with a candidate.
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
