package crm

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// ListCalls serves GET /recruiter/notetaker-calls.
func (s *Service) ListCalls(ctx context.Context, call *gateway.Call, in contract.ListCallsRequest) (out contract.CallList, err error) {
	page, position, err := s.calls.List(ctx, call.Caller.Principal, optional.Value(in.Cursor), int(in.Limit))
	if err != nil {
		return out, err
	}
	roles, err := s.roles.ReadForRecruiter(ctx, call.Caller.Principal, distinctIDs(page, func(l notetaker.Listed) string { return roleIDOf(l.Call) }))
	if err != nil {
		return out, err
	}
	for _, l := range page {
		out.Calls = append(out.Calls, callRow(call, l.ID, l.Call, roles))
	}
	out.NextCursor = optional.NonZero(position)
	return out, nil
}

// GetCall serves GET /recruiter/notetaker-calls/{callId}.
func (s *Service) GetCall(ctx context.Context, call *gateway.Call, in contract.CallRequest) (contract.RecordedCall, error) {
	return entity.PreferEventual(func(eventual bool) (contract.RecordedCall, error) {
		if eventual {
			return readCall(ctx, call, in, s.calls.Eventual(), s.roles.Eventual())
		}
		return readCall(ctx, call, in, s.calls, s.roles)
	})
}

// readCall reads the call, then its transcript and its role in parallel.
func readCall(ctx context.Context, call *gateway.Call, in contract.CallRequest, calls *notetaker.Store, roleStore *role.Store) (out contract.RecordedCall, err error) {
	me := call.Caller.Principal
	found, there, err := calls.Call(ctx, me, in.CallID)
	if err != nil {
		return out, err
	}
	if !there {
		return out, fault.Missing()
	}
	var transcript notetaker.Transcript
	var roles role.RolesForRecruiter
	err = cloud.InParallel(ctx,
		func(ctx context.Context) (err error) { transcript, err = calls.Transcript(ctx, found); return err },
		func(ctx context.Context) (err error) {
			roles, err = roleStore.ReadForRecruiter(ctx, me, distinctIDs([]notetaker.Call{found.Call}, roleIDOf))
			return err
		})
	if err != nil {
		return out, err
	}
	out = contract.RecordedCall{CallRow: callRow(call, in.CallID, found.Call, roles), SummaryFull: found.SummaryFull, UpdatedAt: found.UpdatedAt}
	return out, addTranscript(&out, transcript)
}

func roleIDOf(c notetaker.Call) string { return optional.Value(c.RoleID) }

func callRow(call *gateway.Call, id string, recorded notetaker.Call, roles role.RolesForRecruiter) contract.CallRow {
	out := contract.CallRow{
		CallID: id, Title: recorded.Title, ScheduledAt: recorded.ScheduledAt, Platform: recorded.Platform, URL: recorded.URL,
		DurationSeconds: recorded.DurationSeconds, Candidate: (*contract.CallCandidate)(recorded.Candidate), Summary: recorded.Summary,
	}
	for _, p := range recorded.Participants {
		out.Participants = append(out.Participants, contract.CallParticipant(p))
	}
	if v, there := roles.View(roleIDOf(recorded), false, call.Now); there {
		summary := v.Summary()
		out.Role = &contract.CallRole{
			RoleID: summary.ID, Name: summary.Name, CompanyName: summary.Company.Name,
			ConfidentialSearch: summary.Company.ConfidentialSearch, AnonymizedName: summary.Company.AnonymizedName, URLs: summary.URLs,
		}
	}
	return out
}
