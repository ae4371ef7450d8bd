package system_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

// erasedPerson is a system with one person, who has a former and a present e-mail address.
type erasedPerson struct {
	*roleSystem
	former, present person
	// sent holds the events about the person; deadCount counts the refused ones.
	sent      []string
	deadCount int
}

const erasedSlug = "wilma-example"

// headlineWord is a word of the person's rows in CRMs, and resumeWords are words of their resume. Nobody else has them.
const headlineWord = "sommelier"

var resumeWords = []string{"marigold", "oakbridge", "thornfield"}

func newErasedPerson(t *testing.T) *erasedPerson {
	t.Helper()
	p := &erasedPerson{
		roleSystem: newRoleSystem(t, 0),
		former:     person{priya.file, priya.name, "wilma.former@example.com", erasedSlug},
		present:    person{priya.file, priya.name, "wilma.now@example.com", erasedSlug},
	}
	var err error
	p.feeder, err = feed.New(t.Context(), p.hookedHost()) // which records the notices of changed CRMs
	must(t, err)
	return p
}

// agencies returns a client of each of the two agencies that submit the person.
func (p *erasedPerson) agencies() []*client.Client {
	return []*client.Client{p.newAgencyClient(), client.New(p.BaseURL, p.newKey(contract.AgencyKey, demo.OtherAgencyID, demo.OtherOwnerID), withShortWaits)}
}

// submitToAgencies adds the person to the networks of both agencies.
func (p *erasedPerson) submitToAgencies(who person) {
	p.t.Helper()
	for _, api := range p.agencies() {
		_, err := api.Submit(p.t.Context(), newSubmitRequest(p.t, who, ""))
		must(p.t, err)
	}
	p.runWorkers()
	p.advanceClock(time.Minute)
}

// submitUploads leaves an upload whose submission failed, one that a later resume replaced,
// and one whose submission waits.
func (p *erasedPerson) submitUploads() {
	p.t.Helper()
	key := p.newAgencyKey()
	for _, content := range []string{"%PDF-1.7\n" + p.present.email, readPriyaResume(p.t) + "\n" + p.present.email, readPriyaResume(p.t) + "\n" + p.present.email + "!", ""} {
		in := bulkItem(p.t, p.manualSystem, key, p.present)
		if content == "" { // the upload that bulkItem makes
			in.RecruiterEmail = new(demo.MemberEmail)
		} else {
			in.Resume.ResumeFileID = p.uploadResume(key, content).ResumeFileID
		}
		p.submitBulk(key, contract.BulkRequest{Items: []contract.BulkItem{in}})
		if content != "" {
			p.runWorkers()
			p.advanceClock(time.Minute)
		}
	}
}

// sendEvent applies an event about the person, which may be refused.
func (p *erasedPerson) sendEvent(kind, id string, version int, extra string) {
	p.t.Helper()
	p.sent = append(p.sent, p.newEventJSON(kind, id, version, extra))
	refused, err := p.feeder.Apply(p.t.Context(), p.sent[len(p.sent)-1])
	if must(p.t, err); refused != "" {
		p.deadCount++
	}
}

// sendAllKinds adds the person to two CRMs, an application, matches and a call. One of the events
// refers to an object, and one is refused.
func (p *erasedPerson) sendAllKinds() {
	p.t.Helper()
	for _, recruiter := range []string{demo.OwnerID, demo.MemberID} {
		p.sendEvent("crmCandidate.upserted", recruiter+"/cand1", 1, fmt.Sprintf(
			`"data":{"recruiterId":%q,"candidateId":"cand1","name":%q,"email":%q,"linkedinUrl":"https://www.linkedin.com/in/%s","oneLiner":%q,"relationshipStatus":"SOURCED","addedAt":"2026-01-01T00:00:00Z"}`,
			recruiter, p.present.name, p.former.email, erasedSlug, headlineWord))
	}
	p.publishLargeCRM()
	p.sendEvent("application.upserted", "app1", 1, fmt.Sprintf(
		`"data":{"roleId":"role1","recruiterId":%q,"agencyId":%q,"candidateId":"cand1","candidateName":%q,"candidateLinkedinUrl":"https://www.linkedin.com/in/%s","status":"IN_REVIEW","submittedAt":"2026-01-03T00:00:00Z"}`,
		demo.OwnerID, demo.AgencyID, p.present.name, erasedSlug))
	match := fmt.Sprintf(`{"recruiterId":%q,"roleId":"role1","status":"pending","sentAt":%q,"candidate":{"candidateId":"cand1","name":%q,"email":%q}}`,
		demo.OwnerID, contract.At(p.now()), p.present.name, p.present.email)
	p.sendEvent("match.upserted", "match1", 1, `"data":`+match)
	bucket := objectstore.Open(p.Host.Opener(), topology.MarketplaceBucket)
	must(p.t, bucket.Put(p.t.Context(), "feed/match2.json", "application/json", []byte(match)))
	p.sendEvent("match.upserted", "match2", 1, `"dataRef":"feed/match2.json"`)
	for version := range 2 {
		p.sendEvent("call.upserted", "call1", 1+version, fmt.Sprintf(
			`"data":{"recruiterId":%q,"title":"Screening","scheduledAt":"2026-01-03T00:00:00Z","url":"https://app.example.com/calls/1","updatedAt":"2026-01-03T00:00:00Z","participants":[{"email":%[2]q}],"transcript":{"segments":[{"text":"I am %[3]s, %[2]s","speaker":"A"}]}}`,
			demo.OwnerID, p.former.email, p.present.name))
	}
	p.sendEvent("match.upserted", "match3", 1, fmt.Sprintf(`"data":{"candidate":{"email":%q}}`, p.present.email))
}

// publishLargeCRM adds so many others to the owner's CRM that it has an index, and publishes it.
func (p *erasedPerson) publishLargeCRM() {
	p.t.Helper()
	var others []market.Event
	for n := range crm.DefaultLimits.Large {
		id := fmt.Sprint("other", n)
		data := encodeBody(p.t, object{
			"recruiterId": demo.OwnerID, "candidateId": id, "name": fmt.Sprint("Person ", n),
			"relationshipStatus": "SOURCED", "addedAt": contract.At(p.now()),
		})
		line := p.newEventJSON("crmCandidate.upserted", demo.OwnerID+"/"+id, 1, `"data":`+string(data))
		others = append(others, market.Event(line))
	}
	p.applyEvents(others...)
	p.advanceClock(crm.NoticeDelay)
	p.publishCRM(crm.ChangeNotice{RecruiterID: demo.OwnerID, At: p.now()}.String())
}

// publishNotedCRMs publishes the CRMs whose changes wait in the queue.
func (p *erasedPerson) publishNotedCRMs() {
	p.t.Helper()
	p.advanceClock(crm.NoticeDelay)
	for _, notice := range p.takeMessagesOf(topology.CRMIndexQueue) {
		p.publishCRM(notice)
	}
}

func (p *erasedPerson) publishCRM(notice string) {
	p.t.Helper()
	_, err := p.PublishCRMs(p.t.Context(), events.SQSEvent{Records: []events.SQSMessage{{
		MessageId: "m", Body: notice, Attributes: map[string]string{"ApproximateReceiveCount": "1"},
	}}})
	must(p.t, err)
}

// findTraces returns the items and objects that contain the person in clear text.
func (p *erasedPerson) findTraces() []string {
	p.t.Helper()
	traces := []string{erasedSlug, p.former.email, p.present.email, p.present.name, headlineWord}
	return p.findWords(append(traces, resumeWords...)...)
}

// findWords returns the items and objects that contain one of the words.
func (p *erasedPerson) findWords(words ...string) (all []string) {
	p.t.Helper()
	note := func(where, text string) {
		for _, trace := range words {
			if strings.Contains(strings.ToLower(text), strings.ToLower(trace)) {
				all = append(all, where)
				return
			}
		}
	}
	for _, t := range topology.Tables {
		for _, item := range p.storedItems(t, "") {
			note(fmt.Sprint(t.Name, " ", item[topology.PK], " ", item[topology.SK]), describeWhole(item))
		}
	}
	for _, b := range topology.Buckets {
		bucket := objectstore.Open(p.Host.Opener(), b)
		for _, key := range p.storedObjects(b, "") {
			content, err := bucket.Get(p.t.Context(), key, 1<<20)
			must(p.t, err)
			note(b.Name+" "+key, key+string(content))
		}
	}
	return all
}

// describeWhole returns an item as text, binary attributes included.
func describeWhole(item map[string]any) string {
	var all strings.Builder
	for name, value := range item {
		if text, binary := value.([]byte); binary {
			value = string(text)
		}
		fmt.Fprintln(&all, name, value)
	}
	return all.String()
}

// An erasure by any one identity, even a former one, removes the person's data in clear text from
// all tables and buckets, except for objects that expire by the receipt's `completeAt`. Late
// events restore nothing, and a person who is submitted again gets a new id.
func TestErasedPersonIsFoundNowhere(t *testing.T) {
	t.Parallel()
	for name, canonical := range map[string]func(*erasedPerson) string{
		"LinkedIn":      func(*erasedPerson) string { return "https://www.linkedin.com/in/" + erasedSlug },
		"e-mail":        func(p *erasedPerson) string { return p.present.email },
		"former e-mail": func(p *erasedPerson) string { return p.former.email },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newErasedPerson(t)
			p.submitToAgencies(p.former)
			p.submitToAgencies(p.present)
			p.submitUploads()
			p.sendAllKinds()
			before := p.membershipIDs(p.present.email)
			if found := p.findTraces(); len(before) != 2 || len(found) < 25 || p.deadCount != 1 {
				t.Fatalf("got %d memberships, %d dead letters, and traces in %q", len(before), p.deadCount, found)
			}
			p.checkWords()
			at := p.now()
			erasure := p.newErasure("person-wilma", canonical(p))
			for range 2 {
				if refused, err := p.feeder.Apply(t.Context(), erasure); refused != "" || err != nil {
					t.Fatalf("the erasure was refused: %s, %v", refused, err)
				}
				p.advanceClock(time.Minute)
			}
			p.publishNotedCRMs()
			p.checkFoundNowhere("after the erasure")
			p.deliverLate()
			p.checkFoundNowhere("after late events")
			p.checkObjects()
			p.checkReceipt(at)
			p.submitToAgencies(p.present)
			after := p.membershipIDs(p.present.email)
			if len(after) != 2 || slices.ContainsFunc(after, func(id string) bool { return slices.Contains(before, id) }) {
				t.Errorf("the person's new ids are %v; the erased ones were %v", after, before)
			}
		})
	}
}

// deliverLate delivers all events again and everything that waits in queues, and runs the sweeper.
func (p *erasedPerson) deliverLate() {
	p.t.Helper()
	for _, event := range p.sent {
		_, err := p.feeder.Apply(p.t.Context(), event)
		must(p.t, err)
	}
	for _, message := range p.takeMessages() {
		p.deliverMessage(message)
	}
	p.publishNotedCRMs()
	for range 2 {
		must(p.t, p.Sweep(p.t.Context()))
		p.advanceClock(20 * time.Minute)
	}
}

// checkWords checks, before the erasure, that words of the resume are in memberships and files, and in no CRM's index,
// which has the words of the CRM.
func (p *erasedPerson) checkWords() {
	p.t.Helper()
	index := topology.MarketplaceBucket.Name + " " + crm.IndexPrefix
	for _, word := range resumeWords {
		found := strings.Join(p.findWords(word), "\n")
		if !strings.Contains(found, topology.Resumes.Name+" resumes/") || strings.Contains(found, index) {
			p.t.Errorf("%s is in %s", word, found)
		}
	}
	if found := strings.Join(p.findWords("thornfield"), "\n"); !strings.Contains(found, topology.Network.Name+" ") {
		p.t.Errorf("the school of the resume is in %s", found)
	}
	if found := p.findWords(headlineWord); !slices.Contains(found, index+demo.OwnerID) {
		p.t.Errorf("the CRM's headline is in %q", found)
	}
}

// checkFoundNowhere checks that only objects of the feed, which expire, still name the person.
func (p *erasedPerson) checkFoundNowhere(when string) {
	p.t.Helper()
	for _, where := range p.findTraces() {
		if bucket, key, _ := strings.Cut(where, " "); !expires(objectKind+bucket, key) || !strings.HasPrefix(key, "feed/") {
			p.t.Errorf("%s: the person is in %s", when, where)
		}
	}
}

// checkReceipt checks that every object and message written before the erasure expires by the
// receipt's completeAt.
func (p *erasedPerson) checkReceipt(at time.Time) {
	p.t.Helper()
	var receipt struct{ CompleteAt contract.Time }
	items := p.storedItems(topology.Marketplace, "E#person-wilma")
	if len(items) != 1 {
		p.t.Fatalf("got the receipts %v", items)
	}
	body, _ := items[0]["body"].([]byte)
	must(p.t, json.Unmarshal(body, &receipt))
	if end := at.AddDate(0, 0, 2*topology.MessageDays); receipt.CompleteAt.Before(end) {
		p.t.Errorf("complete at %v; dead letters of the feed last until %v", receipt.CompleteAt, end)
	}
	for _, b := range topology.Buckets {
		for _, e := range b.Expires {
			if end := at.AddDate(0, 0, e.Days); receipt.CompleteAt.Before(end) {
				p.t.Errorf("complete at %v; objects of %s%s last until %v", receipt.CompleteAt, b.Name, e.Prefix, end)
			}
		}
	}
}
