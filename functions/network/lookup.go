package network

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// LookupCandidates serves POST /talent-network/candidates/lookup.
func (s *Service) LookupCandidates(
	ctx context.Context, call *gateway.Call, in contract.LookupRequest,
) (out contract.LookupResponse, err error) {
	found, owners, err := s.resolveReferences(ctx, call, in.Candidates)
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

// resumeFacts returns the published facts of a membership's resume.
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

// resolveReferences returns the memberships that the references identify, with their owners.
func (s *Service) resolveReferences(
	ctx context.Context, call *gateway.Call, refs []contract.CandidateReference,
) ([]network.Found, owners, error) {
	search := s.network.Search(call.Caller.Tenant(), newReferences(refs))
	owners := s.newOwners(call, true)
	found, err := search.Resolve(ctx, owners.check)
	return found, owners, err
}

func newReferences(sent []contract.CandidateReference) []network.Reference {
	refs := make([]network.Reference, len(sent))
	for i, r := range sent {
		refs[i] = network.NewReference(r.CandidateUserID, r.LinkedInURL, r.Email)
	}
	return refs
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
