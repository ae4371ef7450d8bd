package market

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
)

// CandidateCount is how many candidates the demo's recruiter has.
const CandidateCount = 300

func drawOne[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// RecruiterEvents returns all events of a recruiter: assignments to some of the first n roles,
// candidates, matches and calls.
func RecruiterEvents(recruiterID, agencyID string, n int, now time.Time) []Event {
	candidates := slices.Collect(CandidateEvents(recruiterID, 0, CandidateCount, now))
	return slices.Concat(
		AssignmentEvents(recruiterID, agencyID, n, now), candidates,
		matchEvents(recruiterID, agencyID, n, now), callEvents(recruiterID, n, now),
	)
}

// CandidateID returns the id of the i-th candidate.
func CandidateID(i int) string { return fmt.Sprintf("cand-%03d", i) }

// CandidateEvents yields the events of a recruiter's candidates from a number to another. The i-th one was added i days
// and some hours ago, and the last ones of the demo are hidden or archived.
func CandidateEvents(recruiterID string, from, to int, now time.Time) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for i := from; i < to; i++ {
			c := CandidateAt(i, recruiterID, now)
			if !yield(newEvent("crmCandidate.upserted", recruiterID+"/"+c.CandidateID, now, c)) {
				return
			}
		}
	}
}

// CandidateAt returns the i-th candidate of a recruiter, who looks for a role like the i-th.
func CandidateAt(i int, recruiterID string, now time.Time) crm.Candidate {
	r := rand.New(rand.NewPCG(uint64(i), 6))
	ideal := roles.At(i, now)
	name := words.FirstNames[i%len(words.FirstNames)] + " " + words.LastNames[(i*7+i/len(words.FirstNames))%len(words.LastNames)]
	slug := fmt.Sprintf("demo-candidate-%03d", i)
	years := int(*ideal.YearsMin) + i%6
	// since the candidate was added, about: one a day, and of further ones one an hour
	hours := min(i, CandidateCount)*24 + max(0, i-CandidateCount)
	headline := ideal.Title
	if len(ideal.TechStack) > 1 {
		headline = fmt.Sprintf("%s who works with %s and %s", ideal.Title, ideal.TechStack[0], ideal.TechStack[1])
	}
	c := crm.Candidate{
		RecruiterID: recruiterID, CandidateID: CandidateID(i), Name: name, Email: new(slug + "@example.com"),
		LinkedInURL: new("https://www.linkedin.com/in/" + slug), Location: new(drawOne(r, words.Places)), OneLiner: &headline,
		CurrentRole:        contract.Position{Company: new(roles.CompanyAt(1000 + i).Name), Title: &ideal.Title},
		RelationshipStatus: drawOne(r, words.Statuses), AddedAt: contract.At(now.Add(-time.Duration(hours+r.IntN(20)) * time.Hour)),
		Tags:              slices.Compact(slices.Sorted(slices.Values([]string{drawOne(r, words.Tags), drawOne(r, words.Tags)}))),
		YearsOfExperience: new(float64(years)),
		ResumeOnFile:      i%3 != 0, Hidden: i == CandidateCount-1, Archived: i == CandidateCount-2, Skills: ideal.TechStack,
		Education: []contract.CRMEducation{{
			School: new(drawOne(r, words.Schools)), Degree: new("BSc"),
			StartDate: new(fmt.Sprintf("%d-09", now.Year()-years-4)), EndDate: new(fmt.Sprintf("%d-06", now.Year()-years-1)),
		}},
	}
	if i%5 == 0 {
		c.Note = new("Prefers to be written to in the morning.")
	}
	if i%4 == 0 {
		c.GitHubURL = new("https://github.com/" + slug)
		c.PersonalURL = new("https://" + slug + ".example.com")
	}
	jobs := min(1+i%3, max(years, 1))
	for n := range jobs { // the current one first; together they last the years, to this one
		e := contract.CRMExperience{
			Title: &ideal.Title, Company: new(roles.CompanyAt(1000 + i + 300*n).Name), IsCurrent: n == 0,
			StartDate: new(fmt.Sprintf("%d-01", now.Year()-years*(n+1)/jobs)), EmploymentType: new("Full-time"),
		}
		if n > 0 {
			e.EndDate = new(fmt.Sprintf("%d-12", now.Year()-years*n/jobs-1))
		}
		c.Experiences = append(c.Experiences, e)
	}
	c.Preferences = preferencesOf(i, ideal, now)
	return c
}

// preferencesOf returns inferred preferences and, for three candidates of four, those that a person entered;
// a few candidates have none.
func preferencesOf(i int, ideal roles.Role, now time.Time) []crm.Preferences {
	if i%11 == 10 {
		return nil
	}
	p := crm.Preferences{
		Source:    []contract.PreferenceSource{"RECRUITER", "CANDIDATE", "RECRUITER", "INFERRED"}[i%4],
		UpdatedAt: contract.At(now.AddDate(0, 0, -i-1)),
		Locations: ideal.LocationKeys, Workplace: []string{*ideal.WorkplaceType}, RoleTypes: ideal.RoleTypes,
		FundingRounds: []string{"SEED", "SERIES_A", "SERIES_B"}, VisaAuthorization: []string{"NO_VISA_AUTHORIZATION_NEEDED"},
		SalaryMin: ideal.Salary.Min, SalaryMax: ideal.Salary.Max,
	}
	guess := p
	guess.Source = "INFERRED"
	guess.Locations = nil
	guess.UpdatedAt = contract.At(p.UpdatedAt.AddDate(0, -1, 0))
	return []crm.Preferences{guess, p}
}

// MatchCount is how many matches the demo's recruiter has, in every state.
const MatchCount = 40

// matchOutcomes are the states of matches, in turn; days is how many days ago a match was sent.
var matchOutcomes = []struct {
	status       contract.MatchStatus
	days         int
	reachedOut   bool
	label, after string
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

// matchEvents also returns the events of the applications and assignments that follow from the matches.
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
	firstSubmitted = 26 // the first candidate with applications; for newer ones before it, roles can be recommended
	firstRequested = 40 // the first candidate with a match, added long enough ago for every outcome
)

// findSuitedRole returns the first open role of the same work after the role that the i-th candidate is modelled on.
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

// findApplicants returns candidates without a match: those who do such work, and others if there are too few.
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
			RecruiterID: recruiterID, Title: "Screening: " + c.Name,
			ScheduledAt: contract.At(at), Platform: []string{"google_meet", "zoom", "teams"}[i%3],
			URL: fmt.Sprintf("https://app.example.com/calls/%02d", i), DurationSeconds: new(float64(900 + 97*i)),
			Participants: []contract.CallParticipant{{Name: new("Ingrid Solberg"), Email: "ingrid.solberg@example.com"},
				{Name: &c.Name, Email: *c.Email}},
			Candidate: &notetaker.Candidate{CandidateID: c.CandidateID, Name: c.Name}, UpdatedAt: contract.At(at.Add(time.Hour)),
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
