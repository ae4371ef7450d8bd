// The main job by a client of oapi-codegen.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"clients.example/main/gen"
)

func newClient(key string) *gen.ClientWithResponses {
	c, err := gen.NewClientWithResponses(os.Getenv("BASE_URL"), gen.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+os.Getenv(key))
		return nil
	}))
	must(err)
	return c
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// check ends the program where a response has no typed body.
func check[T any](body *T, r interface{ Status() string }, err error) *T {
	must(err)
	if body == nil {
		log.Fatal(r.Status())
	}
	return body
}

func main() {
	ctx := context.Background()
	run := uuid.NewString()
	resume, err := os.ReadFile(os.Getenv("RESUME"))
	must(err)
	agency := newClient("AGENCY_KEY")
	recruiter := newClient("RECRUITER_KEY")
	preferences := gen.WorkPreferences{
		Locations: []gen.Location{gen.Europe}, WorkplaceTypes: []gen.WorkplaceType{gen.REMOTE}, SalaryMin: 90000,
		IdealFundingRounds: []gen.FundingRound{gen.SERIESA}, VisaAuthorization: gen.HASVISAAUTHORIZATION,
	}
	submitted, err := agency.SubmitCandidateWithResponse(ctx, &gen.SubmitCandidateParams{IdempotencyKey: &run}, gen.SubmitRequest{
		Name: "Maya Okafor", Email: openapi_types.Email("maya.okafor+" + run + "@example.com"),
		LinkedinUrl: "https://www.linkedin.com/in/maya-okafor-" + run,
		Preferences: preferences, Resume: gen.ResumeFile{FileName: new("maya-okafor.pdf"), ContentBase64: resume},
	})
	accepted := check(submitted.JSON200, submitted, err)
	var item gen.BatchItem
	for range 120 {
		batch, err := agency.GetBatchWithResponse(ctx, accepted.BatchId)
		item = check(batch.JSON200, batch, err).Items[0]
		if item.Status != "queued" && item.Status != "processing" {
			break
		}
		time.Sleep(500 * time.Millisecond)
	}
	if item.Status != "succeeded" {
		log.Fatalf("%+v", item)
	}
	preferences.SalaryMin = 95000
	var body gen.PutPreferencesRequest
	must(body.FromWorkPreferences(preferences))
	put, err := agency.PutPreferencesWithResponse(ctx, *item.CandidateUserId, body)
	check(put.JSON200, put, err)
	stored, err := agency.GetPreferencesWithResponse(ctx, *item.CandidateUserId)
	if got := check(stored.JSON200, stored, err).Preferences.SalaryMin; got == nil || *got != 95000 {
		log.Fatalf("stored %v", got)
	}
	roles, err := recruiter.ListRolesWithResponse(ctx, &gen.ListRolesParams{Location: &[]gen.Location{gen.Europe}})
	one, err := recruiter.GetRoleWithResponse(ctx, check(roles.JSON200, roles, err).Roles[0].Id)
	check(one.JSON200, one, err)
	rows, err := recruiter.ListCRMCandidatesWithResponse(ctx, nil)
	candidate, err := recruiter.GetCRMCandidateWithResponse(ctx, check(rows.JSON200, rows, err).Candidates[0].CandidateId)
	check(candidate.JSON200, candidate, err)
	missing, err := agency.GetPreferencesWithResponse(ctx, "cu_unknown")
	check(missing.JSON404, missing, err)
}
