package samcheck

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

var (
	lambdaAddress = flag.String("lambda", "", "address of sam local start-lambda; without it nothing is compared")
	apiAddress    = flag.String("api", "", "address of sam local start-api")
)

// Every event of events/ is invoked, and what an HTTP event gets is what the local system answers to the same
// request, request ids and times aside. A submission through SAM's API succeeds. The system's address and keys
// come from the environment, as the file env of its data directory has them.
func TestSAM(t *testing.T) {
	t.Parallel()
	if *lambdaAddress == "" {
		t.Skip("SAM is not running: .ci/sam starts it, and gives its addresses in flags")
	}
	scene, err := newScene(t.Context(), os.Getenv("BASE_URL"), os.Getenv("AGENCY_KEY"), os.Getenv("RECRUITER_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../../events/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no events in the directory events: %v", err)
	}
	for _, file := range files {
		if err := scene.checkEvent(t.Context(), file); err != nil {
			t.Fatalf("%s: %v", filepath.Base(file), err)
		}
	}
	t.Logf("%d events get the answers of the local system", len(files))
	api := client.New(*apiAddress+contract.BasePath, os.Getenv("AGENCY_KEY"))
	batch, err := submitAndWait(t.Context(), api, "Maya Okafor", "maya-okafor.libreoffice.pdf")
	if err != nil {
		t.Fatalf("a submission through %s: %v", *apiAddress, err)
	}
	t.Logf("a submission through SAM's API has %s", batch.Items[0].Status)
}

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
		"WAKE_UP": fmt.Sprintf(`{"inFlight":"ended","submission":%q}`, item.SubmissionID), // of an item that has ended
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

// attempts is how often an event is compared: the first time, it may change what it reads.
const attempts = 4

// checkEvent invokes the event of a file, and compares the answer to an HTTP event with the local system's.
func (s *scene) checkEvent(ctx context.Context, file string) error {
	event, err := s.readEvent(file)
	if err != nil {
		return err
	}
	var request events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(event, &request); err != nil || request.RawPath == "" {
		return s.checkWorker(ctx, file, event)
	}
	for i := 1; ; i++ {
		err := s.compare(ctx, file, request, event)
		if err == nil || i == attempts {
			return err
		}
		time.Sleep(time.Second)
	}
}

// compare sends an HTTP event to the local system and to its function.
func (s *scene) compare(ctx context.Context, file string, request events.APIGatewayV2HTTPRequest, event []byte) error {
	status, body, err := s.sendToSystem(ctx, request)
	if err != nil {
		return err
	}
	text, err := s.invoke(ctx, functionOf(file), event)
	if err != nil {
		return err
	}
	var answer events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("%s is no answer: %w", text, err)
	}
	got := []byte(answer.Body)
	if answer.IsBase64Encoded {
		got, err = base64.StdEncoding.DecodeString(answer.Body)
		if err != nil {
			return err
		}
	}
	diff := cmp.Diff(withoutVolatile(body), withoutVolatile(got))
	if answer.StatusCode != status || diff != "" {
		return fmt.Errorf("got status %d, want %d; the body (-want +got):\n%s", answer.StatusCode, status, diff)
	}
	return nil
}

// sendToSystem sends the request of an event to the local system.
func (s *scene) sendToSystem(ctx context.Context, event events.APIGatewayV2HTTPRequest) (status int, body []byte, err error) {
	address, err := url.Parse(s.base)
	if err != nil {
		return 0, nil, err
	}
	address.Path = event.RawPath
	address.RawQuery = event.RawQueryString
	request, err := http.NewRequestWithContext(ctx, event.RequestContext.HTTP.Method, address.String(), strings.NewReader(event.Body))
	if err != nil {
		return 0, nil, err
	}
	for name, value := range event.Headers {
		request.Header.Set(name, value)
	}
	return send(request)
}

// send sends a request, and follows no redirect.
func send(request *http.Request) (status int, body []byte, err error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// checkWorker invokes the event of a worker, which must not fail.
func (s *scene) checkWorker(ctx context.Context, file string, event []byte) error {
	text, err := s.invoke(ctx, functionOf(file), event)
	if err != nil {
		return err
	}
	var answer struct {
		BatchItemFailures []any
		Error             any
		ErrorMessage      string
		Passed            *bool // of the canary
		Key               *struct{ ID string }
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("%s is no answer: %w", text, err)
	}
	failed := answer.Error != nil || answer.ErrorMessage != "" || len(answer.BatchItemFailures) > 0
	if failed || answer.Passed != nil && !*answer.Passed {
		return fmt.Errorf("got %s", text)
	}
	if answer.Key != nil { // the next events are about it
		s.values["KEY_ID"] = answer.Key.ID
	}
	return nil
}

// invoke invokes a function and returns its answer.
func (s *scene) invoke(ctx context.Context, function string, event []byte) ([]byte, error) {
	address := *lambdaAddress + "/2015-03-31/functions/" + strings.ToUpper(function[:1]) + function[1:] + "/invocations"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(event))
	if err != nil {
		return nil, err
	}
	status, text, err := send(request)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", status, text)
	}
	return text, err
}

// functionOf returns the name of the function that an event is for, by the event's name (events/README.md).
func functionOf(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	i := slices.IndexFunc(contract.Routes, func(r contract.Route) bool { return r.Operation == name })
	switch {
	case i >= 0:
		return string(contract.Routes[i].Function)
	case strings.HasSuffix(name, "Route") || strings.HasSuffix(name, "Path"): // those without a route
		return string(contract.Platform)
	}
	return name
}

var volatile = regexp.MustCompile(`"(request_id|nextCursor)":"[^"]*"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// withoutVolatile returns a body without request ids, times and cursors, which contain times.
func withoutVolatile(body []byte) string { return volatile.ReplaceAllString(string(body), "VOLATILE") }
