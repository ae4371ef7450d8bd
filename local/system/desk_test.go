package system_test

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	calls "github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

const deskCandidate, deskRole, deskMatch, deskCall = "cand_ada", "role_desk", "match_ada", "call_ada"

// recruiterKey creates a personal key.
func (b *bed) recruiterKey(id string) string {
	b.t.Helper()
	return b.key(contract.PersonalKey, id, id)
}

// desk gives a recruiter a candidate who was submitted to a role, a match and a call.
func (b *bed) desk(recruiterID string) {
	b.t.Helper()
	ctx, h, now := b.t.Context(), b.plain(), contract.At(b.now())
	bucket, err := h.Bucket(topology.MarketplaceBucket)
	must(b.t, err)
	entities := entity.NewStore(b.table(topology.Marketplace), dynamo.New(h.AWS).WriteTx)
	at := entity.Stamp{Version: 1, At: now.Time}
	must(b.t, crm.NewStore(entities, b.now).Put(ctx, recruiterID, deskCandidate, at, &crm.Candidate{
		RecruiterID: recruiterID, CandidateID: deskCandidate, Name: "Ada Example", OneLiner: new("Engineer of many things"),
		RelationshipStatus: "ACTIVE", Tags: []string{"go"}, AddedAt: now,
	}))
	roles := role.NewStore(entities, bucket)
	must(b.t, roles.PutCompany(ctx, "com_desk", at, &role.Company{Facts: role.Facts{Name: "Brightwater"}}))
	must(b.t, roles.Put(ctx, deskRole, at, role.Role{Card: role.Card{
		Title: "Engineer", CompanyID: "com_desk", Status: "ACTIVE", Visibility: "PUBLIC", UpdatedAt: now, BrowseURL: "https://app.example.com/roles/1",
	}}))
	nothing := func(context.Context, *role.Application, *role.Application) ([]entity.Action, error) { return nil, nil }
	must(b.t, roles.PutApplication(ctx, "app_ada", at, &role.Application{
		RoleID: deskRole, RecruiterID: recruiterID, CandidateID: deskCandidate, CandidateName: "Ada Example", Status: "IN_REVIEW", SubmittedAt: now,
	}, nothing))
	must(b.t, match.NewStore(entities).Put(ctx, deskMatch, at, &match.Match{
		RecruiterID: recruiterID, RoleID: deskRole, Status: match.Pending, SentAt: now, HiringManagerName: "Mona Example",
		Candidate: match.Candidate{CandidateID: deskCandidate, Name: "Ada Example"},
	}))
	must(b.t, calls.NewStore(entities, bucket).Put(ctx, deskCall, at, &calls.Call{
		RecruiterID: recruiterID, Title: "Screening", ScheduledAt: now, URL: "https://app.example.com/calls/1", UpdatedAt: now,
		RoleID: new(deskRole), Transcript: &calls.Transcript{Segments: []calls.Segment{{Text: "Hello"}}},
	}))
}
