package system_test

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	calls "github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

const seededCandidate, seededRole, seededMatch, seededCall = "cand_ada", "role_desk", "match_ada", "call_ada"

// newRecruiterKey creates a personal key.
func (sys *testSystem) newRecruiterKey(id string) string {
	sys.t.Helper()
	return sys.newKey(contract.PersonalKey, id, id)
}

// seedRecruiter stores a candidate of a recruiter who was submitted to a role, a match
// and a call.
func (sys *testSystem) seedRecruiter(recruiterID string) {
	sys.t.Helper()
	ctx := sys.t.Context()
	h := sys.hostWithoutHooks()
	now := contract.At(sys.now())
	bucket := objectstore.Open(h.Opener(), topology.MarketplaceBucket)
	entities := entity.NewStore(sys.openTable(topology.Marketplace), dynamo.New(h.AWS).WriteTx)
	at := entity.Stamp{Version: 1, At: now.Time}
	must(sys.t, crm.NewStore(entities, sys.now).Put(ctx, recruiterID, seededCandidate, at, &crm.Candidate{
		RecruiterID: recruiterID, CandidateID: seededCandidate, Name: "Ada Example", OneLiner: new("Engineer of many things"),
		RelationshipStatus: "ACTIVE", Tags: []string{"go"}, AddedAt: now,
	}))
	roles := role.NewStore(entities, bucket)
	must(sys.t, roles.PutCompany(ctx, "com_desk", at, &role.Company{CompanyFacts: role.CompanyFacts{Name: "Brightwater"}}))
	must(sys.t, roles.Put(ctx, seededRole, at, role.Role{Listing: role.Listing{
		Title: "Engineer", CompanyID: "com_desk", Status: "ACTIVE", Visibility: "PUBLIC", UpdatedAt: now, BrowseURL: "https://app.example.com/roles/1",
	}}))
	nothing := func(context.Context, *role.Application, *role.Application) ([]entity.Action, error) { return nil, nil }
	must(sys.t, roles.PutApplication(ctx, "app_ada", at, &role.Application{
		RoleID: seededRole, RecruiterID: recruiterID, CandidateID: seededCandidate, CandidateName: "Ada Example", Status: "IN_REVIEW", SubmittedAt: now,
	}, nothing))
	must(sys.t, match.NewStore(entities).Put(ctx, seededMatch, at, &match.Match{
		RecruiterID: recruiterID, RoleID: seededRole, Status: contract.MatchStatusPending, SentAt: now, HiringManagerName: "Mona Example",
		Candidate: match.Candidate{CandidateID: seededCandidate, Name: "Ada Example"},
	}))
	must(sys.t, calls.NewStore(entities, bucket).Put(ctx, seededCall, at, &calls.Call{
		RecruiterID: recruiterID, Title: "Screening", ScheduledAt: now, URL: "https://app.example.com/calls/1", UpdatedAt: now,
		RoleID: new(seededRole), Transcript: &calls.Transcript{Segments: []calls.Segment{{Text: "Hello"}}},
	}))
}
