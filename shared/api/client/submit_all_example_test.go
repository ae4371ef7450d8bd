package client_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Submit any number of candidates. The same program, started again after a crash, continues from
// the journal.
func ExampleClient_SubmitAll() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c := newClientOf(newFakeService()) // a program has client.New(baseURL, key)

	candidates := []client.Candidate{{
		Item: contract.BulkItem{
			Name: "Ada Example", LinkedInURL: "https://www.linkedin.com/in/ada-example", Email: "ada@example.com",
			Preferences: contract.WorkPreferences{
				Locations: []contract.Location{contract.LocationUK}, WorkplaceTypes: []contract.WorkplaceType{contract.WorkplaceTypeRemote}, SalaryMin: 90_000,
				IdealFundingRounds: []contract.FundingRound{contract.FundingRoundSeed}, VisaAuthorization: contract.VisaAuthorizationHasVisaAuthorization,
			},
			ClientReferenceID: new("row-1"), OnMarketConfirmed: true,
		},
		ResumeName: "ada.pdf",
		ReadResume: func() ([]byte, error) { return []byte("%PDF-1.7 …"), nil }, // or os.ReadFile
	}}
	options := client.SubmitAllOptions{
		Journal: filepath.Join(dir, "journal"),
		Progress: func(p client.Progress) {
			fmt.Printf("%d uploaded, %d submitted, %d ended of %d\n", p.Uploaded, p.Submitted, p.Ended, p.Candidates)
		},
	}
	for outcome, err := range c.SubmitAll(context.Background(), candidates, options) {
		if err != nil {
			fmt.Println(err) // the same call continues from the journal
			return
		}
		fmt.Println(outcome.ClientReferenceID, outcome.Status, outcome.CandidateUserID)
	}
	// Output:
	// 0 uploaded, 0 submitted, 0 ended of 1
	// 1 uploaded, 0 submitted, 0 ended of 1
	// 1 uploaded, 1 submitted, 0 ended of 1
	// 1 uploaded, 1 submitted, 1 ended of 1
	// row-1 succeeded cu_upload-0
}
