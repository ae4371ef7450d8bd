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
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Service holds what a run works with.
type Service struct {
	host              cloud.Host
	agency, recruiter *client.Client
}

// New returns a canary of the deployment at CANARY_URL, a base URL that ends in the path of the
// API version, with the keys CANARY_AGENCY_KEY and CANARY_RECRUITER_KEY. It fails if one of the three is missing.
// The options change its clients.
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

// StepError is the failure of a step. Its text holds no key and nothing of a person.
type StepError struct {
	Step string
	Err  error
}

// Error names the step and the reason.
func (e *StepError) Error() string { return "canary: step " + e.Step + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *StepError) Unwrap() error { return e.Err }

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
	err := s.Run(inTime)
	r := Result{Passed: err == nil, Milliseconds: s.host.Now().Sub(begun).Milliseconds()}
	level := slog.LevelInfo
	if failed, ok := errors.AsType[*StepError](err); ok {
		r.Step = failed.Step
		r.Cause = failed.Err.Error()
		level = slog.LevelError
	}
	s.host.Log.Log(cloud.Finished(ctx), level, "canary", "step", r.Step, "cause", r.Cause,
		topology.MetricCanaryFailed, !r.Passed, topology.MetricCanaryDuration, r.Milliseconds) // the metrics are those of the alarm
	return r, nil
}

// Run performs the steps in order and returns the [StepError] of the first that fails.
func (s *Service) Run(ctx context.Context) error {
	r := &run{Service: s}
	for _, step := range steps {
		if err := step.do(r, ctx); err != nil {
			return &StepError{step.name, err}
		}
	}
	return nil
}
