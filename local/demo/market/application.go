package market

import (
	"cmp"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// application is one of the recruiter's, to be sent as an event.
type application struct{ role.Application }

// newApplication returns an application of the i-th candidate to a role, submitted some time
// after both were added.
func newApplication(r roles.Role, i int, recruiterID, agencyID string, now time.Time) application {
	c := CandidateAt(i, recruiterID, now)
	from := c.AddedAt.Time
	if r.PostedAt.After(from) {
		from = r.PostedAt
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

// setOutcome sets status and stage of the recruiter's nth application, by the involvement.
func (a *application) setOutcome(kind Involvement, nth int) {
	outcome := applicationOutcomes[nth%len(applicationOutcomes)]
	switch kind {
	case AutoMatch, Single:
		outcome = applicationOutcomes[1]
	case Trial:
		outcome = applicationOutcomes[0]
	case Rejected:
		outcome = applicationOutcomes[3]
	}
	a.AutoMatch = kind == AutoMatch
	a.Via = new(cmp.Or(viaByInvolvement[kind], contract.ApplicationViaPrimary))
	a.setStage(outcome.status, outcome.stage)
}

// viaByInvolvement holds the ways of submissions other than from a primary slot.
var viaByInvolvement = map[Involvement]contract.ApplicationVia{
	Single: contract.ApplicationViaSingle, AutoMatch: contract.ApplicationViaAutoMatch,
}

// setStage sets the status and the stage of the application.
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

// newEvent returns the event of the application. Role and candidate make up its id, since
// there is one application of both.
func (a application) newEvent(now time.Time) Event {
	return newEvent("application.upserted", fmt.Sprintf("app-%s-%.8s-%s", a.RecruiterID, a.RoleID, a.CandidateID), now, a.Application)
}
