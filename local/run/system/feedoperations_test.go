package system_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// eventContents holds an id and the content of an entity of each kind of the marketplace's app;
// @ stands for the case's tag and NOW for the time. Each entity refers only to those before it.
var eventContents = []struct{ kind, id, data string }{
	{"agency", "agy-@", `{"name":"Example Agency","apiAccess":true,"talentNetworkAccess":true,"talentNetworkManagement":true,"primaryOwner":"rec-@"}`},
	{"member", "agy-@/rec-@", `{"name":"Ola Example","email":"ola-@@example.com","owner":true,"approved":true}`},
	{"recruiter", "rec-@", `{"name":"Ola Example","email":"ola-@@example.com","agencyId":"agy-@","canRecruit":true,"personalKeys":true}`},
	{"company", "co-@", `{"name":"Example Works @","industries":["ai"],"size":40}`},
	{"role", "role-@", `{"title":"Engineer @","companyId":"co-@","status":"ACTIVE","visibility":"PUBLIC","updatedAt":"2026-01-01T00:00:00Z","browseUrl":"https://app.example.com/1","description":"We build.","requirements":[{"description":"Go","type":"REQUIRED"}]}`},
	{"roleAssignment", "role-@/rec-@", `{"roleId":"role-@","recruiterId":"rec-@","approvalStatus":"APPROVED","accessLevel":"FULL"}`},
	{"hiringManagerMetrics", "role-@", `{"lastActiveAt":"2026-01-01T00:00:00Z","reviewDays":2.5}`},
	{"rolePipeline", "role-@", `{"totalApplications":7,"stageCounts":[{"stage":"Submitted","count":7}]}`},
	{"announcement", "ann-@", `{"roleId":"role-@","message":"News.","createdAt":"2026-01-02T00:00:00Z","recipients":{"all":true}}`},
	{"intakeTranscript", "intake-@", `{"roleId":"role-@","updatedAt":"2026-01-02T00:00:00Z","text":"We look for…","readers":{"all":true}}`},
	{"savedPreferences", "rec-@", `{"roleTypes":["backend_engineer"],"minSalary":100000}`},
	{"crmCandidate", "rec-@/cand-@", `{"recruiterId":"rec-@","candidateId":"cand-@","name":"Priya Raman","email":"priya-@-0@example.com","linkedinUrl":"https://www.linkedin.com/in/priya-@-0","relationshipStatus":"SOURCED","addedAt":"2026-01-01T00:00:00Z"}`},
	{"application", "app-@", `{"roleId":"role-@","recruiterId":"rec-@","agencyId":"agy-@","candidateId":"cand-@","candidateName":"Priya Raman","candidateEmail":"priya-@-0@example.com","status":"IN_REVIEW","submittedAt":"2026-01-03T00:00:00Z"}`},
	{"match", "match-@", `{"recruiterId":"rec-@","roleId":"role-@","status":"pending","sentAt":"NOW","candidate":{"candidateId":"cand-@","name":"Priya Raman","email":"priya-@-0@example.com"}}`},
	{"call", "call-@", `{"recruiterId":"rec-@","title":"Screening","scheduledAt":"2026-01-03T00:00:00Z","url":"https://app.example.com/calls/1","updatedAt":"2026-01-03T00:00:00Z","participants":[{"email":"priya-@-0@example.com"}],"transcript":{"segments":[{"text":"Hello","speaker":"A"}]}}`},
}

// referredTo lists the kinds whose facts are copied into other entities. A case stores these first.
var referredTo = []string{"company", "role", "crmCandidate"}

// withText lists the kinds whose text is stored in a bucket.
var withText = []string{"intakeTranscript", "call"}

// newKindEvent returns the event that stores the entity of a kind.
func (c *faultCase) newKindEvent(kind string, version int) string {
	for _, e := range eventContents {
		if e.kind == kind {
			return c.newEventJSON(kind+".upserted", c.fillTag(e.id), version, `"data":`+c.fillTag(e.data))
		}
	}
	c.t.Fatalf("there is no event of %s", kind)
	return ""
}

// fillTag replaces each @ with the case's tag, except in @example.com, and NOW with the time.
func (c *faultCase) fillTag(text string) string {
	address := "@example.com"
	return strings.NewReplacer("@"+address, c.tag+address, address, address, "@", c.tag, "NOW", contract.At(c.now()).String()).Replace(text)
}

// newEventStart returns the start of an operation that delivers an event of eventContents[i]. The
// entities to which the event refers are stored first. If the event has the second version of its
// entity, the first version is stored too, and so are the entities into which its facts are copied.
func newEventStart(i, version int, deleted bool) func(c *faultCase) func() error {
	e := eventContents[i]
	return func(c *faultCase) func() error {
		for j, other := range eventContents {
			if j < i && slices.Contains(referredTo, other.kind) || version > 1 && (j == i || slices.Contains(referredTo, e.kind)) {
				c.mustApply(c.newKindEvent(other.kind, 1))
			}
		}
		body := c.newKindEvent(e.kind, version)
		if deleted {
			body = c.newEventJSON(e.kind+".deleted", c.fillTag(e.id), version, "")
		}
		c.disposes = slices.Contains(withText, e.kind)
		return func() error { return c.deliverTo(c.Feed, body) }
	}
}

// feedOperations returns an operation for each event that creates, changes or deletes an entity,
// and one for each command.
func feedOperations() (all []operation) {
	for i, e := range eventContents {
		all = append(all,
			operation{"feed: " + e.kind, newEventStart(i, 1, false)},
			operation{"feed: " + e.kind + " again", newEventStart(i, 2, false)},
			operation{"feed: " + e.kind + " deleted", newEventStart(i, 2, true)},
		)
	}
	all = append(all, operation{"feed: a member by a role submission", func(c *faultCase) func() error {
		body := c.newEventJSON("membership.addedByRoleSubmission", "cu_"+c.tag, 1, c.newMemberData())
		return func() error { return c.deliverTo(c.Feed, body) }
	}})
	for _, command := range []struct {
		kind string
		data any
	}{
		{"preferencesSet", map[string]any{"preferences": newPreferences()}},
		{"offMarketSet", map[string]bool{"offMarket": true}},
		{"locked", map[string]bool{"locked": true}},
	} {
		all = append(all, operation{"feed: membership." + command.kind, func(c *faultCase) func() error {
			body := c.newEventJSON("membership."+command.kind, c.addMember(), 1, `"data":`+string(encodeBody(c.t, command.data)))
			return func() error { return c.deliverTo(c.Feed, body) }
		}})
	}
	return append(all, operation{"feed: no event", func(c *faultCase) func() error {
		body := fmt.Sprintf(`{"id":"no event %s"}`, c.tag)
		c.refuses = true
		return func() error { return c.deliverTo(c.Feed, body) }
	}})
}
