package capacity_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/local/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// operation is one that is measured: prepare does what comes before it and returns it.
type operation struct {
	name    string
	prepare func(s *scene) func()
}

// get is a request that is measured the second time: the first one loads what a process keeps.
func get(name string, kind contract.KeyType, path string) operation {
	return operation{name, func(s *scene) func() {
		key := s.newKey(kind)
		s.send(key, "GET", path, "")
		return func() { s.send(key, "GET", path, "") }
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

// newAgencyKey creates a key of the agency, of the member who owns its template of memberships.
func (s *scene) newAgencyKey() string {
	s.t.Helper()
	return s.createKey(contract.AgencyKey, agencyID, memberTag)
}

// write is a request with a body, which body makes of a number that is new in every run.
func write(name, method string, path string, body func(n int) string) operation {
	return operation{name, func(s *scene) func() {
		key, text := s.newAgencyKey(), body(s.nextNumber())
		return func() { s.send(key, method, path, text) }
	}}
}

// ofMembership is a request to a path below a membership's.
func ofMembership(name, method, path, body string) operation {
	return operation{name, func(s *scene) func() {
		key := s.newAgencyKey()
		return func() { s.send(key, method, "/talent-network/candidates/"+s.membership+path, body) }
	}}
}

// event is an event of a template, or of its copy n, in its next version.
func event(kind, id string) operation {
	return operation{"feed " + kind, func(s *scene) func() {
		version := s.nextNumber()
		return func() { s.applyEvent(kind, id, version) }
	}}
}

// statement is an event about a membership.
func statement(kind, data string) func(s *scene) func() {
	return func(s *scene) func() {
		s.Move(time.Second) // it is newer than all that was stated
		body := s.newEvent(kind, s.membership, s.nextNumber(), data)
		return func() { s.deliver(s.Feed, body) }
	}
}

// erasure is the event that a person is erased, whom the agency has submitted and the recruiter knows.
func erasure(s *scene) func() {
	hashes := append(hashesOf(withTag(membershipTag, 9)), hashesOf(withTag(candidateTag, 9))...)
	body := s.newEvent("person.erased", "person-9", 1, encodeJSON(map[string]any{"identityHashes": hashes}))
	return func() { s.deliver(s.Feed, body) }
}

// publication is that of what has changed in a minute.
func publication(s *scene) func() {
	s.Move(time.Minute)
	s.changeRoles(time.Minute, 12)
	return func() { s.must(s.Publish(s.t.Context())) }
}

// references returns a body with n references to memberships.
func references(n int) string {
	refs := make([]contract.CandidateReference, n)
	for i := range refs {
		refs[i].Email = new("p-" + withTag(membershipTag, i) + "@example.com")
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

// bulk prepares a bulk submission of a hundred candidates with an uploaded resume each.
func bulk(s *scene) func() {
	key, items := s.newAgencyKey(), make([]map[string]any, 100)
	for i := range items {
		if i%50 == 0 {
			key = s.newAgencyKey() // a key may write 60 times a minute
		}
		var one map[string]any
		s.must(decodeJSON(submission(s.nextNumber()), &one))
		uploaded := apitest.DecodeOK[contract.ResumeUpload](s.t, s.send(key, "POST", "/resumes", encodeJSON(one["resume"])))
		one["resume"], one["onMarketConfirmed"] = map[string]any{"resumeFileId": uploaded.ResumeFileID}, true
		items[i] = one
	}
	key = s.newAgencyKey()
	body := encodeJSON(map[string]any{"items": items})
	return func() {
		s.send(key, "POST", "/talent-network/candidates/submit-bulk", body, "Idempotency-Key", fmt.Sprint("bulk ", s.nextNumber()))
	}
}

// ingestion prepares a submission and returns its ingestion.
func ingestion(s *scene) func() {
	s.takeHints()
	s.send(s.newAgencyKey(), "POST", "/talent-network/candidates/submit", submission(s.nextNumber()))
	return s.ingest
}

// batch prepares a submission and returns a request for its batch.
func batch(s *scene) func() {
	key := s.newAgencyKey()
	s.takeHints()
	accepted := apitest.DecodeOK[contract.SubmitResponse](s.t, s.send(key, "POST", "/talent-network/candidates/submit", submission(s.nextNumber())))
	s.ingest()
	return func() { s.send(key, "GET", "/talent-network/batches/"+accepted.BatchID, "") }
}

// idleSweep prepares a sweep that finds nothing to do, after one that found everything.
func idleSweep(s *scene) func() {
	sweep := func() { s.must(s.Sweep(s.t.Context())) }
	sweep()
	return sweep
}

// operations are all that are measured, in this order: the first ones while no role changes, and
// while one a second does, all others while twelve a second do.
var operations = []operation{
	get("listRoles while none changes", contract.PersonalKey, "/recruiter/roles"),
	{"listRoles at 1 change a second", listRolesAt(1)},
	{"listRoles", listRolesAt(12)},
	{"catalogue refresh", refreshment},

	get("health", contract.AgencyKey, "/health"),
	get("docs", contract.AgencyKey, "/docs"),
	get("openapiJSON", contract.AgencyKey, "/docs/openapi.json"),
	get("openapiYAML", contract.AgencyKey, "/docs/openapi.yaml"),
	get("identity", contract.AgencyKey, "/identity"),

	write("uploadResume", "POST", "/resumes", func(n int) string {
		return encodeJSON(map[string]any{"fileName": "r.txt", "contentBase64": []byte(prose(3000 + n%1000))})
	}),
	write("submitCandidate", "POST", "/talent-network/candidates/submit", submission),
	{"submitBulk", bulk},
	{"getBatch", batch},
	{"ingest", ingestion},

	get("listCandidates", contract.AgencyKey, "/talent-network/candidates"),
	get("listCandidates by recruiterEmail", contract.AgencyKey, "/talent-network/candidates?recruiterEmail="+withTag(memberTag, busiestOwner)+"@example.com"),
	get("listCandidates by status", contract.AgencyKey, "/talent-network/candidates?status=on_market"),
	write("lookupCandidates", "POST", "/talent-network/candidates/lookup", func(int) string { return references(50) }),
	ofMembership("getPreferences", "GET", "/preferences", ""),
	write("lookupPreferences", "POST", "/talent-network/candidates/preferences/lookup", func(int) string { return references(50) }),
	ofMembership("putPreferences", "PUT", "/preferences", encodeJSON(preferences)),
	ofMembership("getFastTrack", "GET", "/fast-track", ""),
	ofMembership("putFastTrack", "PUT", "/fast-track", `{"fastTrack":true}`),
	write("offMarket", "POST", "/talent-network/candidates/off-market", func(int) string { return references(50) }),
	write("reEnable", "POST", "/talent-network/candidates/re-enable", func(int) string { return references(50) }),

	get("listAgencyRoles", contract.AgencyKey, "/agency/roles?recruiterEmail=ola@example.com"),
	get("searchAgencyRoles", contract.AgencyKey, "/agency/roles/search?query=enginer&recruiterEmail=ola@example.com"),
	get("getAgencyRole", contract.AgencyKey, "/agency/roles/role-"+roleTag+"?recruiterEmail=ola@example.com"),
	get("listRoles by query", contract.PersonalKey, "/recruiter/roles?query=enginer&matchMyPreferences=true"),
	get("getRole", contract.PersonalKey, "/recruiter/roles/role-"+roleTag),
	get("listActiveRoles", contract.PersonalKey, "/recruiter/active-roles"),
	get("getSavedPreferences", contract.PersonalKey, "/recruiter/preferences"),
	get("listCRMCandidates", contract.PersonalKey, "/recruiter/candidates"),
	get("listCRMCandidates by query", contract.PersonalKey, "/recruiter/candidates?query=pat"),
	get("getCRMCandidate", contract.PersonalKey, "/recruiter/candidates/cand-"+candidateTag),
	get("listRecommendedRoles", contract.PersonalKey, "/recruiter/candidates/cand-"+candidateTag+"/recommended-roles"),
	get("listMatches", contract.PersonalKey, "/recruiter/recommendations"),
	get("listAutoMatches", contract.PersonalKey, "/recruiter/auto-recommendations"),
	get("listCalls", contract.PersonalKey, "/recruiter/notetaker-calls"),
	get("getCall", contract.PersonalKey, "/recruiter/notetaker-calls/call-"+callTag),

	event("agency", agencyID), event("member", agencyID+"/"+memberTag), event("recruiter", recruiterID),
	event("company", "co-"+companyTag), event("role", "role-"+roleTag),
	event("roleAssignment", "role-"+roleTag+"/"+recruiterID), event("hiringManagerMetrics", "role-"+roleTag),
	event("rolePipeline", "role-"+roleTag), event("announcement", "ann-"+roleTag), event("intakeTranscript", "intake-"+roleTag),
	event("savedPreferences", recruiterID), event("crmCandidate", recruiterID+"/cand-"+candidateTag),
	event("application", "app-"+candidateTag), event("match", "match-"+matchTag), event("call", "call-"+callTag),
	{"feed membership.offMarketSet", statement("membership.offMarketSet", `{"offMarket":true}`)},
	{"feed membership.locked", statement("membership.locked", `{"locked":true}`)},
	{"feed person.erased", erasure},
	{"publish", publication},
	{"sweep", idleSweep},
}
