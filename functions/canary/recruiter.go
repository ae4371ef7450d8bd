package canary

import (
	"context"
	"errors"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// recruiterSteps are the main job of a recruiter, in order.
var recruiterSteps = []step{
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

// readFirstRole reads the first role of the list in full. It accepts an empty list, because a new
// deployment has none.
func (r *run) readFirstRole(ctx context.Context) error {
	list, err := r.recruiter.Roles(ctx, contract.ListRolesRequest{})
	if err != nil || len(list.Roles) == 0 {
		return err
	}
	_, err = r.recruiter.Role(ctx, list.Roles[0].ID)
	return err
}

// readFirstCRMCandidate reads the first candidate of the recruiter's CRM in full.
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

// readFirstCall reads the newest call with its transcript.
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
