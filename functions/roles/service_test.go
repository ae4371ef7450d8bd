package roles_test

import (
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	service "github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// The accounts of a test: an agency that hides payment, its owner and a member; and a
// recruiter of no agency.
const agencyID, olga, ben, zoe = "agy_a", "rec_olga", "rec_ben", "rec_zoe"

// testService is the function in surroundings of a test's own. A minute passes with every
// request, so that no window fills.
type testService struct {
	http.Handler
	t     testing.TB
	host  cloud.Host
	calls cloudtest.Calls
	roles *role.Store
	at    time.Time
	made  int
	// keys are the recruiters' and, by its id, the agency's.
	keys map[string]string
}

func newTestService(t testing.TB) *testService {
	t.Helper()
	b := &testService{t: t, at: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC), keys: map[string]string{}}
	b.host = cloudtest.System(t, map[string]string{"KEY_ENVIRONMENTS": "test"}, func() time.Time { return b.at })
	b.host.Log = slog.New(slog.DiscardHandler)
	b.putAccounts()
	o := b.host.Opener()
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	log := snapshot.Open(o, catalogue.SnapshotName)
	b.must(o.Err())
	b.roles = role.NewStore(entity.NewStore(cloudtest.TableOf(b.t, b.host, topology.Marketplace), dynamo.New(b.host.AWS).WriteTx), bucket).
		WithChangeLog(catalogue.NewChangeLog(log, func() time.Time { return b.at }, b.host.NewID))
	hooked := b.host
	hooked.AWS = cloud.WithHook(hooked.AWS, b.calls.Hook)
	var err error
	b.Handler, err = service.New(t.Context(), hooked)
	b.must(err)
	return b
}

// putAccounts stores the accounts and their keys.
func (b *testService) putAccounts() {
	b.t.Helper()
	accounts := b.accounts()
	agency := demo.Agency{
		Agency: account.Agency{
			ID: agencyID, Name: "A", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, HidesPayment: true, PrimaryOwner: olga,
		},
		Members: []account.Member{
			{ID: olga, Name: "Olga", Email: "olga@example.com", Owner: true, Approved: true}, {ID: ben, Name: "Ben", Email: "ben@example.com", Approved: true},
		},
	}
	b.must(agency.Apply(b.t.Context(), accounts, 1))
	for id, agency := range map[string]string{olga: agencyID, ben: agencyID, zoe: ""} {
		b.must(accounts.ApplyRecruiter(b.t.Context(), id, 1, &account.Recruiter{
			ID: id, Name: id, Email: id + "@example.com", AgencyID: agency, CanRecruit: true, PersonalKeys: true, Recommendations: true,
		}))
		b.keys[id] = apitest.CreateKey(b.t, b.host, contract.PersonalKey, id, id)
	}
	b.keys[agencyID] = apitest.CreateKey(b.t, b.host, contract.AgencyKey, agencyID, olga)
}

func (b *testService) accounts() *account.Store {
	return account.NewStore(cloudtest.TableOf(b.t, b.host, topology.Accounts), dynamo.New(b.host.AWS).WriteTx)
}

func (b *testService) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// nextStamp returns the stamp of one more event.
func (b *testService) nextStamp() entity.Stamp {
	b.made++
	return entity.Stamp{Version: int64(b.made), At: b.at}
}

func (b *testService) putCompany(id string, c role.Company) {
	b.t.Helper()
	b.must(b.roles.PutCompany(b.t.Context(), id, b.nextStamp(), &c))
}

// putRole stores a role of company co, after change.
func (b *testService) putRole(id string, change func(*role.Role)) {
	b.t.Helper()
	r := role.Role{Listing: role.Listing{
		Title: "Carpenter", CompanyID: "co", Status: "ACTIVE", Visibility: "PUBLIC", UpdatedAt: contract.At(b.at),
		BrowseURL: "https://app.example.com/browse/" + id, RecruitURL: new("https://app.example.com/recruit/" + id),
	}}
	if change != nil {
		change(&r)
	}
	b.must(b.roles.Put(b.t.Context(), id, b.nextStamp(), r))
}

// putAssignment stores what a recruiter is to a role.
func (b *testService) putAssignment(roleID, recruiterID string, status contract.ApprovalStatus, level contract.AccessLevel, change func(*role.Assignment)) {
	b.t.Helper()
	a := role.Assignment{ApprovalStatus: &status, AccessLevel: &level}
	if change != nil {
		change(&a)
	}
	b.must(b.roles.PutAssignment(b.t.Context(), roleID, recruiterID, b.nextStamp().Version, &a))
}

// putMatch stores a match on a role, sent to a recruiter.
func (b *testService) putMatch(roleID, recruiterID string, status contract.MatchStatus) {
	b.t.Helper()
	matches := match.NewStore(entity.NewStore(cloudtest.TableOf(b.t, b.host, topology.Marketplace), dynamo.New(b.host.AWS).WriteTx))
	b.must(matches.Put(b.t.Context(), "match-"+roleID, b.nextStamp(), &match.Match{
		RecruiterID: recruiterID, RoleID: roleID, Status: status, SentAt: contract.At(b.at), HiringManagerName: "Mona Example",
		Candidate: match.Candidate{CandidateID: "c1", Name: "Ada Example"},
	}))
}

// get sends a request with the key of a recruiter or of the agency.
func (b *testService) get(who, path string) apitest.Response {
	b.t.Helper()
	b.at = b.at.Add(time.Minute)
	b.calls.Reset()
	return apitest.Send(b.t.Context(), b, b.keys[who], http.MethodGet, path, "")
}

// roleList is any list of roles.
type roleList struct {
	Roles      []struct{ ID string }
	NextCursor any
}

// joinedIDs returns the ids of a list in their order; sortedIDs sorts them.
func (l roleList) joinedIDs() string {
	var all []string
	for _, r := range l.Roles {
		all = append(all, r.ID)
	}
	return strings.Join(all, " ")
}

// cursorText returns the cursor of the next page as a parameter has it.
func (l roleList) cursorText() string {
	if n, ok := l.NextCursor.(float64); ok {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return l.NextCursor.(string)
}

func (l roleList) sortedIDs() string {
	all := strings.Fields(l.joinedIDs())
	slices.Sort(all)
	return strings.Join(all, " ")
}

// listRoles requests a list.
func (b *testService) listRoles(who, path string) roleList {
	b.t.Helper()
	return apitest.DecodeOK[roleList](b.t, b.get(who, path))
}
