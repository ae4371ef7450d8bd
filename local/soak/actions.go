package soak

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// smallBulk is how many candidates an ordinary bulk submission has.
const smallBulk = 5

// agencyActions are what the key of an agency is used for: about one request in six writes.
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
	a.batches = remember(a.batches, out.BatchID)
	return err
}

func uploadOne(ctx context.Context, a *actor) error {
	slug := a.newSlug()
	out, err := a.api.Upload(ctx, newSubmission(slug, samples[0], append(samples[0].readFile(), slug...)).Resume)
	a.uploads = remember(a.uploads, out.ResumeFileID)
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
	a.batches = remember(a.batches, out.BatchID)
	return checkBulk(out)
}

func readBatch(ctx context.Context, a *actor) error {
	if len(a.batches) == 0 {
		return readIdentity(ctx, a)
	}
	_, err := a.api.Batch(ctx, a.drawOne(a.batches))
	return err
}

func listCandidates(ctx context.Context, a *actor) error {
	out, err := a.api.Candidates(ctx, contract.ListCandidatesRequest{})
	for _, row := range out.Candidates {
		a.candidates = remember(a.candidates, row.CandidateUserID)
	}
	return err
}

// withCandidate runs send with a candidate of the agency, or lists them where none is known.
func withCandidate(ctx context.Context, a *actor, send func(id string) error) error {
	if len(a.candidates) == 0 {
		return listCandidates(ctx, a)
	}
	return send(a.drawOne(a.candidates))
}

func lookUp(ctx context.Context, a *actor) error {
	return withCandidate(ctx, a, func(id string) error {
		unknown := emailOf("unknown-" + a.name)
		_, err := a.api.Lookup(ctx, contract.CandidateReference{CandidateUserID: &id}, contract.CandidateReference{Email: &unknown})
		return err
	})
}

func lookUpPreferences(ctx context.Context, a *actor) error {
	return withCandidate(ctx, a, func(id string) error {
		_, err := a.api.LookupPreferences(ctx, contract.CandidateReference{CandidateUserID: &id})
		return err
	})
}

func readPreferences(ctx context.Context, a *actor) error {
	return withCandidate(ctx, a, func(id string) error {
		_, err := a.api.Preferences(ctx, id)
		return err
	})
}

func putPreferences(ctx context.Context, a *actor) error {
	return withCandidate(ctx, a, func(id string) error {
		_, err := a.api.SetPreferences(ctx, id, newPreferences())
		return err
	})
}

func changeMarket(ctx context.Context, a *actor) error {
	return withCandidate(ctx, a, func(id string) (err error) {
		whom := contract.CandidateReference{CandidateUserID: &id}
		if a.random.IntN(2) == 0 {
			_, err = a.api.OffMarket(ctx, whom)
		} else {
			_, err = a.api.ReEnable(ctx, whom)
		}
		return err
	})
}

func listAgencyRoles(ctx context.Context, a *actor) error {
	_, err := a.api.AgencyRoles(ctx, contract.ListAgencyRolesRequest{})
	return err
}

func searchAgencyRoles(ctx context.Context, a *actor) error {
	_, err := a.api.SearchAgencyRoles(ctx, contract.SearchAgencyRolesRequest{Query: a.drawOne(queries)})
	return err
}

func readIdentity(ctx context.Context, a *actor) error {
	_, err := a.api.Identity(ctx)
	return err
}
