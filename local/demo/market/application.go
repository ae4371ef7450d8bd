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

// submission submits the i-th candidate of the book to a role, some time after both
// were there.
func submission(r roles.Role, i int, recruiterID, agencyID string, now time.Time) application {
	c := Candidate(i, recruiterID, now)
	from := c.AddedAt.Time
	if r.PostedAt.After(from) {
		from = r.PostedAt
	}
	return application{role.Application{
		RoleID: r.ID, RecruiterID: recruiterID, AgencyID: &agencyID, CandidateID: c.CandidateID, CandidateName: c.Name,
		CandidateEmail: c.Email, CandidateLinkedInURL: c.LinkedInURL, SubmittedAt: contract.At(from.Add(now.Sub(from) / 5)),
	}}
}

// outcomesOf are statuses with the stages that they stand at, dealt in turn.
var outcomesOf = []struct{ status, stage string }{
	{"SUBMITTED", "Submitted"}, {"INTERVIEWING", "First round"}, {"HIRED", "Hired"}, {"REJECTED", "First round"}, {"IN_REVIEW", "Submitted"},
	{"OFFER", "Offer"}, {"INTERVIEWING", "Final round"}, {"WITHDRAWN", "Mid round"},
}

// become makes the application what the recruiter's nth one is, by the kind of role.
func (a *application) become(kind Involvement, nth int) {
	outcome := outcomesOf[nth%len(outcomesOf)]
	switch kind {
	case AutoMatch, Single:
		outcome = outcomesOf[1]
	case Trial:
		outcome = outcomesOf[0]
	case Rejected:
		outcome = outcomesOf[3]
	}
	a.AutoMatch = kind == AutoMatch
	a.stand(outcome.status, outcome.stage)
}

// stand puts the application at a stage.
func (a *application) stand(status, stage string) {
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

// event has an id that tells role and candidate, of whom there is one application.
func (a application) event(now time.Time) Line {
	return event("application.upserted", fmt.Sprintf("app-%s-%.8s-%s", a.RecruiterID, a.RoleID, a.CandidateID), now, a.Application)
}
