package system_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// gated is the one call of the gate; what follows it is what a route may add.
const gated = 1

// budgets are the DynamoDB calls that a request may cost. A built
// route without a row fails the test; "" stands for no route.
var budgets = []struct {
	operation, variant string
	calls              int
	// prepare does what comes before and answers the request to count.
	prepare func(*counted) call
	status  int
}{
	{"health", "", 0, get("/health"), 200},
	{"docs", "", 0, get("/docs"), 200},
	{"openapiJSON", "", 0, get("/docs/openapi.json"), 200},
	{"openapiYAML", "", 0, get("/docs/openapi.yaml"), 200},
	{"", "an unknown route", 0, get("/nowhere"), 404},
	{"identity", "no key", 0, func(*counted) call { return call{"GET", "/identity", "", nil, ""} }, 401},
	{"identity", "a malformed key", 0, func(*counted) call { return call{"GET", "/identity", "rmk_test_x", nil, ""} }, 401},
	{"identity", "an unknown key", gated, unknownKey, 401},
	{"identity", "a refused repeat", 0, refusedRepeat, 429},
	{"identity", "", gated + 2, get("/identity"), 200},
	{"getBatch", "", gated + 2, (*counted).aBatch, 200},
	{"getBatch", "a malformed id", gated, get("/talent-network/batches/1"), 400},
	{"getPreferences", "", gated + 2, (*counted).aCandidate, 200},
	{"listCandidates", "", gated + 2, get("/talent-network/candidates"), 200},
	{"lookupCandidates", "of 50", gated + 4, fifty("lookup"), 200},
	{"lookupPreferences", "of 50", gated + 4, fifty("preferences/lookup"), 200},
	{"putPreferences", "", gated + 3, put("preferences", preferences()), 200},
	{"getFastTrack", "", gated + 2, put("fast-track", nil), 200},
	{"putFastTrack", "", gated + 3, put("fast-track", map[string]bool{"fastTrack": true}), 200},
	// A write for each membership and each identity of nobody comes on top.
	{"offMarket", "of 50", gated + 3 + 50, fifty("off-market"), 200},
	{"reEnable", "of 50", gated + 3 + 50, fifty("re-enable"), 200},
	// The catalogue is warm: its first use in a process costs more.
	{"listRoles", "", gated + 4, recruiters("/recruiter/roles"), 200},
	{"listRoles", "with everything", gated + 4, recruiters("/recruiter/roles?query=enginer&matchMyPreferences=true&minFeePercent=1"), 200},
	{"listRoles", "of one's own", gated + 4, recruiters("/recruiter/roles?primaryOnly=true"), 200},
	{"getRole", "", gated + 4, aRoleOf("/recruiter/roles/", demo.MemberID), 200},
	// An owner's page has the agency's submissions besides.
	{"getRole", "an owner", gated + 5, aRoleOf("/recruiter/roles/", demo.OwnerID), 200},
	{"listActiveRoles", "", gated + 4, recruiters("/recruiter/active-roles"), 200},
	{"getSavedPreferences", "", gated + 1, recruiters("/recruiter/preferences"), 200},
	{"listAgencyRoles", "", gated + 4, agencys("/agency/roles"), 200},
	{"listAgencyRoles", "of a member", gated + 4, agencys("/agency/roles?recruiterEmail=" + url.QueryEscape(demo.MemberEmail)), 200},
	{"searchAgencyRoles", "", gated + 4, agencys("/agency/roles/search?query=enginer"), 200},
	{"getAgencyRole", "", gated + 3, aRoleOf("/agency/roles/", ""), 200},
	{"submitCandidate", "fresh", gated + 5, submit(""), 200},
	{"submitCandidate", "with Idempotency-Key", gated + 5, submit("fresh"), 200},
	{"submitCandidate", "deduplicated", gated + 5, twice(submit(""), submit("deduplicated")), 200},
	{"submitCandidate", "replayed", gated + 5, twice(submit("replayed"), submit("replayed")), 200},
	{"submitCandidate", "continued after a crash", gated + 5, (*counted).broken, 200},
	{"submitCandidate", "refused by the account", gated + 5, (*counted).unknownMember, 400},
	{"submitCandidate", "invalid", gated, func(c *counted) call { return call{"POST", submitPath, c.agencyKey(), []byte("{}"), ""} }, 400},
	// The queue is down: withdrawing the answer, ending the item and freeing the key
	// come on top.
	{"submitCandidate", "refused by the queue", gated + 7, (*counted).noQueue, 500},
	{"uploadResume", "", gated + 2, upload, 200},
	{"uploadResume", "of the same bytes", gated + 1, twice(upload, upload), 200},
	{"submitBulk", "100 fresh", gated + 9, bulk("fresh"), 200},
	{"submitBulk", "100 deduplicated", gated + 9, twice(bulk(""), bulk("deduplicated")), 200},
	{"listCRMCandidates", "", gated + 1, ask("/recruiter/candidates"), 200},
	{"listCRMCandidates", "with a query", gated + 2, ask("/recruiter/candidates?query=ada&tags=go"), 200},
	{"getCRMCandidate", "", gated + 3, ask("/recruiter/candidates/" + deskCandidate), 200},
	{"getCRMCandidate", "of nobody", gated + 2, ask("/recruiter/candidates/nobody"), 404},
	// The catalogue is warm, as with the list of roles.
	{"listRecommendedRoles", "", gated + 7, (*counted).recommended, 200},
	{"listMatches", "", gated + 4, ask("/recruiter/recommendations?status=all"), 200},
	{"listAutoMatches", "", gated + 4, ask("/recruiter/auto-recommendations"), 200},
	{"listCalls", "", gated + 2, ask("/recruiter/notetaker-calls"), 200},
	{"getCall", "", gated + 2, ask("/recruiter/notetaker-calls/" + deskCall), 200},
	{"submitBulk", "100 replayed", gated + 9, twice(bulk("replayed"), bulk("replayed")), 200},
}

// counted is a stage that counts its calls.
type counted struct {
	*stage
	calls   *cloudtest.Calls
	spoiler *spoiler
}

// call is a request to make.
type call struct {
	method, path, key string
	body              []byte
	idempotencyKey    string
}

func (c *counted) make(r call) reply {
	var headers []string
	if r.idempotencyKey != "" {
		headers = []string{"Idempotency-Key", r.idempotencyKey}
	}
	return c.send(r.method, r.path, r.key, r.body, headers...)
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	rows := map[string]bool{}
	for _, row := range budgets {
		rows[row.operation] = true
		t.Run(strings.TrimSpace(row.operation+" "+row.variant), func(t *testing.T) {
			t.Parallel()
			c := newCounted(t)
			request := row.prepare(c)
			c.calls.Reset()
			r := c.make(request)
			if r.status != row.status {
				t.Fatalf("got %d %s; want %d", r.status, r.body, row.status)
			}
			var database []string
			for _, name := range c.calls.Reset() {
				if operation, ok := strings.CutPrefix(name, "DynamoDB."); ok {
					database = append(database, operation)
				}
			}
			if len(database) > row.calls {
				t.Errorf("cost %d DynamoDB calls %v; the budget is %d", len(database), database, row.calls)
			}
		})
	}
	for _, route := range contract.Routes {
		if !rows[route.Operation] {
			t.Errorf("%s has no budget", route.Operation)
		}
	}
}

func newCounted(t *testing.T) *counted {
	t.Helper()
	c := &counted{calls: &cloudtest.Calls{}, spoiler: &spoiler{}}
	c.stage = newStage(t, c.calls.Hook, c.spoiler.Hook)
	return c
}

// failNext makes one attempt fail for good.
func (c *counted) failNext(match func(cloud.Call) bool) {
	c.spoiler.arm(match, spoils["fails before"])
}

func get(path string) func(*counted) call {
	return func(c *counted) call { return call{"GET", path, c.agencyKey(), nil, ""} }
}

// ask is get for a recruiter with a book, matches and calls.
func ask(path string) func(*counted) call {
	return func(c *counted) call {
		c.desk(demo.OwnerID)
		return call{"GET", path, c.recruiterKey(demo.OwnerID), nil, ""}
	}
}

func submit(idempotencyKey string) func(*counted) call {
	return func(c *counted) call {
		return call{"POST", submitPath, c.agencyKey(), encoded(c.t, request(c.t, priya, "")), idempotencyKey}
	}
}

func upload(c *counted) call {
	return call{"POST", uploadPath, c.agencyKey(), []byte(`{"contentBase64": "QWRhIEV4YW1wbGU="}`), ""}
}

// bulk submits 100 candidates with a resume each.
func bulk(idempotencyKey string) func(*counted) call {
	return func(c *counted) call {
		key := c.agencyKey()
		items := candidates(100, "")
		for i := range items {
			if i%50 == 0 {
				key = c.agencyKey() // a window holds 60 writes
			}
			items[i].Resume.ResumeFileID = c.stage.upload(key, fmt.Sprint("Ada Example ", i)).ResumeFileID
		}
		return call{"POST", bulkPath, c.agencyKey(), encoded(c.t, bulkRequest(items...)), idempotencyKey}
	}
}

// twice makes the first request and leaves the second to be counted.
func twice(first, second func(*counted) call) func(*counted) call {
	return func(c *counted) call {
		if r := c.make(first(c)); r.status != 200 {
			c.t.Fatalf("got %d %s", r.status, r.body)
		}
		return second(c)
	}
}

func unknownKey(c *counted) call {
	other := newStage(c.t) // the same format and checksum, another deployment's
	return call{"GET", "/identity", other.agencyKey(), nil, ""}
}

func refusedRepeat(c *counted) call {
	r := get("/identity")(c)
	for range contract.Default.Limit + 1 {
		c.make(r)
	}
	return r
}

func (c *counted) aBatch() call {
	accepted, err := c.agency().Submit(c.t.Context(), request(c.t, priya, ""))
	must(c.t, err)
	return get("/talent-network/batches/" + accepted.BatchID)(c)
}

func (c *counted) aCandidate() call {
	c.aBatch()
	c.work()
	return get("/talent-network/candidates/" + c.memberships(priya.email)[0] + "/preferences")(c)
}

// put sends a body to a route of the candidate, or asks it when there is none.
func put(what string, body any) func(*counted) call {
	return func(c *counted) call {
		path := strings.TrimSuffix(c.aCandidate().path, "preferences") + what
		if body == nil {
			return get(path)(c)
		}
		return call{"PUT", path, c.agencyKey(), encoded(c.t, body), ""}
	}
}

// fifty posts 50 references: the candidate's, and identities of nobody.
func fifty(what string) func(*counted) call {
	return func(c *counted) call {
		c.aCandidate()
		refs := []contract.CandidateReference{{Email: new(priya.email)}}
		for n := range 49 {
			refs = append(refs, contract.CandidateReference{LinkedInURL: new(fmt.Sprint("https://www.linkedin.com/in/nobody-", n))})
		}
		return call{"POST", "/talent-network/candidates/" + what, c.agencyKey(), encoded(c.t, contract.MarketRequest{Candidates: refs}), ""}
	}
}

// broken is a submit whose first attempt failed when its batch was written
// already: its answer could not be stored.
func (c *counted) broken() call {
	r := submit("broken")(c)
	c.failNext(updateOf(c.Host.Getenv(topology.Submissions.Env)))
	if first := c.make(r); first.status != 500 {
		c.t.Fatalf("the first attempt: got %d %s; want 500", first.status, first.body)
	}
	return r
}

func (c *counted) unknownMember() call {
	in := request(c.t, priya, "")
	in.RecruiterEmail = new(demo.PendingEmail)
	return call{"POST", submitPath, c.agencyKey(), encoded(c.t, in), "refused"}
}

func (c *counted) noQueue() call {
	c.failNext(nth("SendMessageBatch", 1))
	return submit("queue")(c)
}

// recruiters is a request of the demo's recruiter on a catalogue that is in use.
func recruiters(path string) func(*counted) call {
	return func(c *counted) call { s := c.shop(40); return s.warm(path, s.personal) }
}

// agencys is the same of the agency.
func agencys(path string) func(*counted) call {
	return func(c *counted) call { s := c.shop(40); return s.warm(path, s.key) }
}

// aRoleOf asks for one role as a recruiter, or as the agency on behalf of a member.
func aRoleOf(path, recruiterID string) func(*counted) call {
	return func(c *counted) call {
		s := c.shop(10)
		id := s.list("").Roles[0].ID
		if recruiterID == "" {
			return s.warm(path+id+"?recruiterEmail="+url.QueryEscape(demo.MemberEmail)+"&includeIntakeTranscripts=true", s.key)
		}
		return s.warm(path+id, s.recruiterKey(recruiterID))
	}
}

// shop fills the stage with the demo's roles.
func (c *counted) shop(roles int) *shop {
	c.t.Helper()
	s := &shop{stage: c.stage}
	s.open()
	s.stock(roles)
	return s
}

// warm asks once, and leaves the second time to be counted.
func (s *shop) warm(path, key string) call {
	s.t.Helper()
	var out any
	s.ask(path, key, &out)
	return call{"GET", path, key, nil, ""}
}
