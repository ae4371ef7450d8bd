package market

import (
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// application is one of the recruiter's, to be sent as an event.
type application struct{ role.Application }

// newApplication submits the i-th candidate of the book to a role, some time after both
// were there.
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

// applicationOutcomes are statuses with the stages that they stand at, dealt in turn.
var applicationOutcomes = []struct{ status, stage string }{
	{"SUBMITTED", "Submitted"}, {"INTERVIEWING", "First round"}, {"HIRED", "Hired"}, {"REJECTED", "First round"}, {"IN_REVIEW", "Submitted"},
	{"OFFER", "Offer"}, {"INTERVIEWING", "Final round"}, {"WITHDRAWN", "Mid round"},
}

// setOutcome makes the application what the recruiter's nth one is, by the kind of role.
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
	a.setStage(outcome.status, outcome.stage)
}

// setStage puts the application at a stage.
func (a *application) setStage(status, stage string) {
	a.Status, a.CurrentStage, a.FurthestStage = status, &stage, &stage
	switch status {
	case "REJECTED":
		a.RejectionReason = new("Too little experience with the product side.")
	case "WITHDRAWN":
		a.StatusUpdateMessage = new("Took another offer.")
	case "OFFER":
		a.StatusUpdateMessage = new("The offer is out; an answer is expected this week.")
	}
}

// newEvent has an id that tells role and candidate, of whom there is one application.
func (a application) newEvent(now time.Time) Event {
	return newEvent("application.upserted", fmt.Sprintf("app-%s-%.8s-%s", a.RecruiterID, a.RoleID, a.CandidateID), now, a.Application)
}
