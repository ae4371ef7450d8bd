package capacity_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The ids of the entities that exist once.
const agencyID, recruiterID = "agy-large", "rec-large"

// The tags of the entities that exist many times. Each tag occurs in the ids, names and addresses
// of one template; in those of a copy, a number replaces its digits.
const (
	memberTag     = "b0000000"
	membershipTag = "m0000000"
	companyTag    = "k0000000"
	roleTag       = "r0000000"
	candidateTag  = "c0000000"
	matchTag      = "q0000000"
	callTag       = "l0000000"
)

// createTemplates creates one entity of every kind, as the marketplace's app and callers do.
func (s *scene) createTemplates() {
	s.t.Helper()
	for _, e := range entityEvents {
		s.applyEvent(e.kind, e.id, 1)
	}
	key := s.newAgencyKey()
	s.sendRequest(key, "POST", "/talent-network/candidates/submit", newSubmission(0))
	s.ingestWakeUps()
	page := apitest.DecodeOK[contract.CandidateList](s.t, s.sendRequest(key, "GET", "/talent-network/candidates", ""))
	s.membership = page.Candidates[0].CandidateUserID
}

// ingestWakeUps ingests the submissions that were accepted.
func (s *scene) ingestWakeUps() {
	s.t.Helper()
	for _, wakeUp := range s.takeWakeUps() {
		s.deliverMessage(s.Ingest, wakeUp)
	}
}

// newSubmission returns the body of a request that submits the nth person for one of the owners.
func newSubmission(n int) string {
	tag := withTag(membershipTag, n)
	resume := fmt.Sprintf(resumeForm, personName, personEmail(tag), personURL(tag), repeatText(3000))
	body, err := json.Marshal(map[string]any{
		"name": personName, "email": personEmail(tag), "linkedinUrl": personURL(tag),
		"recruiterEmail": withTag(memberTag, n%owners) + "@example.com", "preferences": preferences, "resume": map[string]any{"fileName": "r.txt", "contentBase64": []byte(resume)},
	})
	if err != nil {
		panic(err)
	}
	return string(body)
}

// personName is a name of the length that one in ten exceeds, as are the other texts and lists of the templates.
const personName = "Patricia Maria Exampleton"

// personEmail and personURL return the identities of a submitted person.
func personEmail(tag string) string { return "patricia.exampleton-" + tag + "@mail.example.com" }
func personURL(tag string) string   { return "https://www.linkedin.com/in/patricia-exampleton-" + tag }

// resumeForm is a resume with places for a name, an e-mail address, a LinkedIn URL and a text.
const resumeForm = `%s
%s
%s

Experience
Staff Software Engineer, Example Works International, 2019 - 2025
%s
Senior Software Engineer, Example Laboratories, 2015 - 2019
Software Engineer, Invented Instruments and Sons, 2012 - 2015
Junior Software Engineer, Imaginary Systems, 2010 - 2012

Education
Master of Science, Computer Science, University of Example, 2008 - 2010
Bachelor of Science, Mathematics, Example State University, 2005 - 2008

Skills
Go, Rust, Python, TypeScript, PostgreSQL, Kubernetes, Terraform, AWS, Docker, Kafka, Redis, GraphQL, React, Linux, Java, Spark, Airflow, gRPC
`

var preferences = map[string]any{
	"locations": []string{"europe", "uk", "new_york", "san_francisco"}, "workplaceTypes": []string{"REMOTE", "HYBRID"}, "salaryMin": 90_000, "ote": 150_000,
	"idealFundingRounds": []string{"SEED", "SERIES_A", "SERIES_B"}, "visaAuthorization": "HAS_VISA_AUTHORIZATION",
	"roleType": []string{"backend_engineer", "frontend_engineer"},
}

// repeatText returns text of the given number of bytes.
func repeatText(bytes int) string {
	const sentence = "Builds compilers and the teams around them, in Go, Rust and plain prose. "
	return strings.Repeat(sentence, bytes/len(sentence)+1)[:bytes]
}

// entityEvents has one event of every kind of the marketplace's entities, of typical size, in an
// order in which each refers to those before. repeatText(n) stands for text.
var entityEvents = []struct{ kind, id, data string }{
	{"agency", agencyID, `{"name":"Large Agency","apiAccess":true,"talentNetworkAccess":true,"talentNetworkManagement":true,"primaryOwner":"` + recruiterID + `"}`},
	{"member", agencyID + "/" + recruiterID, `{"name":"Ola Example","email":"ola@example.com","owner":true,"approved":true}`},
	{"member", agencyID + "/" + memberTag, `{"name":"Kim Example","email":"` + memberTag + `@example.com","owner":true,"approved":true,"fastTrack":true}`},
	{"recruiter", recruiterID, `{"name":"Ola Example","email":"ola@example.com","agencyId":"` + agencyID + `","canRecruit":true,"personalKeys":true,"recommendations":true}`},
	{"company", "co-" + companyTag, `{"name":"Example Works","industries":["ai"],"size":40}`},
	{"role", "role-" + roleTag, `{"title":"Senior Software Engineer ` + roleTag + `","companyId":"co-` + companyTag + `","status":"ACTIVE","visibility":"PUBLIC","postedAt":"2026-03-01T00:00:00Z","updatedAt":"2026-03-01T00:00:00Z","browseUrl":"https://app.example.com/1","locations":["Berlin","London","New York","San Francisco"],"locationKeys":["europe","uk","new_york","san_francisco"],"workplaceType":"REMOTE","roleTypes":["backend_engineer"],"techStack":["Go","Rust","AWS","PostgreSQL","Kubernetes","Terraform","Kafka","Redis","GraphQL","React","TypeScript","Docker"],"salary":{"min":120000,"max":180000,"currency":"EUR"},"fee":{"percentOfSalary":20},"description":"` + repeatText(8000) + `","requirements":[` + strings.TrimSuffix(strings.Repeat(`{"description":"`+repeatText(300)+`","type":"REQUIRED"},`, 10), ",") + `]}`},
	{"roleAssignment", "role-" + roleTag + "/" + recruiterID, `{"roleId":"role-` + roleTag + `","recruiterId":"` + recruiterID + `","approvalStatus":"APPROVED","accessLevel":"FULL"}`},
	{"hiringManagerMetrics", "role-" + roleTag, `{"lastActiveAt":"2026-03-01T00:00:00Z","reviewDays":2.5}`},
	{"rolePipeline", "role-" + roleTag, `{"totalApplications":7,"stageCounts":[{"stage":"Submitted","count":7}]}`},
	{"announcement", "ann-" + roleTag, `{"roleId":"role-` + roleTag + `","message":"` + repeatText(1000) + `","createdAt":"2026-03-02T00:00:00Z","recipients":{"all":true}}`},
	{"intakeTranscript", "intake-" + roleTag, `{"roleId":"role-` + roleTag + `","updatedAt":"2026-03-02T00:00:00Z","text":"` + repeatText(20_000) + `","readers":{"all":true}}`},
	{"savedPreferences", recruiterID, `{"roleTypes":["backend_engineer"],"minSalary":100000}`},
	{"crmCandidate", recruiterID + "/cand-" + candidateTag, `{"recruiterId":"` + recruiterID + `","candidateId":"cand-` + candidateTag + `","name":"` + personName + ` ` + candidateTag + `","email":"` + candidateTag + `@example.com","linkedinUrl":"https://www.linkedin.com/in/` + candidateTag + `","relationshipStatus":"SOURCED","addedAt":"2026-03-01T00:00:00Z","oneLiner":"Builds compilers, and the teams and tools around them, at Example Works since 2019","tags":["go","rust","payments","infrastructure","berlin"],"experiences":[{"title":"Staff Engineer","company":"Example Works","description":"` + repeatText(4000) + `"},{"title":"Engineer","company":"Example Labs","description":"` + repeatText(4000) + `"}],"note":"` + repeatText(1000) + `"}`},
	{"application", "app-" + candidateTag, `{"roleId":"role-` + roleTag + `","recruiterId":"` + recruiterID + `","agencyId":"` + agencyID + `","candidateId":"cand-` + candidateTag + `","candidateName":"` + personName + `","candidateEmail":"` + candidateTag + `@example.com","status":"IN_REVIEW","submittedAt":"2026-03-03T00:00:00Z"}`},
	{"match", "match-" + matchTag, `{"recruiterId":"` + recruiterID + `","roleId":"role-` + roleTag + `","status":"pending","sentAt":"2026-03-09T00:00:00Z","hiringManagerNote":"` + repeatText(1500) + `","candidate":{"candidateId":"cand-` + candidateTag + `","name":"` + personName + `","email":"` + candidateTag + `@example.com"}}`},
	{"call", "call-" + callTag, `{"recruiterId":"` + recruiterID + `","title":"Screening","scheduledAt":"2026-03-03T00:00:00Z","url":"https://app.example.com/calls/1","updatedAt":"2026-03-03T00:00:00Z","summary":"` + repeatText(2000) + `","participants":[{"email":"` + callTag + `@example.com"},{"email":"notes@example.com"}],"roleId":"role-` + roleTag + `","transcript":{"segments":[{"text":"` + repeatText(20_000) + `","speaker":"A"}]}}`},
}

// applyEvent lets the feed apply the event of a template, or of a copy of it.
func (s *scene) applyEvent(kind, id string, version int) {
	s.t.Helper()
	for _, e := range entityEvents {
		if e.kind != kind || withoutDigits(e.id) != withoutDigits(id) {
			continue
		}
		data := e.data
		for tag, own := range tagsOf(e.id, id) {
			data = strings.ReplaceAll(data, tag, own)
		}
		s.deliverMessage(s.Feed, s.newEvent(kind+".upserted", id, version, data))
		return
	}
	s.t.Fatalf("there is no event of %s %s", kind, id)
}

// newEvent returns an event as the feed receives it.
func (s *scene) newEvent(kind, id string, version int, data string) string {
	return fmt.Sprintf(`{"id":%q,"type":%q,"entityId":%q,"version":%d,"occurredAt":%q,"data":%s}`, uuid.NewString(), kind, id, version, contract.At(s.Now()), data)
}
