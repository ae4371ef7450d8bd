package samcheck

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"regexp"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// scene has what the placeholders of the events refer to, by their names.
type scene struct {
	base   string // URL of the local system
	values map[string]string
}

// newScene creates on the local system what is missing there.
func newScene(ctx context.Context, base, agencyKey, recruiterKey string) (*scene, error) {
	agency := client.New(base, agencyKey)
	recruiter := client.New(base, recruiterKey)
	batch, err := submitAndWait(ctx, agency, "Jonas Lindqvist", "jonas-lindqvist.docx")
	if err != nil {
		return nil, err
	}
	text := []byte("Ada Example\nada@example.com\n")
	upload, err := agency.Upload(ctx, contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString(text)})
	if err != nil {
		return nil, err
	}
	role, err := first(recruiter.AllRoles(ctx, contract.ListRolesRequest{}))
	if err != nil {
		return nil, err
	}
	candidate, err := first(recruiter.AllCRMCandidates(ctx, contract.ListCRMCandidatesRequest{}))
	if err != nil {
		return nil, err
	}
	call, err := first(recruiter.AllCalls(ctx, contract.ListCallsRequest{}))
	if err != nil {
		return nil, err
	}
	item := batch.Items[0]
	return &scene{base, map[string]string{
		"AGENCY_KEY": agencyKey, "RECRUITER_KEY": recruiterKey, "ROLE_ID": role.ID, "CANDIDATE_ID": candidate.CandidateID, "CALL_ID": call.CallID,
		"BATCH_ID": batch.BatchID, "CANDIDATE_USER_ID": item.CandidateUserID, "RESUME_FILE_ID": upload.ResumeFileID,
		"HINT": fmt.Sprintf(`{"live":"ended","submission":%q}`, item.SubmissionID), // of an item that has ended
	}}, nil
}

// first returns the first row of a list.
func first[Row any](rows iter.Seq2[Row, error]) (Row, error) {
	for row, err := range rows {
		return row, err
	}
	return *new(Row), fmt.Errorf("there is no %T", *new(Row))
}

// submitAndWait submits a person of the samples and returns the batch once it has succeeded.
func submitAndWait(ctx context.Context, api *client.Client, name, file string) (contract.Batch, error) {
	content, err := resumes.Files.ReadFile(file)
	if err != nil {
		return contract.Batch{}, err
	}
	slug := strings.ToLower(strings.ReplaceAll(name, " ", "-"))
	accepted, err := api.Submit(ctx, contract.SubmitRequest{
		Name: name, Email: strings.ReplaceAll(slug, "-", ".") + "@example.com", LinkedInURL: "https://www.linkedin.com/in/" + slug,
		Preferences: contract.WorkPreferences{
			Locations: []contract.Location{contract.LocationEurope}, WorkplaceTypes: []contract.WorkplaceType{contract.WorkplaceTypeRemote}, SalaryMin: 90_000,
			IdealFundingRounds: []contract.FundingRound{contract.FundingRoundSeed}, VisaAuthorization: contract.VisaAuthorizationHasVisaAuthorization,
		},
		Resume: contract.ResumeFile{FileName: new(file), ContentBase64: base64.StdEncoding.EncodeToString(content)},
	})
	if err != nil {
		return contract.Batch{}, err
	}
	batch, err := api.WaitForBatch(ctx, accepted.BatchID)
	if err == nil && batch.Items[0].Status != contract.Succeeded {
		err = fmt.Errorf("the submission has %s: %s", batch.Items[0].Status, batch.Items[0].ErrorCode)
	}
	return batch, err
}

var placeholder = regexp.MustCompile(`\$\{([A-Z_]+)\}`)

// readEvent returns the event of a file with its placeholders filled in.
func (s *scene) readEvent(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return placeholder.ReplaceAllFunc(text, func(found []byte) []byte {
		quoted, _ := json.Marshal(s.values[string(found[2:len(found)-1])]) // a string always marshals
		return quoted[1 : len(quoted)-1]
	}), nil
}
