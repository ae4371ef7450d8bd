package market

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
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
	hours := min(i, CandidateCount)*24 + max(0, i-CandidateCount) // since about then: one candidate a day, and of further ones one an hour
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

// preferencesOf returns the preferences of the i-th candidate: for most a person entered some,
// for some they are only inferred, and a few have none.
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
