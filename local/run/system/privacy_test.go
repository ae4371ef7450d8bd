package system_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// privateTexts holds the personal texts that a run uses, in lower case.
var privateTexts = map[personalKind][]string{
	candidateText: {"raman", "lindqvist", "okafor", "priya", "jonas", "ada example", "excluded.person", "sandbox-crash", "linkedin.com/in/"},
	resumeText:    {"kisumu", "zyxwv confidential"},
	memberText:    {"solberg", "keita", strings.ToLower(demo.OwnerEmail), strings.ToLower(demo.MemberEmail), "outsider@"},
}

// personalKind is a kind of personal text.
type personalKind int

const (
	candidateText personalKind = iota // a candidate's name, address or profile
	resumeText
	memberText // a recruiter's name or address
)

// sentMessages records what is sent to queues, by their URLs.
type sentMessages struct {
	mu     sync.Mutex
	bodies map[string][]string
	// reasons holds the reasons for which dead letters were refused.
	reasons []string
}

func (m *sentMessages) record(_ context.Context, call cloud.Call, send func() error) error {
	m.mu.Lock()
	switch in := call.Input.(type) {
	case *sqs.SendMessageBatchInput:
		for _, e := range in.Entries {
			m.add(*in.QueueUrl, *e.MessageBody, e.MessageAttributes)
		}
	case *sqs.SendMessageInput:
		m.add(*in.QueueUrl, *in.MessageBody, in.MessageAttributes)
	}
	m.mu.Unlock()
	return send()
}

func (m *sentMessages) add(queue, body string, attributes map[string]types.MessageAttributeValue) {
	m.bodies[queue] = append(m.bodies[queue], body)
	for _, attribute := range attributes {
		m.reasons = append(m.reasons, *attribute.StringValue)
	}
}

// No key is stored or logged in clear text. Personal data is only in the items, files and messages
// that exist for it: in no log line, metric, error or wake-up message, however a request, a submission or an
// event ends.
func TestPersonsAreOnlyWhereTheyBelong(t *testing.T) {
	t.Parallel()
	log := &logBuffer{}
	sent := &sentMessages{bodies: map[string][]string{}}
	standIn := &provider.StandIn{}
	sys := startSystemWith(t, nil, system.Options{Log: cloud.NewLog(log, "local"), Provider: standIn}, sent.record)
	run := &privateRun{testSystem: sys, standIn: standIn, keys: []string{sys.newAgencyKey(), sys.createKey(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: "live"}).Secret, sys.newRecruiterKey(demo.OwnerID)}}
	run.submitEverything()
	run.sendWrongRequests()
	sys.sendEvents(
		sys.newEventJSON("candidate.upserted", demo.OwnerID+"/cand_x", 1, `"data": {"name": "Ada Example", "email": `),
		sys.newEventJSON("membership.locked", "cu_x", 1, `"data": {"email": "`+priya.email+`"}`))
	sys.waitUntil("the feed has refused them", func() bool { return strings.Count(log.String(), `"refused":true`) >= 2 })
	sys.waitUntil("all submissions have ended", func() bool { return len(sys.storedItems(topology.Submissions, "L#")) == 0 })
	sys.Stop()

	finds := &leakChecker{t: t, keys: run.keys}
	finds.checkText("the log and its metrics", log.String())
	for _, line := range []string{`"msg":"ingest"`, `"msg":"request"`, `"_aws"`} {
		if !strings.Contains(log.String(), line) {
			t.Errorf("the log lacks lines with %s", line)
		}
	}
	if len(run.refused) < 30 {
		t.Errorf("only %d requests were refused", len(run.refused))
	}
	for _, r := range run.refused {
		finds.checkError(r)
	}
	finds.checkMessages(sys, sent)
	finds.checkTables(sys)
	finds.checkObjects(sys)
}

// privateRun is a run of the system with personal data in every place.
type privateRun struct {
	*testSystem
	standIn *provider.StandIn
	// keys are the agency's of environment test and live, and a recruiter's.
	keys    []string
	refused []refusal
}

// refusal is an error response with the texts of its request, some of which the response may
// repeat (contract, Error details).
type refusal struct {
	reply
	sent string
}

// submitEverything adds persons in every way that exists.
func (run *privateRun) submitEverything() {
	t := run.t
	run.seedRecruiter(demo.OwnerID)
	api := client.New(run.BaseURL, run.keys[0], withShortWaits)
	paying := client.New(run.BaseURL, run.keys[1], withShortWaits)
	member := submitAndWait(t, api, newSubmitRequest(t, priya, "")).CandidateUserID
	submitAndWait(t, api, newSubmitRequest(t, mismatch, ""))
	submitAndWait(t, api, newSubmitRequest(t, locked, ""))
	upload := run.uploadResume(run.keys[0], readPriyaResume(t)+"zyxwv confidential prose").ResumeFileID
	run.submitBulk(run.keys[0], contract.BulkRequest{Items: []contract.BulkItem{newPriyaItem(1, upload)}})
	run.sendRequest("PUT", "/talent-network/candidates/"+member+"/preferences", run.keys[0], encodeBody(t, newPreferences()))
	run.sendRequest("POST", "/talent-network/candidates/off-market", run.keys[0], []byte(`{"candidates": [{"email": "excluded.person@example.org"}]}`))
	run.sendRequest("GET", "/recruiter/candidates?query=ada", run.keys[2], nil)
	before := run.standIn.Calls()
	accepted, err := paying.Submit(t.Context(), newSubmitRequest(t, jonas, profile.SlugCrash)) // the provider closes the connection
	must(t, err)
	run.waitUntil("the provider was asked again", func() bool { return run.standIn.Calls() >= before+3 })
	run.advanceClock(24 * time.Hour) // the most for which an item can be parked
	checkItem(t, waitForItem(t, t.Context(), paying, accepted.BatchID), contract.Failed, contract.IngestTimedOut)
}

// sendWrongRequests sends requests that are refused, with personal data and keys in every place.
func (run *privateRun) sendWrongRequests() {
	key := run.keys[0]
	in := newSubmitRequest(run.t, priya, "")
	in.RecruiterEmail = new("outsider@example.com")
	send := func(method, path, key string, body []byte, headers ...string) {
		if r := run.sendRequest(method, path, key, body, headers...); r.status >= 400 {
			run.refused = append(run.refused, refusal{r, path + string(body) + strings.Join(headers, " ")})
		}
	}
	send("POST", submitPath, key, encodeBody(run.t, in))
	send("GET", "/identity?email="+priya.email, key[:len(key)-1]+"~", nil)
	send("GET", "/"+priya.email, key, nil)
	for _, route := range contract.Routes {
		for _, text := range []string{priya.email, "Priya Raman", "zyxwv confidential prose"} {
			body := encodeBody(run.t, object{"name": text, "email": text, "candidates": text, "items": []object{{"name": text}}, "contentBase64": text})
			send(route.Method, fillPath(route, strings.ReplaceAll(text, " ", "%20")), key, body, "Idempotency-Key", text)
			send(route.Method, fillPath(route, "x"), run.keys[2], []byte(`{"email": "`+text))
		}
		run.advanceClock(time.Minute)
	}
}

// checkError fails if an error contains a key, or personal data that was not in its request.
func (f *leakChecker) checkError(r refusal) {
	f.t.Helper()
	f.checkSecrets("an error", r.body)
	for _, private := range privateTexts {
		for _, part := range private {
			if strings.Contains(strings.ToLower(r.body), part) && !strings.Contains(strings.ToLower(r.sent), part) {
				f.t.Errorf("an error to the request %s holds %q: %s", r.sent, part, r.body)
			}
		}
	}
}

// checkMessages fails if the reason of a dead letter contains personal data, or a message of any
// queue but the feed's, whose messages come from the app and may name anyone.
func (f *leakChecker) checkMessages(sys *testSystem, sent *sentMessages) {
	feed := []string{sys.Environment[topology.FeedQueue.Env], sys.Environment[topology.FeedQueue.DeadEnv]}
	if len(sent.reasons) == 0 || len(sent.bodies) < 3 {
		f.t.Errorf("got messages to the queues %v and %d reasons; want wake-up messages, events and dead letters", len(sent.bodies), len(sent.reasons))
	}
	for queue, bodies := range sent.bodies {
		f.checkSecrets(queue, strings.Join(bodies, "\n"))
		if queue != feed[0] && queue != feed[1] {
			f.checkText(queue, strings.Join(bodies, "\n"))
		}
	}
	f.checkText("the reasons of dead letters", strings.Join(sent.reasons, "\n"))
}
