package crm_test

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	service "github.com/recruiting-marketplace/external-api/functions/crm"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// The bed's accounts: an agency that hides payment, its owner and a member; and a
// recruiter of no agency.
const agencyID, olga, ben, zoe = "agy_a", "rec_olga", "rec_ben", "rec_zoe"

// testService is the function in surroundings of a test's own, with a clock that is moved.
type testService struct {
	http.Handler
	t          testing.TB
	host       cloud.Host
	calls      cloudtest.Calls
	crm        *crm.Store
	matches    *match.Store
	recordings *notetaker.Store
	roles      *role.Store

	*cloudtest.Clock
	version atomic.Int64
	// keys are the recruiters'.
	keys map[string]string
}

// newTestService starts the function with the bucket; light without it, for tests that read
// no transcript.
func newTestService(t testing.TB) *testService { return newTestServiceOn(t, cloudtest.System) }

func newTestServiceWithoutBucket(t testing.TB) *testService {
	return newTestServiceOn(t, cloudtest.Host)
}

func newTestServiceOn(t testing.TB, host func(testing.TB, map[string]string, func() time.Time) cloud.Host) *testService {
	t.Helper()
	b := &testService{t: t, Clock: cloudtest.NewClock(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)), keys: map[string]string{}}
	b.host = host(t, map[string]string{"KEY_ENVIRONMENTS": "test", "BUCKET_MARKETPLACE": "unused"}, b.Now)
	b.host.Log = slog.New(slog.DiscardHandler)
	write := dynamo.New(b.host.AWS).WriteTx
	accounts := account.NewStore(cloudtest.TableOf(b.t, b.host, topology.Accounts), write)
	agency := demo.Agency{
		Agency: account.Agency{ID: agencyID, Name: "A", HidesPayment: true, PrimaryOwner: olga},
		Members: []account.Member{
			{ID: olga, Name: "Olga", Email: "olga@example.com", Owner: true, Approved: true}, {ID: ben, Name: "Ben", Email: "ben@example.com", Approved: true},
		},
	}
	b.must(agency.Apply(t.Context(), accounts, 1))
	for id, agency := range map[string]string{olga: agencyID, ben: agencyID, zoe: ""} {
		b.must(accounts.ApplyRecruiter(t.Context(), id, 1, &account.Recruiter{
			ID: id, Name: id, Email: id + "@example.com", AgencyID: agency, CanRecruit: true, PersonalKeys: true,
		}))
		b.keys[id] = apitest.CreateKey(t, b.host, contract.PersonalKey, id, id)
	}
	bucket := objectstore.Open(b.host.Opener(), topology.MarketplaceBucket)
	entities := entity.NewStore(cloudtest.TableOf(b.t, b.host, topology.Marketplace), write)
	b.crm = crm.NewStore(entities, b.Now)
	b.matches = match.NewStore(entities)
	b.recordings = notetaker.NewStore(entities, bucket)
	b.roles = role.NewStore(entities, bucket)
	hooked := b.host
	hooked.AWS = cloud.WithHook(hooked.AWS, b.calls.Hook)
	var err error
	b.Handler, err = service.New(t.Context(), hooked)
	b.must(err)
	return b
}

func (b *testService) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// nextStamp is that of one more event.
func (b *testService) nextStamp() entity.Stamp {
	return entity.Stamp{Version: b.version.Add(1), At: b.Now()}
}

// get asks as a recruiter and counts the calls alone. A full window is waited for.
func (b *testService) get(recruiterID, path string) apitest.Response {
	b.t.Helper()
	for {
		b.calls.Reset()
		a := b.getWith(b.keys[recruiterID], path)
		if a.Status != http.StatusTooManyRequests {
			return a
		}
		b.Set(b.Now().Add(time.Minute))
	}
}

func (b *testService) getWith(key, path string) apitest.Response {
	return apitest.Send(context.WithoutCancel(b.t.Context()), b, key, http.MethodGet, path, "")
}

// putCandidate stores a candidate.
func (b *testService) putCandidate(recruiterID string, c crm.Candidate) {
	b.t.Helper()
	c.RecruiterID = recruiterID
	if c.RelationshipStatus == "" {
		c.RelationshipStatus = "SOURCED"
	}
	b.must(b.crm.Put(b.t.Context(), recruiterID, c.CandidateID, b.nextStamp(), &c))
}

// putRole stores a role of company co and what recruiters are to it.
func (b *testService) putRole(id string, change func(*role.Role), approved ...string) {
	b.t.Helper()
	r := role.Role{Listing: role.Listing{
		Title: "Engineer " + id, CompanyID: "co", Status: "ACTIVE", Visibility: "PUBLIC", UpdatedAt: contract.At(b.Now()),
		BrowseURL: "https://app.example.com/browse/" + id, RecruitURL: new("https://app.example.com/desk/" + id),
		Locations: []string{"Oslo"}, Salary: role.Salary{Min: new(int64(90_000)), Currency: new("EUR")},
		Fee: role.Fee{PercentOfSalary: new(20.0)},
	}}
	if change != nil {
		change(&r)
	}
	b.must(b.roles.Put(b.t.Context(), id, b.nextStamp(), r))
	for _, recruiterID := range approved {
		a := role.Assignment{RoleID: id, RecruiterID: recruiterID, ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelFull)}
		b.must(b.roles.PutAssignment(b.t.Context(), id, recruiterID, b.nextStamp().Version, &a))
	}
}

// putCompany stores company co, which roles have.
func (b *testService) putCompany() {
	b.t.Helper()
	c := role.Company{CompanyFacts: role.CompanyFacts{Name: "Zqorn Labs"}}
	b.must(b.roles.PutCompany(b.t.Context(), "co", b.nextStamp(), &c))
}

// putApplication stores an application of a candidate.
func (b *testService) putApplication(id, roleID, recruiterID, candidateID, status string, at time.Time) {
	b.t.Helper()
	a := role.Application{
		RoleID: roleID, RecruiterID: recruiterID, CandidateID: candidateID, CandidateName: "Ada Example", Status: status,
		SubmittedAt: contract.At(at), CurrentStage: new("Offer"),
	}
	b.must(b.roles.PutApplication(b.t.Context(), id, b.nextStamp(), &a, func(context.Context, *role.Application, *role.Application) ([]entity.Action, error) {
		return b.crm.ProgressActions(b.t.Context(), []crm.ApplicationChange{{RecruiterID: recruiterID, CandidateID: candidateID, Status: status, Delta: 1}})
	}))
}

// newMatch is a match of a recruiter.
func newMatch(recruiterID, roleID string, sent time.Time) match.Match {
	return match.Match{
		RecruiterID: recruiterID, RoleID: roleID, Status: contract.MatchStatusPending, SentAt: contract.At(sent), HiringManagerName: "Mona",
		Candidate: match.Candidate{CandidateID: "cand_ada", Name: "Ada Example", Email: new("ada@example.com")},
	}
}

func (b *testService) putMatch(id string, m match.Match) {
	b.t.Helper()
	b.must(b.matches.Put(b.t.Context(), id, b.nextStamp(), &m))
}

func (b *testService) putCall(id string, c notetaker.Call) {
	b.t.Helper()
	b.must(b.recordings.Put(b.t.Context(), id, b.nextStamp(), &c))
}

// newCall is a call with a transcript of some segments.
func (b *testService) newCall(recruiterID string, at time.Time, said ...string) notetaker.Call {
	c := notetaker.Call{
		RecruiterID: recruiterID, Title: "Screening", ScheduledAt: contract.At(at), URL: "https://app.example.com/calls/1",
		UpdatedAt: contract.At(at), Participants: []contract.CallParticipant{{Email: "ada@example.com"}}, Transcript: &notetaker.Transcript{},
	}
	for _, text := range said {
		c.Transcript.Segments = append(c.Transcript.Segments, notetaker.Segment{Text: text})
	}
	return c
}
