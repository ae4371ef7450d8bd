package feed_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// valid is an event that applies.
func valid() string {
	return event("savedPreferences.upserted", "rec1", 1, object{"locations": []string{"uk"}})
}

// with changes one member of a valid event.
func with(name string, value any) string {
	var e object
	if err := json.Unmarshal([]byte(valid()), &e); err != nil {
		panic(err)
	}
	e[name] = value
	if value == nil {
		delete(e, name)
	}
	body, _ := json.Marshal(e)
	return string(body)
}

// invalid are events that can never be applied, and what their reasons begin with.
var invalid = []struct{ name, body, reason string }{
	{"empty", " ", "The body is not valid JSON"},
	{"no JSON", "role.upserted", "The body is not valid JSON"},
	{"no object", "[1]", "The body is not valid JSON"},
	{"cut off", valid()[:40], "The body is not valid JSON"},
	{"two keys", `{"id":1,"id":2}`, "The body is not valid JSON"},
	{"deep", `{"data":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "The body is not valid JSON"},
	{"no id", with("id", nil), "id: is required."},
	{"bad id", with("id", "17"), `id: "17" is not a UUID`},
	{"unknown type", with("type", "role.renamed"), "type: is unknown; the published schemas list all event types."},
	{"no version", with("version", nil), "version: is required."},
	{"version 0", with("version", 0), "version: must be at least 1."},
	{"version 1.5", with("version", 1.5), "version: 1.5 is not a whole number"},
	{"version too large", with("version", 1<<60), "version: must be at most"},
	{"no time", with("occurredAt", nil), "occurredAt: is required."},
	{"bad time", with("occurredAt", "yesterday"), `occurredAt: "yesterday" is not a timestamp`},
	{"a time too far ahead", with("occurredAt", now.Add(5*time.Minute+time.Second)), "occurredAt: is more than 5m0s ahead of the receipt."},
	{"the last time of all", with("occurredAt", "9999-12-31T23:59:59Z"), "occurredAt: is more than 5m0s ahead of the receipt."},
	{"a time before the marketplace", with("occurredAt", "2014-12-31T23:59:59.999Z"), "occurredAt: is before 2015."},
	{"the first time of all", with("occurredAt", "0001-01-01T00:00:00Z"), "occurredAt: is before 2015."},
	{"an erasure for ever", eventAt("person.erased", "p1", 1, now.AddDate(0, 0, 1), object{"identityHashes": []string{strings.Repeat("0", 64)}}), "occurredAt: is more than"},
	{"no entity", with("entityId", ""), "entityId: must not be empty."},
	{"a pair for one", with("entityId", "a/b"), "entityId: savedPreferences.upserted wants 1"},
	{"a bad entity", with("entityId", "a#b"), "entityId: must be made of ids"},
	{"one for a pair", event("crmCandidate.deleted", "rec1", 1, nil), "entityId: crmCandidate.deleted wants 2"},
	{"no data", with("data", nil), "data: is required"},
	{"data no object", with("data", 7), "data: must be an object"},
	{"a display name", with("data", object{"locations": []string{"San Francisco"}}), `data.locations[0]: "San Francisco" is not a location; did you mean "san_francisco"?`},
	{"another's data", event("roleAssignment.upserted", "r1/rec1", 1, object{"roleId": "r2", "recruiterId": "rec1"}), "data.roleId: must be the id in entityId."},
	{"another's data and recruiter", event("roleAssignment.upserted", "r1/rec1", 1, object{"roleId": "r2", "recruiterId": "rec2"}), "data.roleId: must be the id in entityId. data.recruiterId: must be the id in entityId."},
	{"another's candidate and recruiter", event("crmCandidate.upserted", "rec1/c1", 1, object{
		"recruiterId": "rec2", "candidateId": "c2", "name": "Ada Example", "relationshipStatus": "ACTIVE", "addedAt": "2026-01-01T00:00:00Z",
	}), "data.recruiterId: must be the id in entityId. data.candidateId: must be the id in entityId."},
	{"a foreign ref", with("dataRef", "transcripts/calls/x"), "dataRef: must begin with feed/."},
	{"a climbing ref", with("dataRef", "feed/../x"), "dataRef: must begin with feed/."},
	{"data and ref", with("dataRef", "feed/x"), "data: must not be set together with dataRef."},
	{"no hash", event("person.erased", "p1", 1, object{"identityHashes": []string{"ada@example.com"}}), "data.identityHashes: each must be a SHA-256"},
	{"too large", event("role.upserted", "big", 1, object{
		"title": "Big", "companyId": "co", "status": "ACTIVE", "visibility": "PUBLIC", "updatedAt": "2026-01-01T00:00:00Z", "browseUrl": "https://example.com",
		"responsibilities": []string{strings.Repeat("x", 400_000)},
	}), "data: the content is too large to be stored"},
	{"too much for a list", event("role.upserted", "big", 1, object{
		"title": "Big", "companyId": "co", "status": "ACTIVE", "visibility": "PUBLIC", "updatedAt": "2026-01-01T00:00:00Z", "browseUrl": "https://example.com",
		"techStack": []string{strings.Repeat("x", 40_000)},
	}), "data: the content is too large to be stored"},
	{"too many names", event("company.upserted", "big", 1, object{"name": "Big", "aliases": []string{strings.Repeat("x", 40_000)}}), "data: the content is too large to be stored"},
	{"too many stages", event("rolePipeline.upserted", "big", 1, object{"rejectionPatterns": []object{{"category": "x", "reason": "x"}, {"category": strings.Repeat("x", 300), "reason": strings.Repeat("é", 5000)}, {"category": "x", "reason": strings.Repeat("é", 5000)}, {"category": "x", "reason": strings.Repeat("é", 5000)}, {"category": "x", "reason": strings.Repeat("é", 5000)}}}), "data: the content is too large to be stored"},
	{"version below 0", with("version", -1), "version: must be at least 1."},
	{"version beyond 64 bits", strings.Replace(valid(), `"version":1`, `"version":9223372036854775808`, 1), "version: must be at most 9007199254740991."},
	{"version in quotes", with("version", "1"), "version: must be an integer, not a string."},
	{"NUL in an id", with("entityId", "rec\x001"), "entityId: \"rec\\x001\" is not printable ASCII."},
	{"too long an id", with("entityId", strings.Repeat("r", 129)), "entityId: must be made of ids of 1 to 128"},
	{"another kind's data", event("role.upserted", "r1", 1, object{"name": "Example Works", "industries": []string{"ai"}}), "data.title: is required."},
	{"a number beyond all", strings.Replace(event("hiringManagerMetrics.upserted", "r1", 1, object{"reviewDays": 77}), "77", "1e999", 1), "data.reviewDays: must be at most 36500."},
	{"a rating below all", event("hiringManagerMetrics.upserted", "r1", 1, object{"finalRating": 3.49}), "data.finalRating: must be between 3.5 and 5."},
	{"a rating above all", event("hiringManagerMetrics.upserted", "r1", 1, object{"finalRating": 5.01}), "data.finalRating: must be between 3.5 and 5."},
	{"a way that is none", event("application.upserted", "a1", 1, object{
		"roleId": "r1", "recruiterId": "rec1", "candidateId": "c1", "candidateName": "Ada Example", "status": "SUBMITTED", "submittedAt": "2026-01-01T00:00:00Z", "via": "single",
	}), "data.via: \"single\" is not a applicationVia"},
	{"a role called like a call's item", event("role.deleted", "L", 1, nil), "entityId: L is not the id of a role."},
	{"a role called like a call's details", event("role.deleted", "D", 1, nil), "entityId: D is not the id of a role."},
	{"a bucket as ref", with("dataRef", "s3://another-bucket/feed/x"), "dataRef: must begin with feed/."},
}

// TestInvalidEvents shows that each goes to the dead-letter queue as it came,
// with its reason beside it.
func TestInvalidEvents(t *testing.T) {
	t.Parallel()
	for _, tt := range invalid {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newTestFeed(t)
			if refused, err := b.Apply(t.Context(), tt.body); !strings.HasPrefix(refused, tt.reason) || err != nil {
				t.Fatalf("refused %q, %v", refused, err)
			}
			dead := b.deadLetters(t)
			if len(dead) != 1 {
				t.Fatalf("%d dead letters", len(dead))
			}
			reason := aws.ToString(dead[0].MessageAttributes[messaging.ReasonAttribute].StringValue)
			if !strings.HasPrefix(reason, tt.reason) {
				t.Errorf("reason %q, want %q", reason, tt.reason)
			}
			if body := aws.ToString(dead[0].Body); strings.TrimSpace(tt.body) != "" && !strings.HasPrefix(tt.body, body) {
				t.Errorf("dead letter %q", body)
			}
		})
	}
}

// The clocks of app and worker may differ by minutes, and a file may hold what happened years ago.
func TestTimesThatAreTaken(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	for i, at := range []time.Time{now.Add(5 * time.Minute), now, time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)} {
		e := eventAt("savedPreferences.upserted", "rec1", int64(i+1), at, object{"locations": []string{"uk"}})
		if refused, err := b.Apply(t.Context(), e); refused != "" || err != nil {
			t.Errorf("%v: refused %q, %v", at, refused, err)
		}
	}
}

// TestMalformedStopNothing adds a malformed event to every fourth batch:
// they end in the dead-letter queue, everything else is applied.
func TestMalformedStopNothing(t *testing.T) {
	t.Parallel()
	waves, _ := history(rand.New(rand.NewPCG(3, 3)), 400)
	good := flat(waves)
	clean := newTestFeed(t)
	mixed := newTestFeed(t)
	clean.apply(t, good...)
	sent := 0
	for i := 0; len(good) > 0; i++ {
		n := min(9, len(good))
		batch := append([]string{}, good[:n]...)
		good = good[n:]
		if i%4 == 0 {
			sent++
			batch = append(batch, invalid[sent%8].body)
		}
		var e events.SQSEvent
		for _, body := range batch {
			e.Records = append(e.Records, events.SQSMessage{MessageId: "m", Body: body})
		}
		if r, err := mixed.Handle(t.Context(), e); err != nil || len(r.BatchItemFailures) > 0 {
			t.Fatalf("%v, %v", r, err)
		}
	}
	if diff := cmp.Diff(clean.readState(t), mixed.readState(t)); diff != "" {
		t.Errorf("state (-clean +mixed):\n%.3000s", diff)
	}
	if dead := mixed.deadLetters(t); len(dead) != sent || sent < 10 {
		t.Errorf("%d dead letters of %d", len(dead), sent)
	}
}

// TestObjectTooLarge refuses what no try will make smaller.
func TestObjectTooLarge(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	bucket := objectstore.Open(b.host.Opener(), topology.MarketplaceBucket)
	if err := bucket.Put(t.Context(), "feed/large", "application/json", make([]byte, largest+1)); err != nil {
		t.Fatal(err)
	}
	large := strings.TrimSuffix(event("savedPreferences.upserted", "rec2", 1, nil), "}") + `,"dataRef":"feed/large"}`
	if refused, err := b.Apply(t.Context(), large); !strings.HasPrefix(refused, "dataRef: the object is larger than 16777216 bytes") || err != nil {
		t.Errorf("refused %q, %v", refused, err)
	}
}

// TestTransientFailures names the message that the queue shall bring back.
func TestTransientFailures(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	missing := event("savedPreferences.upserted", "rec2", 1, nil)
	missing = strings.TrimSuffix(missing, "}") + `,"dataRef":"feed/not-there-yet"}`
	e := events.SQSEvent{Records: []events.SQSMessage{{MessageId: "a", Body: valid()}, {MessageId: "b", Body: missing}, {MessageId: "c", Body: "{}"}}}
	r, err := b.Handle(t.Context(), e)
	if err != nil || len(r.BatchItemFailures) != 1 || r.BatchItemFailures[0].ItemIdentifier != "b" {
		t.Errorf("%v, %v", r, err)
	}
	if dead := b.deadLetters(t); len(dead) != 1 {
		t.Errorf("%d dead letters", len(dead))
	}
}
