package capacity_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// operation is a measured operation: prepare does what must come before it, and returns it.
type operation struct {
	name    string
	prepare func(s *scene) func()
}

// newGet returns a request whose second run is measured: the first one loads what a process keeps.
func newGet(name string, kind contract.KeyType, path string) operation {
	return operation{name, func(s *scene) func() {
		key := s.newKey(kind)
		s.sendRequest(key, "GET", path, "")
		return func() { s.sendRequest(key, "GET", path, "") }
	}}
}

// newKey creates a key of the recruiter, or of the agency.
func (s *scene) newKey(kind contract.KeyType) string {
	s.t.Helper()
	if kind == contract.PersonalKey {
		return s.createKey(kind, recruiterID, recruiterID)
	}
	return s.newAgencyKey()
}

// newAgencyKey creates a key of the agency for the member who owns the template of memberships.
func (s *scene) newAgencyKey() string {
	s.t.Helper()
	return s.createKey(contract.AgencyKey, agencyID, memberTag)
}

// newWrite returns a request whose body is made by body from a number that is new in every run.
func newWrite(name, method string, path string, body func(n int) string) operation {
	return operation{name, func(s *scene) func() {
		key := s.newAgencyKey()
		text := body(s.nextNumber())
		return func() { s.sendRequest(key, method, path, text) }
	}}
}

// newMembershipRequest returns a request to a path below that of a membership.
func newMembershipRequest(name, method, path, body string) operation {
	return operation{name, func(s *scene) func() {
		key := s.newAgencyKey()
		return func() { s.sendRequest(key, method, "/talent-network/candidates/"+s.membership+path, body) }
	}}
}

// newUpsert returns an event with the next version of a template or of one of its copies.
func newUpsert(kind, id string) operation {
	return operation{"feed " + kind, func(s *scene) func() {
		version := s.nextNumber()
		return func() { s.applyEvent(kind, id, version) }
	}}
}

// prepareStatement returns an event about a membership.
func prepareStatement(kind, data string) func(s *scene) func() {
	return func(s *scene) func() {
		s.Move(time.Second) // it is newer than all earlier statements
		body := s.newEvent(kind, s.membership, s.nextNumber(), data)
		return func() { s.deliverMessage(s.Feed, body) }
	}
}

// prepareErasure returns the erasure of a person whom the agency has submitted and the recruiter
// knows.
func prepareErasure(s *scene) func() {
	hashes := append(hashesOf(withTag(membershipTag, 9)), hashesOf(withTag(candidateTag, 9))...)
	body := s.newEvent("person.erased", "person-9", 1, encodeJSON(map[string]any{"identityHashes": hashes}))
	return func() { s.deliverMessage(s.Feed, body) }
}

// preparePublication returns the publication of the changes of a minute.
func preparePublication(s *scene) func() {
	s.Move(time.Minute)
	s.changeRoles(time.Minute, 12)
	return func() { s.must(s.Publish(s.t.Context())) }
}

// encodeReferences returns a body with n references to memberships.
func encodeReferences(n int) string {
	refs := make([]contract.CandidateReference, n)
	for i := range refs {
		refs[i].Email = new(personEmail(withTag(membershipTag, i)))
	}
	return encodeJSON(contract.LookupRequest{Candidates: refs})
}

func encodeJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func decodeJSON(text string, v any) error { return json.Unmarshal([]byte(text), v) }

// prepareBulk prepares a bulk submission of a hundred candidates with an uploaded resume each.
func prepareBulk(s *scene) func() {
	key := s.newAgencyKey()
	items := make([]map[string]any, 100)
	for i := range items {
		if i%50 == 0 {
			key = s.newAgencyKey() // a key may write 60 times a minute
		}
		var one map[string]any
		s.must(decodeJSON(newSubmission(s.nextNumber()), &one))
		uploaded := apitest.DecodeOK[contract.ResumeUpload](s.t, s.sendRequest(key, "POST", "/resumes", encodeJSON(one["resume"])))
		one["resume"] = map[string]any{"resumeFileId": uploaded.ResumeFileID}
		one["onMarketConfirmed"] = true
		items[i] = one
	}
	key = s.newAgencyKey()
	body := encodeJSON(map[string]any{"items": items})
	return func() {
		s.sendRequest(key, "POST", "/talent-network/candidates/submit-bulk", body, "Idempotency-Key", fmt.Sprint("bulk ", s.nextNumber()))
	}
}

// prepareIngestion prepares a submission and returns its ingestion, beside others that use the provider's breaker.
func prepareIngestion(s *scene) func() {
	s.useBreaker()
	s.takeWakeUps()
	s.sendRequest(s.newAgencyKey(), "POST", "/talent-network/candidates/submit", newSubmission(s.nextNumber()))
	return s.ingestWakeUps
}

// prepareBatch prepares a submission and returns a request for its batch.
func prepareBatch(s *scene) func() {
	key := s.newAgencyKey()
	s.takeWakeUps()
	accepted := apitest.DecodeOK[contract.SubmitResponse](s.t, s.sendRequest(key, "POST", "/talent-network/candidates/submit", newSubmission(s.nextNumber())))
	s.ingestWakeUps()
	return func() { s.sendRequest(key, "GET", "/talent-network/batches/"+accepted.BatchID, "") }
}

// prepareBatches prepares twenty submissions and returns a request for the list of batches.
func prepareBatches(s *scene) func() {
	key := s.newAgencyKey()
	s.takeWakeUps()
	for range 20 {
		s.sendRequest(key, "POST", "/talent-network/candidates/submit", newSubmission(s.nextNumber()))
	}
	s.ingestWakeUps()
	return func() { s.sendRequest(key, "GET", "/talent-network/batches?limit=20", "") }
}

// readChanges reads all changes, and returns the path of the next poll.
func (s *scene) readChanges() (path string) {
	s.t.Helper()
	key := s.newAgencyKey()
	more := true
	for path = "/talent-network/changes"; more; {
		page := apitest.DecodeOK[contract.ChangeList](s.t, s.sendRequest(key, "GET", path, ""))
		path = "/talent-network/changes?cursor=" + page.NextCursor
		more = page.HasMore
	}
	return path
}

// preparePoll prepares a poll of a reader who has read all changes.
func preparePoll(s *scene) func() {
	path := s.readChanges()
	key := s.newAgencyKey()
	return func() { s.sendRequest(key, "GET", path, "") }
}

// prepareChanges prepares a poll after fifty candidates were put back on the market.
func prepareChanges(s *scene) func() {
	s.Move(time.Second)
	s.sendRequest(s.newAgencyKey(), "POST", "/talent-network/candidates/off-market", encodeReferences(50))
	path := s.readChanges()
	s.Move(time.Second)
	s.sendRequest(s.newAgencyKey(), "POST", "/talent-network/candidates/re-enable", encodeReferences(50))
	key := s.newAgencyKey()
	return func() { s.sendRequest(key, "GET", path, "") }
}

// prepareIdleSweep prepares a sweep that finds nothing to do, because an earlier one has done
// everything.
func prepareIdleSweep(s *scene) func() {
	sweep := func() { s.must(s.Sweep(s.t.Context())) }
	sweep()
	return sweep
}

// operations are all measured operations, in this order: the first ones while no role changes and
// while one a second does, all others while twelve a second do.
var operations = []operation{
	newGet("listRoles while none changes", contract.PersonalKey, "/recruiter/roles"),
	{"listRoles at 1 change a second", prepareListAt(1)},
	{"listRoles", prepareListAt(12)},
	{"catalogue refresh", prepareRefresh}, {"catalogue digest", prepareDigest},

	newGet("health", contract.AgencyKey, "/health"),
	newGet("docs", contract.AgencyKey, "/docs"),
	newGet("docsPage", contract.AgencyKey, "/docs/network"),
	newGet("openapiJSON", contract.AgencyKey, "/docs/openapi.json"),
	newGet("openapiYAML", contract.AgencyKey, "/docs/openapi.yaml"),
	newGet("docsMarkdown", contract.AgencyKey, "/docs.md"),
	newGet("llms", contract.AgencyKey, "/llms.txt"),
	newGet("changeFeed", contract.AgencyKey, "/docs/changes.atom"),
	newGet("identity", contract.AgencyKey, "/identity"),
	newGet("listEnumerations", contract.AgencyKey, "/enumerations"),
	newGet("listMembers", contract.AgencyKey, "/agency/members"),

	newWrite("uploadResume", "POST", "/resumes", func(n int) string {
		return encodeJSON(map[string]any{"fileName": "r.txt", "contentBase64": []byte(repeatText(3000 + n%1000))})
	}),
	newWrite("submitCandidate", "POST", "/talent-network/candidates/submit", newSubmission),
	{"submitBulk", prepareBulk},
	{"getBatch", prepareBatch},
	{"ingest", prepareIngestion},
	{"listChanges", preparePoll}, {"listChanges of 50", prepareChanges},

	newGet("listCandidates", contract.AgencyKey, "/talent-network/candidates"),
	newGet("listCandidates by recruiterEmail", contract.AgencyKey, "/talent-network/candidates?recruiterEmail="+withTag(memberTag, busiestOwner)+"@example.com"),
	newGet("listCandidates by status", contract.AgencyKey, "/talent-network/candidates?status=on_market"),
	newWrite("lookupCandidates", "POST", "/talent-network/candidates/lookup", func(int) string { return encodeReferences(50) }),
	newMembershipRequest("getCandidate", "GET", "", ""),
	newMembershipRequest("getPreferences", "GET", "/preferences", ""),
	newWrite("lookupPreferences", "POST", "/talent-network/candidates/preferences/lookup", func(int) string { return encodeReferences(50) }),
	newMembershipRequest("putPreferences", "PUT", "/preferences", encodeJSON(preferences)),
	newMembershipRequest("getFastTrack", "GET", "/fast-track", ""),
	newMembershipRequest("putFastTrack", "PUT", "/fast-track", `{"fastTrack":true}`),
	newWrite("offMarket", "POST", "/talent-network/candidates/off-market", func(int) string { return encodeReferences(50) }),
	newWrite("reEnable", "POST", "/talent-network/candidates/re-enable", func(int) string { return encodeReferences(50) }),

	newGet("listAgencyRoles", contract.AgencyKey, "/agency/roles?recruiterEmail=ola@example.com"),
	newGet("searchAgencyRoles", contract.AgencyKey, "/agency/roles/search?query=enginer&recruiterEmail=ola@example.com"),
	newGet("getAgencyRole", contract.AgencyKey, "/agency/roles/role-"+roleTag+"?recruiterEmail=ola@example.com"),
	newGet("listRoles by query", contract.PersonalKey, "/recruiter/roles?query=enginer&matchMyPreferences=true"),
	newGet("getRole", contract.PersonalKey, "/recruiter/roles/role-"+roleTag),
	newGet("listActiveRoles", contract.PersonalKey, "/recruiter/active-roles"),
	newGet("getSavedPreferences", contract.PersonalKey, "/recruiter/preferences"),
	newGet("listCRMCandidates", contract.PersonalKey, "/recruiter/candidates"),
	newGet("listCRMCandidates by query", contract.PersonalKey, "/recruiter/candidates?query=pat"),
	newGet("getCRMCandidate", contract.PersonalKey, "/recruiter/candidates/cand-"+candidateTag),
	newGet("listRecommendedRoles", contract.PersonalKey, "/recruiter/candidates/cand-"+candidateTag+"/recommended-roles"),
	newGet("listMatches", contract.PersonalKey, "/recruiter/recommendations"),
	newGet("listAutoMatches", contract.PersonalKey, "/recruiter/auto-recommendations"),
	newGet("listCalls", contract.PersonalKey, "/recruiter/notetaker-calls"),
	newGet("getCall", contract.PersonalKey, "/recruiter/notetaker-calls/call-"+callTag),

	newUpsert("agency", agencyID), newUpsert("member", agencyID+"/"+memberTag), newUpsert("recruiter", recruiterID),
	newUpsert("company", "co-"+companyTag), newUpsert("role", "role-"+roleTag),
	newUpsert("roleAssignment", "role-"+roleTag+"/"+recruiterID), newUpsert("hiringManagerMetrics", "role-"+roleTag),
	newUpsert("rolePipeline", "role-"+roleTag), newUpsert("announcement", "ann-"+roleTag), newUpsert("intakeTranscript", "intake-"+roleTag),
	newUpsert("savedPreferences", recruiterID), newUpsert("crmCandidate", recruiterID+"/cand-"+candidateTag),
	newUpsert("application", "app-"+candidateTag), newUpsert("match", "match-"+matchTag), newUpsert("call", "call-"+callTag),
	{"feed membership.offMarketSet", prepareStatement("membership.offMarketSet", `{"offMarket":true}`)},
	{"feed membership.locked", prepareStatement("membership.locked", `{"locked":true}`)},
	{"feed person.erased", prepareErasure},
	{"listBatches", prepareBatches},
	{"publish", preparePublication},
	{"sweep", prepareIdleSweep},
}
