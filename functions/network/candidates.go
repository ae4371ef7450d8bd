package network

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// GetCandidate serves GET /talent-network/candidates/{candidateUserId}.
func (s *Service) GetCandidate(ctx context.Context, call *gateway.Call, in contract.CandidateRequest) (contract.Candidate, error) {
	m, owner, err := s.readVisible(ctx, call, in.CandidateUserID)
	return contract.Candidate{
		FoundCandidate: contract.FoundCandidate{CandidateRow: candidateRow(m.Row(), owner, call.Now), Resume: resumeFacts(m)},
		Preferences:    m.Preferences, LastSubmission: lastSubmission(m, call.Now),
	}, err
}

// lastSubmission returns the newest submission of a membership; nil if it was never submitted. The key of its resume
// names the item of the batch that it came with.
func lastSubmission(m network.Membership, now time.Time) *contract.LastSubmission {
	row := m.Row()
	last := contract.LastSubmission{Source: row.LastSubmissionSource, SubmittedAt: contract.At(m.LastSubmittedAt())}
	if m.LastSubmittedAt().IsZero() {
		return nil
	}
	place, ok := submission.ParseCopyKey(m.ResumeKey)
	kept := now.Before(m.SubmittedAt.Add(submission.Retention))
	if ok && kept && row.LastSubmissionSource == contract.CandidateSourceExternalAPI {
		last.BatchID = place.Batch.String()
		last.SubmissionID = submission.NewID(place.Batch, place.Index).String()
	}
	return &last
}

// OffMarket serves POST /talent-network/candidates/off-market.
func (s *Service) OffMarket(
	ctx context.Context, call *gateway.Call, w *network.Store, in contract.MarketRequest,
) (contract.MarketResponse, error) {
	owners := s.newOwners(call)
	owners.read = func(ctx context.Context, ids []string) (account.Members, error) {
		agency, members, err := s.accounts.AgencyWithMembers(ctx, call.Caller.Principal, ids, nil)
		if err == nil {
			err = agency.RequireManagement()
		}
		return members, err
	}
	outcomes, err := w.OffMarket(ctx, call.Caller.Tenant(), in.Candidates, owners.check, newWrite(call))
	return marketResults(outcomes, offMarketRefusals), err
}

// ReEnable serves POST /talent-network/candidates/re-enable.
func (s *Service) ReEnable(
	ctx context.Context, call *gateway.Call, w *network.Store, in contract.MarketRequest,
) (contract.MarketResponse, error) {
	owners := s.newOwners(call)
	outcomes, err := w.ReEnable(ctx, call.Caller.Tenant(), in.Candidates, owners.check, newWrite(call))
	return marketResults(outcomes, reEnableRefusals), err
}

// The messages of outcomes that are not what was asked for.
var (
	offMarketRefusals = map[contract.ResultStatus]string{contract.ResultNotFound: notFound}
	reEnableRefusals  = map[contract.ResultStatus]string{
		contract.ResultPreExcluded: "The person is pre-excluded. Submit the candidate again to restore them.",
		contract.ResultLocked:      "The candidate is locked in the app and cannot be changed here.",
		contract.ResultNotFound:    notFound,
	}
)

func marketResults(results []contract.MarketResult, refusals map[contract.ResultStatus]string) contract.MarketResponse {
	for i := range results {
		r := &results[i]
		r.Message = refusals[r.Status]
		r.OK = r.Message == ""
	}
	return contract.MarketResponse{Results: results}
}

// GetPreferences serves GET /talent-network/candidates/{candidateUserId}/preferences.
func (s *Service) GetPreferences(
	ctx context.Context, call *gateway.Call, in contract.CandidateRequest,
) (contract.CandidatePreferences, error) {
	m, _, err := s.readVisible(ctx, call, in.CandidateUserID)
	return toPreferences(m), err
}

// PutPreferences serves PUT /talent-network/candidates/{candidateUserId}/preferences.
func (s *Service) PutPreferences(
	ctx context.Context, call *gateway.Call, w *network.Store, in contract.PutPreferencesRequest,
) (contract.CandidatePreferences, error) {
	if sent := optional.Or(in.SentCandidateUserID, in.CandidateUserID); sent != in.CandidateUserID {
		return contract.CandidatePreferences{}, fault.Field(contract.ValidationFailed, "candidateUserId",
			"candidateUserId: must equal the id in the path; send the body of the same candidate, or only the preferences.")
	}
	m, _, err := s.readVisible(ctx, call, in.CandidateUserID)
	if err != nil {
		return contract.CandidatePreferences{}, err
	}
	m, err = w.SetPreferences(ctx, m, optional.Or(in.SentPreferences, in.WorkPreferences), newWrite(call))
	return toPreferences(m), err
}

// LookupPreferences serves POST /talent-network/candidates/preferences/lookup.
func (s *Service) LookupPreferences(
	ctx context.Context, call *gateway.Call, in contract.LookupRequest,
) (out contract.PreferencesLookupResponse, err error) {
	found, err := s.network.Resolve(ctx, call.Caller.Tenant(), in.Candidates, s.newOwners(call).check)
	for i, f := range found {
		r := contract.PreferencesResult{Result: lookupResult(i, f)}
		for _, m := range f.Memberships {
			r.Candidates = append(r.Candidates, toPreferences(m))
		}
		out.Results = append(out.Results, r)
	}
	return out, err
}

func toPreferences(m network.Membership) contract.CandidatePreferences {
	return contract.CandidatePreferences{CandidateUserID: m.ID, Preferences: m.Preferences}
}

// GetFastTrack serves GET /talent-network/candidates/{candidateUserId}/fast-track.
func (s *Service) GetFastTrack(ctx context.Context, call *gateway.Call, in contract.CandidateRequest) (contract.FastTrack, error) {
	m, err := s.readFastTracked(ctx, call, in.CandidateUserID)
	return toFastTrack(m), err
}

// PutFastTrack serves PUT /talent-network/candidates/{candidateUserId}/fast-track: for candidates of the member who
// created the key alone.
func (s *Service) PutFastTrack(
	ctx context.Context, call *gateway.Call, w *network.Store, in contract.PutFastTrackRequest,
) (contract.FastTrack, error) {
	m, err := s.readFastTracked(ctx, call, in.CandidateUserID)
	if err != nil {
		return contract.FastTrack{}, err
	}
	if m.OwnerID != call.Caller.Creator {
		return contract.FastTrack{}, fault.New(fault.Forbidden, contract.KeyOwnerMismatch,
			"The candidate belongs to a recruiter other than the key's creator. Use a key created by the candidate's recruiter.")
	}
	m, err = w.SetFastTrack(ctx, m, in.FastTrack, newWrite(call))
	return toFastTrack(m), err
}

func (s *Service) readFastTracked(ctx context.Context, call *gateway.Call, id string) (network.Membership, error) {
	m, owner, err := s.readVisible(ctx, call, id)
	if err == nil && !owner.FastTrack {
		err = fault.New(fault.Forbidden, contract.FastTrackDisabled, "Fast-track is not enabled for the candidate's recruiter.")
	}
	return m, err
}

func toFastTrack(m network.Membership) contract.FastTrack {
	return contract.FastTrack{CandidateUserID: m.ID, FastTrack: m.Market.FastTrack, OffMarket: m.Market.Off()}
}

// LookupCandidates serves POST /talent-network/candidates/lookup.
func (s *Service) LookupCandidates(
	ctx context.Context, call *gateway.Call, in contract.LookupRequest,
) (out contract.LookupResponse, err error) {
	owners := s.newOwners(call)
	found, err := s.network.Resolve(ctx, call.Caller.Tenant(), in.Candidates, owners.check)
	for i, f := range found {
		r := contract.LookupResult{Result: lookupResult(i, f)}
		for _, m := range f.Memberships {
			r.Candidates = append(r.Candidates, contract.FoundCandidate{
				CandidateRow: candidateRow(m.Row(), owners.known[m.OwnerID], call.Now), Resume: resumeFacts(m),
			})
		}
		out.Results = append(out.Results, r)
	}
	return out, err
}

func resumeFacts(m network.Membership) contract.ResumeFacts {
	r := contract.ResumeFacts{OnFile: m.ResumeKey != "", Skills: []string{}, Languages: []string{}}
	if m.Resume.ReadAt.IsZero() {
		return r
	}
	r.ReadAt = new(contract.At(m.Resume.ReadAt))
	r.YearsOfExperience = optional.NonZero(m.Resume.Years)
	r.Skills = append(r.Skills, m.Resume.Skills...)
	r.Languages = append(r.Languages, m.Resume.Languages...)
	confidence := func(name string) *float64 { return optional.NonZero(m.Resume.Confidence[name]) }
	r.Confidence = contract.ResumeConfidence{
		Skills: confidence("skills"), Languages: confidence("languages"), YearsOfExperience: confidence("yearsOfExperience"),
	}
	return r
}

// lookupResult returns the common part of a reference's result. A reference without a membership
// has the same result for every reason.
func lookupResult(index int, f network.Found) contract.Result {
	if len(f.Memberships) == 0 {
		return contract.Result{Index: index, Status: contract.ResultNotFound, Message: notFound}
	}
	return contract.Result{Index: index, OK: true, Status: contract.ResultFound}
}

const notFound = "No candidate of an approved member of the agency matches this reference."
