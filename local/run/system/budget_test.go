package system_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// keyCheckCalls is the one call of the key check; what follows it is what a route may add.
const keyCheckCalls = 1

// budget is the most DynamoDB calls that a request may make.
type budget struct {
	operation, variant string // an operation of "" stands for no route
	calls              int
	// prepare sets up the case and returns the request to count.
	prepare func(*countedSystem) testRequest
	status  int
}

// budgets are the budgets of all routes, by what the rows of a group share of one system: its tables, which hold
// nothing that changes the calls of another row. A route without a row fails the test.
var budgets = map[string][]budget{
	"an empty system": {
		{"health", "", 0, getRequest("/health"), 200},
		{"docs", "", 0, getRequest("/docs"), 200},
		{"docsPage", "", 0, getRequest("/docs/network"), 200},
		{"openapiJSON", "", 0, getRequest("/docs/openapi.json"), 200},
		{"openapiYAML", "", 0, getRequest("/docs/openapi.yaml"), 200},
		{"docsMarkdown", "", 0, getRequest("/docs.md"), 200},
		{"llms", "", 0, getRequest("/llms.txt"), 200},
		{"changeFeed", "", 0, getRequest("/docs/changes.atom"), 200},
		{"", "an unknown route", 0, getRequest("/nowhere"), 404},
		{"identity", "no key", 0, func(*countedSystem) testRequest { return testRequest{"GET", "/identity", "", nil, ""} }, 401},
		{"identity", "a malformed key", 0, func(*countedSystem) testRequest { return testRequest{"GET", "/identity", "rmk_test_x", nil, ""} }, 401},
		{"identity", "", keyCheckCalls + 2, getRequest("/identity"), 200},
		{"listEnumerations", "", keyCheckCalls, getRequest("/enumerations"), 200},
		{"listMembers", "", keyCheckCalls + 1, getRequest("/agency/members?limit=1"), 200},
		{"getBatch", "a malformed id", keyCheckCalls, getRequest("/talent-network/batches/1"), 400},
		{"listCandidates", "", keyCheckCalls + 2, getRequest("/talent-network/candidates"), 200},
		{"listCandidates", "filtered", keyCheckCalls + 2, getRequest("/talent-network/candidates?status=on_market&recruiterEmail=" + url.QueryEscape(demo.OwnerEmail)), 200},
		{"listCandidates", "of expired ones", keyCheckCalls + 3, getRequest("/talent-network/candidates?status=expired&recruiterEmail=" + url.QueryEscape(demo.OwnerEmail)), 200},
		{"submitCandidate", "invalid", keyCheckCalls, func(c *countedSystem) testRequest {
			return testRequest{"POST", submitPath, c.newAgencyKey(), []byte("{}"), ""}
		}, 400},
	},
	// Each of these rows has a system of its own.
	"": {
		{"identity", "an unknown key", keyCheckCalls, unknownKeyRequest, 401},
		{"identity", "a refused repeat", 0, rateLimitedRequest, 429},
		// A call for each batch of more than one item comes on top.
		{"listBatches", "", keyCheckCalls + 2, func(c *countedSystem) testRequest {
			c.getBatchRequest()
			return getRequest("/talent-network/batches")(c)
		}, 200},
		// A poll that finds nothing reads the log and four partitions of new entries. New entries are
		// moved to the log in one transaction.
		{"listChanges", "", keyCheckCalls + 5, (*countedSystem).pollRequest, 200},
		{"listChanges", "of a new batch", keyCheckCalls + 7, func(c *countedSystem) testRequest {
			c.getPreferencesRequest()
			return getRequest("/talent-network/changes")(c)
		}, 200},
		// Client references are read from their batches, in one more call.
		{"listChanges", "with a client reference", keyCheckCalls + 8, func(c *countedSystem) testRequest {
			c.sendTestRequest(referencedSubmit(c))
			c.runWorkers()
			return getRequest("/talent-network/changes")(c)
		}, 200},
		{"getBatch", "", keyCheckCalls + 2, (*countedSystem).getBatchRequest, 200},
		{"getCandidate", "", keyCheckCalls + 2, func(c *countedSystem) testRequest {
			r := c.getPreferencesRequest()
			r.path = strings.TrimSuffix(r.path, "/preferences")
			return r
		}, 200},
		{"getPreferences", "", keyCheckCalls + 2, (*countedSystem).getPreferencesRequest, 200},
		{"lookupCandidates", "of 50", keyCheckCalls + 4, postFiftyReferences("lookup"), 200},
		{"lookupPreferences", "of 50", keyCheckCalls + 4, postFiftyReferences("preferences/lookup"), 200},
		{"putPreferences", "", keyCheckCalls + 3, putForCandidate("preferences", newPreferences()), 200},
		{"getFastTrack", "", keyCheckCalls + 2, putForCandidate("fast-track", nil), 200},
		{"putFastTrack", "", keyCheckCalls + 3, putForCandidate("fast-track", map[string]bool{"fastTrack": true}), 200},
		// A write for each membership and each unknown identity comes on top.
		{"offMarket", "of 50", keyCheckCalls + 3 + 50, postFiftyReferences("off-market"), 200},
		{"reEnable", "of 50", keyCheckCalls + 3 + 50, postFiftyReferences("re-enable"), 200},
		{"submitCandidate", "fresh", keyCheckCalls + 2, submitRequest(""), 200},
		{"submitCandidate", "with Idempotency-Key", keyCheckCalls + 4, submitRequest("fresh"), 200},
		{"submitCandidate", "deduplicated", keyCheckCalls + 5, afterFirst(submitRequest(""), submitRequest("deduplicated")), 200},
		// Two items lead from the person to the reference, because no in-flight item does.
		{"submitCandidate", "deduplicated, with a client reference", keyCheckCalls + 7, afterFirst(referencedSubmit, referencedSubmit), 200},
		{"submitCandidate", "with a client reference", keyCheckCalls + 2, referencedSubmit, 200},
		{"submitCandidate", "replayed", keyCheckCalls + 2, afterFirst(submitRequest("replayed"), submitRequest("replayed")), 200},
		{"submitCandidate", "continued after a crash", keyCheckCalls + 5, (*countedSystem).interruptedSubmit, 200},
		{"submitCandidate", "refused by the account", keyCheckCalls + 3, (*countedSystem).unknownMemberRequest, 400},
		// The queue is down: the item is ended and the key freed, and no answer is stored.
		{"submitCandidate", "refused by the queue", keyCheckCalls + 5, (*countedSystem).refusedEnqueueRequest, 500},
		{"uploadResume", "", keyCheckCalls + 2, uploadRequest, 200},
		{"uploadResume", "of the same bytes", keyCheckCalls + 1, afterFirst(uploadRequest, uploadRequest), 200},
	},
	"roles": {
		// The catalogue is warm: its first use in a process costs more. Only one list a second, of all
		// instances, reads the change log, in three queries between three calls for its digest.
		{"listRoles", "", keyCheckCalls + 3, getAsDemoOwner("/recruiter/roles"), 200},
		{"listRoles", "that reads the log", keyCheckCalls + 9, afterASecond(getAsDemoOwner("/recruiter/roles")), 200},
		{"listRoles", "with everything", keyCheckCalls + 3, getAsDemoOwner("/recruiter/roles?query=enginer&matchMyPreferences=true&minFeePercent=1"), 200},
		{"listRoles", "of one's own", keyCheckCalls + 3, getAsDemoOwner("/recruiter/roles?primaryOnly=true"), 200},
		{"getRole", "", keyCheckCalls + 4, getRoleAs("/recruiter/roles/", demo.MemberID), 200},
		// An owner's page has the agency's submissions besides.
		{"getRole", "an owner", keyCheckCalls + 5, getRoleAs("/recruiter/roles/", demo.OwnerID), 200},
		{"listActiveRoles", "", keyCheckCalls + 3, getAsDemoOwner("/recruiter/active-roles"), 200},
		{"getSavedPreferences", "", keyCheckCalls + 1, getAsDemoOwner("/recruiter/preferences"), 200},
		{"listAgencyRoles", "", keyCheckCalls + 3, getAsDemoAgency("/agency/roles"), 200},
		{"listAgencyRoles", "of a member", keyCheckCalls + 3, getAsDemoAgency("/agency/roles?recruiterEmail=" + url.QueryEscape(demo.MemberEmail)), 200},
		{"listAgencyRoles", "of a status", keyCheckCalls + 4, getAsDemoAgency("/agency/roles?status=PAUSED"), 200},
		{"searchAgencyRoles", "", keyCheckCalls + 3, getAsDemoAgency("/agency/roles/search?query=enginer"), 200},
		{"getAgencyRole", "", keyCheckCalls + 3, getRoleAs("/agency/roles/", ""), 200},
		// The catalogue is warm, as with the list of roles.
		{"listRecommendedRoles", "", keyCheckCalls + 5, (*countedSystem).requestRecommended, 200},
	},
	"a recruiter": {
		{"listCRMCandidates", "", keyCheckCalls + 1, getAsSeededRecruiter("/recruiter/candidates"), 200},
		{"listCRMCandidates", "with a query", keyCheckCalls + 2, getAsSeededRecruiter("/recruiter/candidates?query=ada&tags=go"), 200},
		{"getCRMCandidate", "", keyCheckCalls + 2, getAsSeededRecruiter("/recruiter/candidates/" + seededCandidate), 200},
		// What is not found is read consistently too.
		{"getCRMCandidate", "of nobody", keyCheckCalls + 2, getAsSeededRecruiter("/recruiter/candidates/nobody"), 404},
		{"listMatches", "", keyCheckCalls + 4, getAsSeededRecruiter("/recruiter/recommendations?status=all"), 200},
		{"listAutoMatches", "", keyCheckCalls + 4, getAsSeededRecruiter("/recruiter/auto-recommendations"), 200},
		{"listCalls", "", keyCheckCalls + 2, getAsSeededRecruiter("/recruiter/notetaker-calls"), 200},
		{"getCall", "", keyCheckCalls + 2, getAsSeededRecruiter("/recruiter/notetaker-calls/" + seededCall), 200},
	},
	"uploads": {
		{"submitBulk", "100 fresh", keyCheckCalls + 6, bulkSubmitRequest("fresh"), 200},
		{"submitBulk", "100 deduplicated", keyCheckCalls + 8, afterFirst(bulkSubmitRequest(""), bulkSubmitRequest("deduplicated")), 200},
		{"submitBulk", "100 replayed", keyCheckCalls + 3, afterFirst(bulkSubmitRequest("replayed"), bulkSubmitRequest("replayed")), 200},
	},
}

// countedSystem is a system that counts its AWS calls.
type countedSystem struct {
	*manualSystem
	calls  *cloudtest.Calls
	faults *faultInjector

	// rows counts the rows that began with new functions. The others are what they share.
	rows             int
	hasRoles, seeded bool
	uploads          []string // ids
}

// testRequest is a request to make.
type testRequest struct {
	method, path, key string
	body              []byte
	idempotencyKey    string
}

func (c *countedSystem) sendTestRequest(r testRequest) reply {
	var headers []string
	if r.idempotencyKey != "" {
		headers = []string{"Idempotency-Key", r.idempotencyKey}
	}
	return c.sendRequest(r.method, r.path, r.key, r.body, headers...)
}

func TestCallBudgets(t *testing.T) {
	t.Parallel()
	rows := map[string]bool{}
	for shared, group := range budgets {
		for _, row := range group {
			rows[row.operation] = true
		}
		if shared == "" {
			for _, row := range group {
				t.Run(row.String(), func(t *testing.T) {
					t.Parallel()
					newCountedSystem(t).checkBudget(row)
				})
			}
			continue
		}
		t.Run(shared, func(t *testing.T) {
			t.Parallel()
			c := newCountedSystem(t)
			for _, row := range group {
				t.Run(row.String(), func(t *testing.T) {
					c.restart(t)
					c.checkBudget(row)
				})
			}
		})
	}
	for _, route := range contract.Routes {
		if !rows[route.Operation] {
			t.Errorf("%s has no budget", route.Operation)
		}
	}
}

func (b budget) String() string { return strings.TrimSpace(b.operation + " " + b.variant) }

// restart opens the functions for another test, as a new process does. Keys and everything that they have read
// before are forgotten; what is stored stays.
func (c *countedSystem) restart(t *testing.T) {
	t.Helper()
	c.t = t
	c.rows++
	c.advanceClock(time.Minute)
	c.revokeKeys(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID})
	for _, recruiter := range []string{demo.OwnerID, demo.MemberID} {
		c.revokeKeys(keys.Request{Type: contract.PersonalKey, Principal: recruiter, Actor: recruiter})
	}
	c.open(c.calls.Hook, c.faults.Hook)
}

// checkBudget counts the calls of a row's request.
func (c *countedSystem) checkBudget(b budget) {
	c.t.Helper()
	request := b.prepare(c)
	c.calls.Reset()
	r := c.sendTestRequest(request)
	if r.status != b.status {
		c.t.Fatalf("got %d %s; want %d", r.status, r.body, b.status)
	}
	var database []string
	for _, name := range c.calls.Reset() {
		if operation, ok := strings.CutPrefix(name, "DynamoDB."); ok {
			database = append(database, operation)
		}
	}
	if len(database) > b.calls {
		c.t.Errorf("cost %d DynamoDB calls %v; the budget is %d", len(database), database, b.calls)
	}
	if b.status == http.StatusOK && b.calls >= keyCheckCalls {
		c.checkRevokedKeyWritesNothing(request)
	}
}

// checkRevokedKeyWritesNothing revokes the key of a request, which the functions have seen pass, and
// sends the request again. Reads may begin beside the check of the key; nothing else may.
func (c *countedSystem) checkRevokedKeyWritesNothing(request testRequest) {
	c.t.Helper()
	accounts := cloudtest.TableOf(c.t, c.Host, topology.Accounts)
	hash := apikey.Hash(request.key)
	must(c.t, apikey.Update(accounts, hash).Set(apikey.AttrRevokedAt, 1).Run(c.t.Context()))
	c.calls.Reset()
	r := c.sendTestRequest(request)
	made := c.calls.Reset()
	other := slices.DeleteFunc(slices.Clone(made), func(name string) bool {
		_, operation, _ := strings.Cut(name, ".")
		return isRead(operation)
	})
	if r.status != http.StatusUnauthorized || !slices.Equal(other, []string{"DynamoDB.UpdateItem"}) {
		c.t.Errorf("with a revoked key: got %d %s after %v; want a 401, and no other write than that of the check", r.status, r.body, made)
	}
	// Later, restart revokes it by its administration, which counts it as active until then.
	must(c.t, apikey.Update(accounts, hash).Remove(apikey.AttrRevokedAt).Run(c.t.Context()))
}

// isRead reports whether a call of this operation only reads.
func isRead(operation string) bool {
	return slices.Contains([]string{"GetItem", "BatchGetItem", "Query", "GetObject"}, operation)
}

// newCountedSystem opens the functions with the settings of a deployment.
func newCountedSystem(t *testing.T) *countedSystem {
	t.Helper()
	c := &countedSystem{calls: &cloudtest.Calls{}, faults: &faultInjector{}}
	c.manualSystem = newManualSystemWith(t, map[string]string{topology.SettingCatalogueAge: ""}, c.calls.Hook, c.faults.Hook)
	return c
}

// failNext makes the next matching attempt fail with an error that is not retried.
func (c *countedSystem) failNext(match func(cloud.Call) bool) {
	c.faults.injectAt(match, callFaults["fails before"])
}

func getRequest(path string) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest { return testRequest{"GET", path, c.newAgencyKey(), nil, ""} }
}

// getAsSeededRecruiter is get for a recruiter with a CRM, matches and calls.
func getAsSeededRecruiter(path string) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest {
		if !c.seeded {
			c.seedRecruiter(demo.OwnerID)
			c.seeded = true
		}
		return testRequest{"GET", path, c.newRecruiterKey(demo.OwnerID), nil, ""}
	}
}

func submitRequest(idempotencyKey string) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest {
		return testRequest{"POST", submitPath, c.newAgencyKey(), encodeBody(c.t, newSubmitRequest(c.t, priya, "")), idempotencyKey}
	}
}

func uploadRequest(c *countedSystem) testRequest {
	return testRequest{"POST", uploadPath, c.newAgencyKey(), []byte(`{"contentBase64": "QWRhIEV4YW1wbGU="}`), ""}
}

// bulkSubmitRequest submits 100 candidates with a resume each. Each row has other candidates.
func bulkSubmitRequest(idempotencyKey string) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest {
		var key string
		for i := len(c.uploads); i < 100; i++ {
			if i%50 == 0 {
				key = c.newAgencyKey() // a window holds 60 writes
			}
			upload := c.uploadResume(key, fmt.Sprint("Ada Example, senior software engineer ", i))
			c.uploads = append(c.uploads, upload.ResumeFileID)
		}
		items := newBulkItems(100*(c.rows+1), "")[100*c.rows:]
		for i := range items {
			items[i].Resume.ResumeFileID = c.uploads[i]
		}
		return testRequest{"POST", bulkPath, c.newAgencyKey(), encodeBody(c.t, newBulkRequest(items...)), idempotencyKey}
	}
}

// afterFirst sends the first request and returns the second, to be counted.
func afterFirst(first, second func(*countedSystem) testRequest) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest {
		if r := c.sendTestRequest(first(c)); r.status != 200 {
			c.t.Fatalf("got %d %s", r.status, r.body)
		}
		return second(c)
	}
}

func unknownKeyRequest(c *countedSystem) testRequest {
	other := newManualSystem(c.t) // the same format and checksum, another deployment's
	return testRequest{"GET", "/identity", other.newAgencyKey(), nil, ""}
}

func rateLimitedRequest(c *countedSystem) testRequest {
	r := getRequest("/identity")(c)
	for range contract.DefaultTier.Limit + 1 {
		c.sendTestRequest(r)
	}
	return r
}

func (c *countedSystem) getBatchRequest() testRequest {
	accepted, err := c.newAgencyClient().Submit(c.t.Context(), newSubmitRequest(c.t, priya, ""))
	must(c.t, err)
	return getRequest("/talent-network/batches/" + accepted.BatchID)(c)
}

func (c *countedSystem) getPreferencesRequest() testRequest {
	c.getBatchRequest()
	c.runWorkers()
	return getRequest("/talent-network/candidates/" + c.membershipIDs(priya.email)[0] + "/preferences")(c)
}

// referencedSubmit submits a candidate with a client reference.
func referencedSubmit(c *countedSystem) testRequest {
	in := newSubmitRequest(c.t, priya, "")
	in.ClientReferenceID = new("ats-1")
	return testRequest{"POST", submitPath, c.newAgencyKey(), encodeBody(c.t, in), ""}
}

// pollRequest is the poll of a reader who has read all changes.
func (c *countedSystem) pollRequest() testRequest {
	c.getPreferencesRequest()
	var read contract.ChangeList
	decodeReply(c.t, c.sendTestRequest(getRequest("/talent-network/changes")(c)), &read)
	return getRequest("/talent-network/changes?cursor=" + read.NextCursor)(c)
}

// putForCandidate sends a body to a route of the candidate, or asks it when there is none.
func putForCandidate(what string, body any) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest {
		path := strings.TrimSuffix(c.getPreferencesRequest().path, "preferences") + what
		if body == nil {
			return getRequest(path)(c)
		}
		return testRequest{"PUT", path, c.newAgencyKey(), encodeBody(c.t, body), ""}
	}
}

// postFiftyReferences posts 50 references: the candidate's, and unknown identities.
func postFiftyReferences(what string) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest {
		c.getPreferencesRequest()
		refs := []contract.CandidateReference{{Email: new(priya.email)}}
		for n := range 49 {
			refs = append(refs, contract.CandidateReference{LinkedInURL: new(fmt.Sprint("https://www.linkedin.com/in/nobody-", n))})
		}
		return testRequest{"POST", "/talent-network/candidates/" + what, c.newAgencyKey(), encodeBody(c.t, contract.MarketRequest{Candidates: refs}), ""}
	}
}

// interruptedSubmit is a submit whose first attempt failed when its batch was written
// already: its response could not be stored.
func (c *countedSystem) interruptedSubmit() testRequest {
	r := submitRequest("broken")(c)
	c.failNext(matchUpdateOf(c.Host.Getenv(topology.Submissions.Env)))
	if first := c.sendTestRequest(r); first.status != 500 {
		c.t.Fatalf("the first attempt: got %d %s; want 500", first.status, first.body)
	}
	return r
}

func (c *countedSystem) unknownMemberRequest() testRequest {
	in := newSubmitRequest(c.t, priya, "")
	in.RecruiterEmail = new(demo.PendingEmail)
	return testRequest{"POST", submitPath, c.newAgencyKey(), encodeBody(c.t, in), "refused"}
}

func (c *countedSystem) refusedEnqueueRequest() testRequest {
	c.failNext(matchNth("SendMessageBatch", 1))
	return submitRequest("queue")(c)
}

// getAsDemoOwner is a request of the demo's recruiter on a catalogue that is in use.
func getAsDemoOwner(path string) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest { s := c.newRoleSystem(); return s.warmRequest(path, s.personal) }
}

// afterASecond advances the clock by a second before the request.
func afterASecond(prepare func(*countedSystem) testRequest) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest {
		r := prepare(c)
		c.advanceClock(time.Second)
		return r
	}
}

// getAsDemoAgency is the same of the agency.
func getAsDemoAgency(path string) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest { s := c.newRoleSystem(); return s.warmRequest(path, s.key) }
}

// getRoleAs reads one role as a recruiter, or as the agency on behalf of a member.
func getRoleAs(path, recruiterID string) func(*countedSystem) testRequest {
	return func(c *countedSystem) testRequest {
		s := c.newRoleSystem()
		id := s.listRoles("").Roles[0].ID
		if recruiterID == "" {
			return s.warmRequest(path+id+"?recruiterEmail="+url.QueryEscape(demo.MemberEmail)+"&includeIntakeTranscripts=true", s.key)
		}
		return s.warmRequest(path+id, s.newRecruiterKey(recruiterID))
	}
}

// newRoleSystem creates keys for the demo's roles, which it loads into the system at first.
func (c *countedSystem) newRoleSystem() *roleSystem {
	c.t.Helper()
	s := &roleSystem{manualSystem: c.manualSystem}
	s.openFeed()
	if !c.hasRoles {
		s.loadDemoRoles(40)
		c.hasRoles = true
	}
	return s
}

// warmRequest sends the request once and returns it, to be counted the second time.
func (s *roleSystem) warmRequest(path, key string) testRequest {
	s.t.Helper()
	var out any
	s.getJSON(path, key, &out)
	return testRequest{"GET", path, key, nil, ""}
}
