package market

import (
	"fmt"
	"iter"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/role"
)

// Involvement is what the demo's recruiter is to a role.
type Involvement string

// The kinds, of which Recruiter shows every one.
const (
	Primary   Involvement = "primary"
	Trial     Involvement = "trial"
	Single    Involvement = "single submission"
	AutoMatch Involvement = "auto-match"
	Pending   Involvement = "pending"
	Rejected  Involvement = "rejected"
	OwnFee    Involvement = "primary with a fee of its own"
	// StealthPrimary is a primary slot on a stealth role.
	StealthPrimary Involvement = "primary on a stealth role"
)

// kinds are dealt to roles in this order, again and again.
var kinds = []Involvement{Primary, Trial, Single, AutoMatch, Pending, Rejected, OwnFee, Primary, Pending}

// involved is how many open roles the recruiter has to do with.
const involved = 24

// dealt assigns kinds to open roles among the first n, and StealthPrimary to the
// first two stealth ones.
func dealt(n int, now time.Time) iter.Seq2[roles.Role, Involvement] {
	return func(yield func(roles.Role, Involvement) bool) {
		open, stealth := 0, 0
		for r := range roles.All(n, now) {
			if r.Status != role.Active {
				continue
			}
			kind := kinds[open%len(kinds)]
			switch {
			case r.Stealth && stealth < 2:
				stealth++
				kind = StealthPrimary
			case r.Stealth || open >= involved:
				continue
			default:
				open++
			}
			if !yield(r, kind) {
				return
			}
		}
	}
}

// Recruiter yields the events of a recruiter who has to do with some of the first
// n roles in every way, of his or her preferences, and of what is said to the
// recruiters of these roles.
func Recruiter(recruiterID, agencyID string, n int, now time.Time) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		lines := []Line{event("savedPreferences.upserted", recruiterID, now, role.SavedPreferences{
			RoleTypes: []string{"backend_engineer", "full_stack_engineer", "product_management"}, Locations: []string{"europe", "new_york"},
			WorkplaceTypes: []string{"REMOTE"}, MinSalary: new(int64(90_000)), Description: new("Early teams with a product that people use every day."),
		})}
		i := 0
		for r, kind := range dealt(n, now) {
			lines = append(lines, assignment(r, kind, recruiterID, now)...)
			i++
			if i%3 == 0 {
				lines = append(lines, said(r, recruiterID, now)...)
			}
			for k := range submissions[kind] {
				lines = append(lines, application(r, recruiterID, agencyID, kind, i*10+k, now))
			}
		}
		for _, line := range lines {
			if !yield(line) {
				return
			}
		}
	}
}

// submissions is how many candidates the recruiter sent to a role.
var submissions = map[Involvement]int{Primary: 3, Trial: 1, Single: 1, AutoMatch: 1, Rejected: 1, StealthPrimary: 1}

// assignment makes the recruiter what kind says; an auto-match needs no assignment.
func assignment(r roles.Role, kind Involvement, recruiterID string, now time.Time) []Line {
	a := role.Assignment{RoleID: r.ID, RecruiterID: recruiterID, ApprovalStatus: new(role.Approved), AccessLevel: new(role.Full)}
	switch kind {
	case AutoMatch:
		return nil
	case Trial:
		ends := contract.At(now.AddDate(0, 0, 5))
		a.Trial = &role.Trial{EndsAt: &ends, SubmissionGoal: 3, SubmissionsCounted: 1}
	case Single:
		a.AccessLevel = new(role.CrossSubmit)
	case Pending:
		a.ApprovalStatus = new("PENDING")
	case Rejected:
		a.ApprovalStatus = new("REJECTED")
	case OwnFee:
		a.Fee = &role.Fee{PercentOfSalary: new(r.FeePercent + 5), BonusAmount: new(2000.0)}
	}
	return []Line{event("roleAssignment.upserted", r.ID+"/"+recruiterID, now, a)}
}

// said is an announcement to everybody, one to nobody here, and a transcript.
func said(r roles.Role, recruiterID string, now time.Time) []Line {
	at := contract.At(now.AddDate(0, 0, -3))
	return []Line{
		event("announcement.upserted", "ann-"+r.ID, now, role.Announcement{
			RoleID: r.ID, Message: "The team has opened a second position.", CreatedAt: at, Recipients: role.Readers{All: true},
		}),
		event("announcement.upserted", "ann-other-"+r.ID, now, role.Announcement{
			RoleID: r.ID, Message: "A message for other recruiters.", CreatedAt: at, Recipients: role.Readers{RecruiterIDs: []string{"rec_somebody"}},
		}),
		event("intakeTranscript.upserted", "int-"+r.ID, now, role.Transcript{
			RoleID: r.ID, Title: new("Intake call"), RecordedAt: &at, UpdatedAt: at, Summary: new("What the team looks for."),
			Text: "Recruiter: What must the candidate have done before?\nHiring manager: Shipped something that people paid for.", Readers: role.Readers{RecruiterIDs: []string{recruiterID}},
		}),
	}
}

var (
	statuses = []string{"SUBMITTED", "INTERVIEWING", "HIRED", "REJECTED", "IN_REVIEW"}
	stages   = map[string]string{"SUBMITTED": "Submitted", "INTERVIEWING": "First round", "HIRED": "Hired", "REJECTED": "Submitted", "IN_REVIEW": "Submitted"}
)

func application(r roles.Role, recruiterID, agencyID string, kind Involvement, i int, now time.Time) Line {
	status := statuses[i%len(statuses)]
	switch kind {
	case AutoMatch, Single:
		status = "INTERVIEWING"
	case Rejected:
		status = "REJECTED"
	}
	a := role.Application{
		RoleID: r.ID, RecruiterID: recruiterID, AgencyID: &agencyID, CandidateID: CandidateID(i), CandidateName: Candidate(i, recruiterID, now).Name,
		Status: status, CurrentStage: new(stages[status]), FurthestStage: new(stages[status]), AutoMatch: kind == AutoMatch,
		SubmittedAt: contract.At(now.Add(-time.Duration(i) * 7 * time.Hour)),
	}
	if status == "REJECTED" {
		a.RejectionReason = new("Too little experience with the product side.")
	}
	return event("application.upserted", fmt.Sprintf("app-%s-%03d", recruiterID, i), now, a)
}
