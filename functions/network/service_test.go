package network_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	service "github.com/recruiting-marketplace/external-api/functions/network"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The test service's accounts: an agency with two owners and a member, and another one.
const (
	agencyID, otherID = "agy_a", "agy_b"
	olga, ben, cleo   = "rec_olga", "rec_ben", "rec_cleo"
	zoe               = "rec_zoe"
)

// testAgency is an agency with its members by id.
type testAgency struct {
	account.Agency
	Members map[string]account.Member
}

func newAgency() testAgency {
	return testAgency{
		Agency: account.Agency{ID: agencyID, Name: "A", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, PrimaryOwner: olga},
		Members: map[string]account.Member{
			olga: {ID: olga, Name: "Olga", Email: "olga@example.com", Owner: true, Approved: true, FastTrack: true},
			ben:  {ID: ben, Name: "Ben", Email: "ben@example.com", Owner: true, Approved: true, FastTrack: true},
			cleo: {ID: cleo, Name: "Cleo", Email: "cleo@example.com", Approved: true},
		},
	}
}

// testService is the function on tables of a test's own, with a clock that is moved.
type testService struct {
	t testing.TB
	http.Handler
	*cloudtest.Clock
	host     cloud.Host
	accounts *account.Store
	store    *network.Store
	write    func() *dynamo.WriteTx
	// calls are the function's own, the test's are not among them.
	calls *recorder
	// key is the agency's, created by its owner; other is another agency's.
	key, other string
	made       int
	versions   int64
}

// newTestService starts the function; hooks stand around its calls.
func newTestService(t testing.TB, hooks ...cloud.Hook) *testService {
	t.Helper()
	return newTestServiceOn(t, cloudtest.Host, hooks...)
}

// newTestServiceOn starts the service on a host with more than tables.
func newTestServiceOn(t testing.TB, host func(testing.TB, map[string]string, func() time.Time) cloud.Host, hooks ...cloud.Hook) *testService {
	t.Helper()
	b := &testService{t: t, Clock: cloudtest.NewClock(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)), calls: &recorder{}}
	b.host = host(t, map[string]string{"KEY_ENVIRONMENTS": "test"}, b.Now)
	b.write = dynamo.New(b.host.AWS).WriteTx
	b.accounts = account.NewStore(cloudtest.TableOf(b.t, b.host, topology.Accounts), b.write)
	b.store = network.NewStore(cloudtest.TableOf(b.t, b.host, topology.Network), b.write, network.DefaultEligibility)
	b.putAgency(newAgency())
	b.putAgency(testAgency{
		Agency:  account.Agency{ID: otherID, Name: "B", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, PrimaryOwner: zoe},
		Members: map[string]account.Member{zoe: {ID: zoe, Name: "Zoe", Email: "zoe@example.org", Owner: true, Approved: true, FastTrack: true}},
	})
	b.key = b.newKey(agencyID, olga)
	b.other = b.newKey(otherID, zoe)
	b.Handler = b.openHandler(b.host, hooks...)
	return b
}

// openHandler opens the function on a host with the test service's tables.
func (b *testService) openHandler(host cloud.Host, hooks ...cloud.Hook) http.Handler {
	b.t.Helper()
	for _, hook := range append(hooks, b.calls.hook) {
		host.AWS = cloud.WithHook(host.AWS, hook)
	}
	handler, err := service.New(b.t.Context(), host)
	b.must(err)
	return handler
}

func (b *testService) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// putAgency stores an agency whole, whatever was stored before.
func (b *testService) putAgency(a testAgency) {
	b.t.Helper()
	b.versions++
	b.must(demo.Agency{Agency: a.Agency, Members: slices.Collect(maps.Values(a.Members))}.Apply(b.t.Context(), b.accounts, b.versions))
	for _, id := range []string{olga, ben, cleo} {
		if _, ok := a.Members[id]; !ok && a.ID == agencyID {
			b.must(b.accounts.ApplyMember(b.t.Context(), agencyID, id, b.versions, nil))
		}
	}
}

// changeMember changes a member of the agency.
func (b *testService) changeMember(id string, change func(*account.Member)) {
	b.t.Helper()
	m, err := b.accounts.Member(b.t.Context(), agencyID, id)
	b.must(err)
	change(&m)
	b.versions++
	b.must(b.accounts.ApplyMember(b.t.Context(), agencyID, id, b.versions, &m))
}

func (b *testService) newKey(principal, creator string) string {
	b.t.Helper()
	return apitest.CreateKey(b.t, b.host, contract.AgencyKey, principal, creator)
}

// newCandidate is an invented candidate: the n-th of an owner of the agency.
func newCandidate(owner string, n int) network.Candidate {
	return network.Candidate{
		Tenant: tenant.Of(agencyID, "test"), OwnerID: owner, Preferences: newPreferences(90_000), ResumeKey: "resumes/x",
		Person: network.Person{
			Name:  fmt.Sprintf("Person %d", n),
			Email: fmt.Sprintf("person%d@example.com", n), LinkedInURL: fmt.Sprintf("https://www.linkedin.com/in/person-%d", n),
			Title: "Engineer", Company: "Acme", Location: "Oslo",
		},
	}
}

func newPreferences(salary int64) contract.WorkPreferences {
	return contract.WorkPreferences{
		Locations: []contract.Location{"europe", "asia"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: salary,
		IdealFundingRounds: []contract.FundingRound{"SEED"}, VisaAuthorization: "HAS_VISA_AUTHORIZATION", RoleType: []contract.RoleType{"data_engineer"},
	}
}

// mustIngest does what the worker does for a submission of this moment.
func (b *testService) mustIngest(c network.Candidate) string {
	b.t.Helper()
	c.SubmittedAt = b.Now()
	id, err := ingestOnce(b.t.Context(), b.store, b.write, c, b.newID(), b.Now())
	b.must(err)
	return id
}

func (b *testService) newID() string {
	b.made++
	return fmt.Sprintf("cu_%026d", b.made)
}

// ingestOnce commits a candidate, and looks again when others were faster.
func ingestOnce(ctx context.Context, store *network.Store, write func() *dynamo.WriteTx, c network.Candidate, newID string, now time.Time) (string, error) {
	for {
		place, err := store.FindPlace(ctx, c, newID)
		if err != nil {
			return "", err
		}
		err = store.Ingest(write(), c, place, network.Write{Now: now, ID: "ingest " + newID}).Run(ctx)
		if !dynamo.IsCondCheckFailed(err) {
			return place.ID, err
		}
	}
}

// sendRequest makes a request with the agency's key and counts its calls alone. A full
// window is waited for.
func (b *testService) sendRequest(method, path, body string) apitest.Response {
	return b.sendAs(b.key, method, path, body)
}

func (b *testService) sendAs(key, method, path, body string) apitest.Response {
	b.t.Helper()
	for {
		b.calls.reset()
		a := apitest.Send(b.t.Context(), b.Handler, key, method, path, body)
		if a.Status != http.StatusTooManyRequests {
			return a
		}
		b.Move(time.Minute)
	}
}

// recorder keeps the calls that it lets happen.
type recorder struct {
	mu  sync.Mutex
	all []cloud.Call
}

func (r *recorder) hook(_ context.Context, call cloud.Call, send func() error) error {
	r.mu.Lock()
	r.all = append(r.all, call)
	r.mu.Unlock()
	return send()
}

func (r *recorder) reset() []cloud.Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}
