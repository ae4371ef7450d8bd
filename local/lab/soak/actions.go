package soak

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// smallBulk is how many candidates an ordinary bulk submission has.
const smallBulk = 5

// agencyActions are the requests of an agency's key; about one in six writes.
var agencyActions = []action{
	{"submit", false, 2, submitOne},
	{"upload", false, 1, uploadOne},
	{"submit-bulk", false, 1, submitSmallBulk},
	{"put preferences", false, 2, putPreferences},
	{"off-market, re-enable", false, 1, changeMarket},
	{"batch", true, 12, readBatch},
	{"candidates", true, 8, listCandidates},
	{"lookup", true, 6, lookUp},
	{"preferences", true, 4, readPreferences},
	{"lookup preferences", true, 3, lookUpPreferences},
	{"agency roles", true, 3, listAgencyRoles},
	{"search agency roles", true, 3, searchAgencyRoles},
	{"identity", true, 1, readIdentity},
}

// newSlug returns the slug of a new person.
func (a *actor) newSlug() string {
	a.count++
	return fmt.Sprintf("%s-%d", a.name, a.count)
}

func submitOne(ctx context.Context, a *actor) error {
	of := samples[a.random.IntN(len(samples))]
	out, err := a.api.Submit(ctx, newSubmission(a.newSlug(), of, of.readFile()))
	a.batches = appendRecent(a.batches, out.BatchID)
	return err
}

func uploadOne(ctx context.Context, a *actor) error {
	slug := a.newSlug()
	out, err := a.api.Upload(ctx, newSubmission(slug, samples[0], append(samples[0].readFile(), slug...)).Resume)
	a.uploads = appendRecent(a.uploads, out.ResumeFileID)
	return err
}

func submitSmallBulk(ctx context.Context, a *actor) error {
	if len(a.uploads) == 0 {
		return uploadOne(ctx, a)
	}
	out, err := a.api.SubmitBulk(ctx, newBulk(a.newSlug(), smallBulk, samples[0], a.drawOne(a.uploads)))
	if err != nil {
		return err
	}
	a.batches = appendRecent(a.batches, out.BatchID)
	return checkBulk(out)
}

func readBatch(ctx context.Context, a *actor) error {
	return a.withKnown(ctx, &a.batches, readIdentity, func(id string) error { return onlyError(a.api.Batch(ctx, id)) })
}

func listCandidates(ctx context.Context, a *actor) error {
	out, err := a.api.Candidates(ctx, contract.ListCandidatesRequest{})
	for _, row := range out.Candidates {
		a.candidates = appendRecent(a.candidates, row.CandidateUserID)
	}
	return err
}

// withCandidate calls send with the id of a candidate that the actor knows, or lists candidates
// if it knows none.
func (a *actor) withCandidate(ctx context.Context, send func(id string) error) error {
	return a.withKnown(ctx, &a.candidates, listCandidates, send)
}

func lookUp(ctx context.Context, a *actor) error {
	unknown := emailOf("unknown-" + a.name)
	return a.withCandidate(ctx, func(id string) error {
		return onlyError(a.api.Lookup(ctx, contract.CandidateReference{CandidateUserID: &id}, contract.CandidateReference{Email: &unknown}))
	})
}

func lookUpPreferences(ctx context.Context, a *actor) error {
	return a.withCandidate(ctx, func(id string) error {
		return onlyError(a.api.LookupPreferences(ctx, contract.CandidateReference{CandidateUserID: &id}))
	})
}

func readPreferences(ctx context.Context, a *actor) error {
	return a.withCandidate(ctx, func(id string) error { return onlyError(a.api.Preferences(ctx, id)) })
}

func putPreferences(ctx context.Context, a *actor) error {
	return a.withCandidate(ctx, func(id string) error { return onlyError(a.api.SetPreferences(ctx, id, newPreferences())) })
}

func changeMarket(ctx context.Context, a *actor) error {
	return a.withCandidate(ctx, func(id string) error {
		if a.random.IntN(2) == 0 {
			return onlyError(a.api.OffMarket(ctx, contract.CandidateReference{CandidateUserID: &id}))
		}
		return onlyError(a.api.ReEnable(ctx, contract.CandidateReference{CandidateUserID: &id}))
	})
}

func listAgencyRoles(ctx context.Context, a *actor) error {
	return onlyError(a.api.AgencyRoles(ctx, contract.ListAgencyRolesRequest{}))
}

func searchAgencyRoles(ctx context.Context, a *actor) error {
	return onlyError(a.api.SearchAgencyRoles(ctx, contract.SearchAgencyRolesRequest{Query: a.drawOne(queries)}))
}

func readIdentity(ctx context.Context, a *actor) error { return onlyError(a.api.Identity(ctx)) }
