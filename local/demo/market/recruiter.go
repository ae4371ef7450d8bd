package market

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// Involvement is how the demo's recruiter is involved in a role.
type Involvement string

// The involvements, each of which AssignmentEvents contains.
const (
	Primary        Involvement = "primary"
	Trial          Involvement = "trial"
	Single         Involvement = "single submission"
	AutoMatch      Involvement = "auto-match"
	Pending        Involvement = "pending"
	Rejected       Involvement = "rejected"
	Withdrawn      Involvement = "withdrawn"
	RequestOnly    Involvement = "requested candidates only"
	OwnFee         Involvement = "primary with a fee of its own"
	StealthPrimary Involvement = "primary on a stealth role"
	Idle           Involvement = "primary on an idle role" // one that is paused or closed
)

// dealtInvolvements are assigned to open roles in turn.
var dealtInvolvements = []Involvement{
	Primary, Trial, Single, AutoMatch, Pending, Rejected, OwnFee, Primary, Pending, RequestOnly, Withdrawn,
}

// openRoles is how many open roles the recruiter is involved in.
const openRoles = 25

// dealInvolvements assigns kinds to open roles among the first n, StealthPrimary to the first two
// stealth ones, and Idle to one that is paused and one that is closed.
func dealInvolvements(n int, now time.Time) iter.Seq2[roles.Role, Involvement] {
	return func(yield func(roles.Role, Involvement) bool) {
		open := 0
		stealth := 0
		idle := map[contract.RoleStatus]bool{}
		for r := range roles.All(n, now) {
			kind := dealtInvolvements[open%len(dealtInvolvements)]
			switch {
			case r.Status != contract.RoleStatusActive:
				if r.IsStealth() || idle[r.Status] {
					continue
				}
				idle[r.Status] = true
				kind = Idle
			case r.IsStealth() && stealth < 2:
				stealth++
				kind = StealthPrimary
			case r.IsStealth() || open >= openRoles:
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

// AssignmentEvents returns the events of a recruiter with every kind of involvement in some of
// the first n roles: assignments, applications, preferences, announcements and transcripts.
func AssignmentEvents(recruiterID, agencyID string, n int, now time.Time) []Event {
	events := []Event{newEvent("savedPreferences.upserted", recruiterID, now, role.SavedPreferences{
		RoleTypes:      []contract.RoleType{"backend_engineer", "full_stack_engineer", "product_management"},
		Locations:      []contract.Location{"europe", "new_york"},
		WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, MinSalary: new(int64(90_000)),
		Description: new("Early teams with a product that people use every day."),
	})}
	nth := map[Involvement]int{}
	sent := 0
	for r, kind := range dealInvolvements(n, now) {
		events = append(events, assignmentEvents(r, kind, nth[kind], recruiterID, now)...)
		nth[kind]++
		if len(nth)%3 == 0 {
			at := contract.At(now.AddDate(0, 0, -3))
			events = append(events, newEvent("announcement.upserted", "ann-"+r.ID, now, role.Announcement{
				RoleID: r.ID, Message: "The team has opened a second position.", CreatedAt: at, Recipients: role.Readers{All: true},
			}), newEvent("announcement.upserted", "ann-other-"+r.ID, now, role.Announcement{
				RoleID: r.ID, Message: "A message for other recruiters.", CreatedAt: at,
				Recipients: role.Readers{RecruiterIDs: []string{"rec_somebody"}},
			}), newEvent("intakeTranscript.upserted", "int-"+r.ID, now, role.Transcript{
				RoleID: r.ID, Title: new("Intake call"), RecordedAt: &at, UpdatedAt: at, Summary: new("What the team looks for."),
				Text:    "Recruiter: What must the candidate have done before?\nHiring manager: Shipped something that people paid for.",
				Readers: role.Readers{RecruiterIDs: []string{recruiterID}},
			}))
		}
		for _, candidate := range findApplicants(r, applicationsPerRole[kind], now) {
			turn, isFixed := outcomeByInvolvement[kind]
			if !isFixed {
				turn = sent % len(applicationOutcomes)
			}
			a := newApplication(r, candidate, recruiterID, agencyID, now)
			a.setStage(applicationOutcomes[turn].status, applicationOutcomes[turn].stage)
			a.AutoMatch = kind == AutoMatch
			a.Via = new(cmp.Or(viaByInvolvement[kind], contract.ApplicationViaPrimary))
			events = append(events, a.newEvent(now))
			sent++
		}
	}
	return events
}

var applicationsPerRole = map[Involvement]int{Primary: 3, Trial: 1, Single: 1, AutoMatch: 1, Rejected: 1, StealthPrimary: 1, Idle: 1}

// assignmentEvents returns the event of the nth assignment of a kind; an auto-match needs none.
func assignmentEvents(r roles.Role, kind Involvement, nth int, recruiterID string, now time.Time) []Event {
	a := role.Assignment{
		RoleID: r.ID, RecruiterID: recruiterID,
		ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelFull),
	}
	switch kind {
	case AutoMatch:
		return nil
	case Trial:
		trial := trials[nth%len(trials)]
		a.Trial = &role.Trial{EndsAt: new(contract.At(now.AddDate(0, 0, trial.days))), SubmissionGoal: trial.goal, SubmissionsCounted: 1}
	case Single:
		a.AccessLevel = new(contract.AccessLevelCrossSubmit)
	case RequestOnly:
		a.AccessLevel = new(contract.AccessLevelSubmissionRequestOnly)
	case Pending, Rejected, Withdrawn:
		a.ApprovalStatus = new(contract.ApprovalStatus(strings.ToUpper(string(kind))))
	case OwnFee:
		a.Fee = &role.Fee{PercentOfSalary: new(*r.Fee.PercentOfSalary + 5), BonusAmount: new(2000.0)}
	}
	return []Event{newEvent("roleAssignment.upserted", r.ID+"/"+recruiterID, now, a)}
}

// trials have the days to their ends and their goals: one is under way, one about to be lost, one met.
var trials = []struct {
	days int
	goal int64
}{{9, 3}, {1, 3}, {5, 1}}

type application struct{ role.Application }

// newApplication returns one that was submitted some time after role and candidate were added.
func newApplication(r roles.Role, i int, recruiterID, agencyID string, now time.Time) application {
	c := CandidateAt(i, recruiterID, now)
	from := c.AddedAt.Time
	if r.PostedAt.After(from) {
		from = r.PostedAt.Time
	}
	return application{role.Application{
		RoleID: r.ID, RecruiterID: recruiterID, AgencyID: &agencyID, CandidateID: c.CandidateID, CandidateName: c.Name,
		CandidateEmail: c.Email, CandidateLinkedInURL: c.LinkedInURL, SubmittedAt: contract.At(from.Add(now.Sub(from) / 5)),
	}}
}

// applicationOutcomes are the statuses and stages of applications, in turn.
var applicationOutcomes = []struct{ status, stage string }{
	{"SUBMITTED", "Submitted"}, {"INTERVIEWING", "First round"}, {"HIRED", "Hired"}, {"REJECTED", "First round"}, {"IN_REVIEW", "Submitted"},
	{"OFFER", "Offer"}, {"INTERVIEWING", "Final round"}, {"WITHDRAWN", "Mid round"},
}

var outcomeByInvolvement = map[Involvement]int{Trial: 0, AutoMatch: 1, Single: 1, Rejected: 3}

var viaByInvolvement = map[Involvement]contract.ApplicationVia{
	Single: contract.ApplicationViaSingle, AutoMatch: contract.ApplicationViaAutoMatch,
}

func (a *application) setStage(status, stage string) {
	a.Status = status
	a.CurrentStage = &stage
	a.FurthestStage = &stage
	switch status {
	case "REJECTED":
		a.RejectionReason = new("Too little experience with the product side.")
	case "WITHDRAWN":
		a.StatusUpdateMessage = new("Took another offer.")
	case "OFFER":
		a.StatusUpdateMessage = new("The offer is out; an answer is expected this week.")
	}
}

// newEvent makes the id up of role and candidate, of which there is one application.
func (a application) newEvent(now time.Time) Event {
	return newEvent("application.upserted", fmt.Sprintf("app-%s-%.8s-%s", a.RecruiterID, a.RoleID, a.CandidateID), now, a.Application)
}
