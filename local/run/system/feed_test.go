package system_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// newEventJSON is a marketplace event as JSON.
func (sys *testSystem) newEventJSON(kind, entityID string, version int, data string) string {
	e := fmt.Sprintf(`{"id":%q,"type":%q,"entityId":%q,"version":%d,"occurredAt":%q`, uuid.NewString(), kind, entityID, version, contract.At(sys.now()))
	if data != "" {
		e += `,` + data
	}
	return e + "}"
}

// sendEvents puts messages on the feed's queue.
func (sys *testSystem) sendEvents(bodies ...string) {
	sys.t.Helper()
	queue := messaging.Open(sys.Host.Opener(), topology.FeedQueue)
	for _, body := range bodies {
		for _, err := range queue.Send(sys.t.Context(), []cloud.Message{{Body: body}}) {
			must(sys.t, err)
		}
	}
}

// nextDeadLetterReason waits for the next dead letter of the feed and returns its reason.
func (sys *testSystem) nextDeadLetterReason() string {
	sys.t.Helper()
	url := sys.Environment[topology.FeedQueue.DeadEnv]
	for sys.t.Context().Err() == nil {
		got, err := sqs.NewFromConfig(sys.Host.AWS).ReceiveMessage(sys.t.Context(), &sqs.ReceiveMessageInput{
			QueueUrl: &url, WaitTimeSeconds: 1, MessageAttributeNames: []string{"All"},
		})
		must(sys.t, err)
		for _, m := range got.Messages {
			return aws.ToString(m.MessageAttributes[messaging.ReasonAttribute].StringValue)
		}
	}
	return ""
}

// waitUntil waits for a condition.
func (sys *testSystem) waitUntil(what string, holds func() bool) {
	sys.t.Helper()
	// An event that comes back is hidden for longer than a function may take.
	for end := time.Now().Add(3 * time.Minute); !holds(); {
		if time.Now().After(end) {
			sys.t.Fatalf("waited in vain: %s", what)
		}
		select {
		case <-sys.t.Context().Done():
			return
		case <-time.After(250 * time.Millisecond):
		}
	}
}

// TestFeed sends events of many kinds through the queue: a new recruiter can have
// a key, switching the agency off stops its keys, an erased person is removed
// from the network, and a malformed event becomes a dead letter with a reason.
func TestFeed(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	c := sys.newLiveClient()
	member := submitAndWait(t, c, newSubmitRequest(t, priya, "")).CandidateUserID
	bucket := objectstore.Open(sys.Host.Opener(), topology.MarketplaceBucket)
	must(t, bucket.Put(t.Context(), "feed/company.json", "application/json", []byte(`{"name":"Example Works","industries":["ai"]}`)))
	transcript := `"data":{"roleId":"role1","updatedAt":"2026-01-01T00:00:00Z","text":"We look for…","readers":{"all":true}}`
	candidate := `"data":{"recruiterId":"rec1","candidateId":"cand1","name":"Priya Raman","email":"priya.raman@example.com","relationshipStatus":"SOURCED","addedAt":"2026-01-01T00:00:00Z"}`
	sys.sendEvents(
		sys.newEventJSON("company.upserted", "co1", 1, `"dataRef":"feed/company.json"`),
		sys.newEventJSON("role.upserted", "role1", 1, `"data":{"title":"Engineer","companyId":"co1","status":"ACTIVE","visibility":"PUBLIC","updatedAt":"2026-01-01T00:00:00Z","browseUrl":"https://app.example.com/1"}`),
		sys.newEventJSON("intakeTranscript.upserted", "t1", 1, transcript),
		sys.newEventJSON("intakeTranscript.deleted", "t1", 2, ""),
		sys.newEventJSON("crmCandidate.upserted", "rec1/cand1", 1, candidate),
		sys.newEventJSON("membership.addedByRoleSubmission", "cu_app", 1, `"data":{"agencyId":"`+demo.AgencyID+`","recruiterId":"`+demo.OwnerID+`","name":"Noor Haddad","email":"noor.haddad@example.com","linkedinUrl":"https://www.linkedin.com/in/noor-haddad-demo"}`),
		sys.newEventJSON("membership.locked", member, 1, `"data":{"locked":true}`),
		"no event",
	)
	if reason := sys.nextDeadLetterReason(); !strings.Contains(reason, "is not valid JSON") {
		t.Errorf("reason %q", reason)
	}
	sys.waitUntil("the candidate is locked", func() bool {
		f, err := c.FastTrack(t.Context(), member)
		return err == nil && f.OffMarket
	})

	sys.waitUntil("the submitted candidate is a member", func() bool {
		p, err := c.Preferences(t.Context(), "cu_app")
		return err == nil && p.Preferences == nil
	})

	hashes, err := json.Marshal([]string{identity.Hash(priya.email), identity.Hash("https://www.linkedin.com/in/" + priya.slug)})
	must(t, err)
	sys.sendEvents(sys.newEventJSON("person.erased", "person1", 1, `"data":{"identityHashes":`+string(hashes)+`}`))
	sys.waitUntil("the candidate is gone", func() bool {
		_, err := c.Preferences(t.Context(), member)
		return err != nil
	})

	agency := `"data":{"name":"Northlight Talent","apiAccess":%v,"talentNetworkAccess":true,"talentNetworkManagement":true,"primaryOwner":"` + demo.OwnerID + `"}`
	sys.sendEvents(sys.newEventJSON("agency.upserted", demo.AgencyID, 100, fmt.Sprintf(agency, false)))
	sys.waitUntil("the key is refused", func() bool { _, err := c.Identity(t.Context()); return err != nil })
	sys.sendEvents(sys.newEventJSON("agency.upserted", demo.AgencyID, 101, fmt.Sprintf(agency, true)))
	sys.waitUntil("the key works again", func() bool { _, err := c.Identity(t.Context()); return err == nil })
	sys.checkItemKinds()
}
