package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// The examples are the Go samples of the reference. They run against a server that answers with
// the document's examples.
func TestMain(m *testing.M) {
	mux := http.NewServeMux()
	for _, r := range contract.Routes {
		if r.Output == nil {
			continue
		}
		mux.HandleFunc(r.Method+" "+r.Path, func(w http.ResponseWriter, _ *http.Request) {
			if err := json.NewEncoder(w).Encode(openapi.ExampleResponse(r)); err != nil {
				panic(err)
			}
		})
	}
	server := httptest.NewServer(mux)
	for name, value := range map[string]string{"BASE_URL": server.URL, "API_KEY": "rmk_test_example"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	server.Close()
	os.Exit(code)
}

var ctx = context.Background()

func Example_health() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	health, err := api.Health(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(health.Status)
	// Output:
	// ok
}

func Example_identity() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	who, err := api.Identity(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(who.Agency.Name, who.Scopes)
	// Output:
	// Example Search [identity:read talent_network:read talent_network:write]
}

func Example_listEnumerations() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	all, err := api.Enumerations(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range all.Enumerations {
		fmt.Println(e.Name, len(e.Values))
	}
	// Output:
	// location 2
}

func Example_uploadResume() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	upload, err := api.Upload(ctx, contract.ResumeFile{
		FileName:      new("ada-example.txt"),
		ContentBase64: base64.StdEncoding.EncodeToString([]byte("Ada Example\n")),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(upload.ResumeFileID)
	// Output:
	// 01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11
}

func Example_submitCandidate() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	accepted, err := api.Submit(ctx, contract.SubmitRequest{
		IdempotencyKey: "ats-4711-1",
		Name:           "Ada Example",
		LinkedInURL:    "https://www.linkedin.com/in/ada-example",
		Email:          "ada@example.com",
		Preferences: contract.WorkPreferences{
			Locations:          []contract.Location{contract.LocationUK, contract.LocationEurope},
			WorkplaceTypes:     []contract.WorkplaceType{contract.WorkplaceTypeRemote, contract.WorkplaceTypeHybrid},
			SalaryMin:          90000,
			IdealFundingRounds: []contract.FundingRound{contract.FundingRoundSeed, contract.FundingRoundSeriesA},
			VisaAuthorization:  contract.VisaAuthorizationHasVisaAuthorization,
		},
		Resume:            contract.ResumeFile{ContentBase64: "QWRhIEV4YW1wbGUsIHNlbmlvciBzb2Z0d2FyZSBlbmdpbmVlcgo="},
		ClientReferenceID: new("ats-4711"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(accepted.BatchID)
	// Output:
	// 01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11
}

func Example_submitBulk() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	accepted, err := api.SubmitBulk(ctx, contract.BulkRequest{
		IdempotencyKey: "ats-import-17",
		Items: []contract.BulkItem{{
			Name:        "Ada Example",
			LinkedInURL: "https://www.linkedin.com/in/ada-example",
			Email:       "ada@example.com",
			Preferences: contract.WorkPreferences{
				Locations:          []contract.Location{contract.LocationUK},
				WorkplaceTypes:     []contract.WorkplaceType{contract.WorkplaceTypeRemote},
				SalaryMin:          90000,
				IdealFundingRounds: []contract.FundingRound{contract.FundingRoundSeed},
				VisaAuthorization:  contract.VisaAuthorizationHasVisaAuthorization,
			},
			Resume:            contract.ResumeReference{ResumeFileID: "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11"},
			OnMarketConfirmed: true,
			ClientReferenceID: new("ats-4711"),
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range accepted.Items {
		fmt.Println(item.Index, item.Status, item.Errors)
	}
	// Output:
	// 0 queued []
}

func Example_getBatch() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	batch, err := api.WaitForBatch(ctx, "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11")
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range batch.Items {
		fmt.Println(item.Status, item.ErrorCode, item.ClientReferenceID)
	}
	// Output:
	// succeeded  ats-4711
	// failed resume_identity_mismatch ats-4712
}

func Example_lookupCandidates() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	found, err := api.Lookup(ctx, contract.CandidateReference{
		LinkedInURL: new("https://www.linkedin.com/in/ada-example"),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range found.Results {
		fmt.Println(result.Status, len(result.Candidates))
	}
	// Output:
	// found 1
}

func Example_lookupPreferences() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	found, err := api.LookupPreferences(ctx, contract.CandidateReference{
		LinkedInURL: new("https://www.linkedin.com/in/ada-example"),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range found.Results {
		fmt.Println(result.Status, len(result.Candidates))
	}
	// Output:
	// found 1
}

func Example_getPreferences() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	candidate, err := api.Preferences(ctx, "cu_01jb2v6rzk8m4q0x7t5n3c9hdw")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(candidate.Preferences.Locations)
	// Output:
	// [uk europe]
}

func Example_putPreferences() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	stored, err := api.SetPreferences(ctx, "cu_01jb2v6rzk8m4q0x7t5n3c9hdw", contract.WorkPreferences{
		Locations:          []contract.Location{contract.LocationUK, contract.LocationEurope},
		WorkplaceTypes:     []contract.WorkplaceType{contract.WorkplaceTypeRemote, contract.WorkplaceTypeHybrid},
		SalaryMin:          90000,
		IdealFundingRounds: []contract.FundingRound{contract.FundingRoundSeed, contract.FundingRoundSeriesA},
		VisaAuthorization:  contract.VisaAuthorizationHasVisaAuthorization,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stored.CandidateUserID)
	// Output:
	// cu_01jb2v6rzk8m4q0x7t5n3c9hdw
}

func Example_getFastTrack() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	state, err := api.FastTrack(ctx, "cu_01jb2v6rzk8m4q0x7t5n3c9hdw")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(state.FastTrack)
	// Output:
	// true
}

func Example_putFastTrack() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	state, err := api.SetFastTrack(ctx, "cu_01jb2v6rzk8m4q0x7t5n3c9hdw", true)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(state.FastTrack)
	// Output:
	// true
}

func Example_offMarket() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	changed, err := api.OffMarket(ctx, contract.CandidateReference{
		LinkedInURL: new("https://www.linkedin.com/in/ada-example"),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range changed.Results {
		fmt.Println(result.OK, result.Status)
	}
	// Output:
	// true off_market
}

func Example_reEnable() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	changed, err := api.ReEnable(ctx, contract.CandidateReference{
		LinkedInURL: new("https://www.linkedin.com/in/ada-example"),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range changed.Results {
		fmt.Println(result.OK, result.Status)
	}
	// Output:
	// true on_market
}

func Example_getAgencyRole() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	brief, err := api.AgencyRole(ctx, contract.AgencyRoleRequest{
		RoleID:         "role-001",
		RecruiterEmail: "rita@example.org",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(brief.Title)
	// Output:
	// Backend engineer
}

func Example_getRole() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	role, err := api.Role(ctx, "role-001")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(role.Summary.Name)
	// Output:
	// Backend engineer
}

func Example_getSavedPreferences() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	saved, err := api.SavedPreferences(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(saved.Locations)
	// Output:
	// [asia]
}

func Example_getCRMCandidate() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	candidate, err := api.CRMCandidate(ctx, "cand-001")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(candidate.Name)
	// Output:
	// Ada Example
}

func Example_listRecommendedRoles() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	recommended, err := api.RecommendedRoles(ctx, "cand-001")
	if err != nil {
		log.Fatal(err)
	}
	for _, role := range recommended.Roles {
		fmt.Println(role.Name)
	}
	// Output:
	// Backend engineer
}

func Example_getCall() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	call, err := api.Call(ctx, "call-001")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(call.Title)
	// Output:
	// Screening: Ada Example
}

func Example_listCandidates() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllCandidates(ctx, contract.ListCandidatesRequest{Status: new(contract.OnMarket)})
	for candidate, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(candidate.Name)
	}
	// Output:
	// Ada Example
}

func Example_getCandidate() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	candidate, err := api.Candidate(ctx, "cu_01jb2v6rzk8m4q0x7t5n3c9hdw")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(candidate.Name, candidate.Status, candidate.LastSubmission.BatchID)
	// Output:
	// Ada Example on_market 01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11
}

func Example_listMembers() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	for member, err := range api.AllMembers(ctx, contract.ListMembersRequest{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(member.Email, member.Role, member.Status)
	}
	// Output:
	// olga@example.org OWNER approved
}

func Example_listBatches() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllBatches(ctx, contract.ListBatchesRequest{Limit: 20})
	for batch, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(batch.BatchID, batch.Counts.Succeeded)
	}
	// Output:
	// 01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11 1
}

func Example_listAgencyRoles() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllAgencyRoles(ctx, contract.ListAgencyRolesRequest{
		AgencyRoleFilters: contract.AgencyRoleFilters{
			Locations:  []contract.Location{contract.LocationEurope},
			Workplaces: []contract.WorkplaceType{contract.WorkplaceTypeRemote},
		},
	})
	for role, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(role.Title)
	}
	// Output:
	// Backend engineer
}

func Example_searchAgencyRoles() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllAgencyRolesFound(ctx, contract.SearchAgencyRolesRequest{
		Query:     "backend engineer",
		MinSalary: new(int64(90000)),
	})
	for role, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(role.Title)
	}
	// Output:
	// Backend engineer
}

func Example_listRoles() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllRoles(ctx, contract.ListRolesRequest{
		Query:     new("engineer"),
		Locations: []contract.Location{contract.LocationEurope},
		MinSalary: new(int64(90000)),
	})
	for role, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(role.Name)
	}
	// Output:
	// Backend engineer
}

func Example_listActiveRoles() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllActiveRoles(ctx, contract.ActiveRolesRequest{PrimaryOnly: true})
	for role, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(role.Title)
	}
	// Output:
	// Backend engineer
}

func Example_listCRMCandidates() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllCRMCandidates(ctx, contract.ListCRMCandidatesRequest{Query: new("ada")})
	for candidate, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(candidate.Name)
	}
	// Output:
	// Ada Example
}

func Example_listMatches() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllMatches(ctx, contract.ListMatchesRequest{Status: new(contract.MatchFilterPending)})
	for match, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(match.Candidate.Name)
	}
	// Output:
	// Ada Example
}

func Example_listAutoMatches() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllMatches(ctx, contract.ListMatchesRequest{Status: new(contract.MatchFilterPending)})
	for match, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(match.Candidate.Name)
	}
	// Output:
	// Ada Example
}

func Example_listCalls() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	rows := api.AllCalls(ctx, contract.ListCallsRequest{})
	for call, err := range rows {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(call.Title)
	}
	// Output:
	// Screening: Ada Example
}

func Example_listChanges() {
	api := client.New(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	pages := api.FollowChanges(ctx, contract.ListChangesRequest{
		Types: []contract.ChangeType{contract.SubmissionSucceeded, contract.SubmissionFailed},
	})
	for page, err := range pages {
		if err != nil {
			log.Fatal(err)
		}
		for _, change := range page.Changes {
			fmt.Println(change.ClientReferenceID, change.Status)
		}
		break // a program that stores page.NextCursor can go on from there
	}
	// Output:
	// ats-4711 succeeded
}
