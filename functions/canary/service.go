// Package canary is the scheduled worker that does what integrators do. As an agency it submits a
// candidate, waits until the submission has succeeded, finds the candidate in the list, takes
// the candidate off the market and searches roles. As a recruiter it reads a role, a candidate of the
// CRM, the roles recommended for that candidate, matches and a recorded call. It finds failures that no
// error shows, such as a worker that does not run or an edge that refuses every request.
//
// It calls the deployment from outside, as the agency and the recruiter of callers.ndjson, with keys of
// environment test, for which no profile is bought. Its one candidate is submitted anew by every run. It
// knows nothing of the stores and has no grants.
package canary

import (
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Service holds what a run works with.
type Service struct {
	host              cloud.Host
	agency, recruiter *client.Client
}

// New returns a canary of the deployment at CANARY_URL, a base URL that ends in the path of the API version, with the keys
// CANARY_AGENCY_KEY and CANARY_RECRUITER_KEY. It fails if one of the three is missing. The options change its clients.
func New(_ context.Context, h cloud.Host, options ...client.Option) (*Service, error) {
	for _, name := range topology.Canary.Settings {
		if h.Getenv(name) == "" {
			return nil, fmt.Errorf("the canary needs %s", name)
		}
	}
	url := h.Getenv(topology.SettingCanaryURL)
	return &Service{
		host:      h,
		agency:    client.New(url, h.Getenv(topology.SettingCanaryAgencyKey), options...),
		recruiter: client.New(url, h.Getenv(topology.SettingCanaryRecruiterKey), options...),
	}, nil
}

// step is a part of a run. Its name is in logs and in infra/README.md.
type step struct {
	name string
	do   func(*run, context.Context) error
}

// run is one run: what a step leaves for the next.
type run struct {
	*Service
	batchID, candidateUserID, crmCandidateID string
}

// Result says how a run ended.
type Result struct {
	Passed bool `json:"passed"`
	// Step is the step that failed, and Cause the reason; both are empty if all passed.
	Step  string `json:"step,omitempty"`
	Cause string `json:"cause,omitempty"`
	// Milliseconds is how long the steps took.
	Milliseconds int64 `json:"ms"`
}

// loggingReserve is the end of an invocation that is kept for logging how the run ended.
const loggingReserve = 3 * time.Second

// Handle runs the steps once, until shortly before the end of the invocation. A failed run is not an
// error of the function, since its alarm means something else: the log line's metrics report it.
func (s *Service) Handle(ctx context.Context) (Result, error) {
	begun := s.host.Now()
	ctx = cloud.Metered(ctx)
	inTime := ctx
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		inTime, cancel = context.WithDeadline(ctx, end.Add(-loggingReserve))
		defer cancel()
	}
	failed, err := s.runSteps(inTime)
	r := Result{Passed: err == nil, Step: failed, Milliseconds: s.host.Now().Sub(begun).Milliseconds()}
	level := slog.LevelInfo
	if err != nil {
		r.Cause = err.Error()
		level = slog.LevelError
	}
	s.host.Log.Log(cloud.Finished(ctx), level, "canary", "step", r.Step, "cause", r.Cause,
		topology.MetricCanaryFailed, !r.Passed, topology.MetricCanaryDuration, r.Milliseconds) // the metrics are those of the alarm
	return r, nil
}

// Run performs the steps in order. Its error names the first that fails, and holds no key and nothing of a person.
func (s *Service) Run(ctx context.Context) error {
	failed, err := s.runSteps(ctx)
	if err != nil {
		return fmt.Errorf("canary: step %s: %w", failed, err)
	}
	return nil
}

func (s *Service) runSteps(ctx context.Context) (failed string, err error) {
	r := &run{Service: s}
	for _, step := range steps {
		if err := step.do(r, ctx); err != nil {
			return step.name, err
		}
	}
	return "", nil
}

//go:embed resume.txt
var resume []byte

// steps are the main job of an agency and that of a recruiter, in order.
var steps = []step{
	{"submit", (*run).submitCandidate},
	{"batch", (*run).awaitOutcome},
	{"list", (*run).findCandidate},
	{"off-market", (*run).takeOffMarket},
	{"roles", func(r *run, ctx context.Context) error { // a new deployment has none
		_, err := r.agency.SearchAgencyRoles(ctx, contract.SearchAgencyRolesRequest{Query: "engineer"})
		return err
	}},

	{"browse", (*run).readFirstRole},
	{"crm", (*run).readFirstCRMCandidate},
	{"recommended", func(r *run, ctx context.Context) error { // perhaps no role suits the candidate
		_, err := r.recruiter.RecommendedRoles(ctx, r.crmCandidateID)
		return err
	}},
	{"matches", func(r *run, ctx context.Context) error { // perhaps none: a match needs a hiring manager
		_, err := r.recruiter.Matches(ctx, contract.ListMatchesRequest{})
		return err
	}},
	{"calls", (*run).readFirstCall},
}

// submitCandidate submits the candidate. A duplicate means that the submission of an earlier run
// is still under way, and so that the workers are behind by an interval.
func (r *run) submitCandidate(ctx context.Context) error {
	accepted, err := r.agency.Submit(ctx, contract.SubmitRequest{
		Name: "Canary Testwell", Email: "canary.testwell@example.com", // as in the resume
		LinkedInURL: "https://www.linkedin.com/in/canary-testwell",
		Preferences: contract.WorkPreferences{
			Locations: []contract.Location{contract.LocationUK}, WorkplaceTypes: []contract.WorkplaceType{contract.WorkplaceTypeRemote},
			SalaryMin: 90_000, IdealFundingRounds: []contract.FundingRound{contract.FundingRoundSeriesA},
			VisaAuthorization: contract.VisaAuthorizationHasVisaAuthorization,
		},
		Resume: contract.ResumeFile{FileName: new("canary.txt"), ContentBase64: base64.StdEncoding.EncodeToString(resume)},
	})
	r.batchID = accepted.BatchID
	if err == nil && accepted.Deduplicated {
		return errors.New("the submission of an earlier run is still queued or processing")
	}
	return err
}

func (r *run) awaitOutcome(ctx context.Context) error {
	batch, err := r.agency.WaitForBatch(ctx, r.batchID)
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("batch %s has not ended by the end of the run: the ingest worker or its queue is stalled", r.batchID)
	case err != nil:
		return err
	case len(batch.Items) != 1 || batch.Items[0].Status != contract.Succeeded:
		text := fmt.Sprintf("batch %s did not succeed: %d items", r.batchID, len(batch.Items))
		for _, item := range batch.Items {
			text += fmt.Sprintf(" %s %s", item.Status, item.ErrorCode)
		}
		return errors.New(text)
	}
	r.candidateUserID = batch.Items[0].CandidateUserID
	return nil
}

func (r *run) findCandidate(ctx context.Context) error {
	list, err := r.agency.Candidates(ctx, contract.ListCandidatesRequest{Status: new(contract.OnMarket)})
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list.Candidates, func(row contract.CandidateRow) bool { return row.CandidateUserID == r.candidateUserID }) {
		return fmt.Errorf("%s, who was just ingested, is not among the %d candidates on the market", r.candidateUserID, len(list.Candidates))
	}
	return nil
}

func (r *run) takeOffMarket(ctx context.Context) error {
	done, err := r.agency.OffMarket(ctx, contract.CandidateReference{CandidateUserID: &r.candidateUserID})
	if err == nil && (len(done.Results) != 1 || done.Results[0].Status != contract.ResultOffMarket) {
		return fmt.Errorf("%s was not taken off the market: %v", r.candidateUserID, done.Results)
	}
	return err
}

// readFirstRole reads the first role of the list in full. A new deployment has none.
func (r *run) readFirstRole(ctx context.Context) error {
	list, err := r.recruiter.Roles(ctx, contract.ListRolesRequest{})
	if err != nil || len(list.Roles) == 0 {
		return err
	}
	_, err = r.recruiter.Role(ctx, list.Roles[0].ID)
	return err
}

func (r *run) readFirstCRMCandidate(ctx context.Context) error {
	list, err := r.recruiter.CRMCandidates(ctx, contract.ListCRMCandidatesRequest{})
	if err != nil {
		return err
	}
	if len(list.Candidates) == 0 {
		return errors.New("the recruiter's CRM is empty: callers.ndjson has one candidate for it")
	}
	r.crmCandidateID = list.Candidates[0].CandidateID
	candidate, err := r.recruiter.CRMCandidate(ctx, r.crmCandidateID)
	if err == nil && candidate.CandidateID != r.crmCandidateID {
		return fmt.Errorf("asked for CRM candidate %s, got %s", r.crmCandidateID, candidate.CandidateID)
	}
	return err
}

func (r *run) readFirstCall(ctx context.Context) error {
	list, err := r.recruiter.Calls(ctx, contract.ListCallsRequest{})
	if err != nil {
		return err
	}
	if len(list.Calls) == 0 {
		return errors.New("the recruiter has no recorded call: callers.ndjson has one")
	}
	id := list.Calls[0].CallID
	call, err := r.recruiter.Call(ctx, id)
	if err == nil && len(call.Transcript.Segments) == 0 {
		return fmt.Errorf("call %s has no transcript", id)
	}
	return err
}
