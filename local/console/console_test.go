package console_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/console"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// page is the console of a running system as its page uses it.
type page struct {
	t           *testing.T
	root, token string
	host        cloud.Host
}

// openPage starts a system with a console and reads its page.
func openPage(t *testing.T) *page {
	t.Helper()
	recorder := console.NewRecorder()
	go recorder.Run(t.Context())
	s, err := system.Start(t.Context(), system.Options{
		Emulators: emulator.ForTest(t, emulator.DynamoDB, emulator.SQS, emulator.S3), Prefix: strings.ToLower(uuid.NewString()) + "-",
		Log: slog.New(recorder),
		WrapAPI: func(h cloud.Host, at net.Addr, api http.Handler) (http.Handler, error) {
			return console.New(t.Context(), console.Config{Host: h, Addr: at, API: api, Recorder: recorder})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	p := &page{t: t, root: strings.TrimSuffix(s.BaseURL, contract.BasePath), host: s.Host}
	_, html := p.do(http.MethodGet, "/", nil)
	p.token = regexp.MustCompile(`name="console-token" content="(\w+)"`).FindStringSubmatch(html)[1]
	return p
}

// do sends a request and returns status and body.
func (p *page) do(method, path string, body any, headers ...string) (int, string) {
	p.t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.root+path, bytes.NewReader(encoded))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if method == http.MethodPost {
		r.Header.Set("Origin", p.root)
		r.Header.Set("X-Console-Token", p.token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// get decodes what the console answers to a request that must succeed.
func get[T any](p *page, method, path string, body any) (out T) {
	p.t.Helper()
	status, text := p.do(method, path, body)
	if err := json.Unmarshal([]byte(text), &out); err != nil || status != http.StatusOK {
		p.t.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	return out
}

// waitUntil waits for a condition.
func (p *page) waitUntil(what string, holds func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(20 * time.Millisecond) { // a guard against hanging
		if time.Now().After(deadline) {
			p.t.Fatalf("not in two minutes: %s", what)
		}
	}
}

type created struct {
	Secret string
	Key    struct{ ID string }
}

// listBatches returns the batches of environment test.
func (p *page) listBatches() []contract.BatchSummary {
	p.t.Helper()
	return get[struct{ Batches []contract.BatchSummary }](p, http.MethodGet, "/console/data/batches?environment=test", nil).Batches
}

// createKey creates an agency key of environment test.
func (p *page) createKey() created {
	p.t.Helper()
	return get[created](p, http.MethodPost, "/console/keys/create", map[string]string{"name": "mine", "type": "agency", "environment": "test"})
}

// submitSample submits a sandbox value with a key and returns its batch, which has then ended.
func (p *page) submitSample(id, key string) contract.Batch {
	p.t.Helper()
	accepted := p.sendSample(id, key)
	var batch contract.Batch
	p.waitUntil("the batch has ended", func() bool {
		batch = get[contract.Batch](p, http.MethodGet, "/console/data/batches/"+accepted.BatchID+"?environment=test", nil)
		return batch.Items[0].Status.Terminal()
	})
	return batch
}

// sendSample submits a sandbox value with a key.
func (p *page) sendSample(id, key string) contract.SubmitResponse {
	p.t.Helper()
	start := get[struct {
		Samples []struct {
			ID   string
			Body map[string]any
		}
	}](p, http.MethodGet, "/console/data/start", nil)
	var accepted contract.SubmitResponse
	for _, sample := range start.Samples {
		if sample.ID != id {
			continue
		}
		status, text := p.do(http.MethodPost, contract.BasePath+"/talent-network/candidates/submit", sample.Body, "Authorization", "Bearer "+key, "Idempotency-Key", uuid.NewString())
		if err := json.Unmarshal([]byte(text), &accepted); err != nil || status != http.StatusOK {
			p.t.Fatalf("%d %s", status, text)
		}
	}
	return accepted
}

// inFlightItem is a submission in flight as the page reads it.
type inFlightItem struct {
	SubmissionID, Name   string
	Attempt, MaxAttempts int
	RunningUntil, NextAt *time.Time
}

// A submission in flight is listed with the person's name and its attempts, also of a worker that dies; a
// member by name.
func TestAttempts(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	key := p.createKey()
	accepted := p.sendSample("sandbox-crash", key.Secret)
	p.waitUntil("the second attempt has failed", func() bool {
		found := get[struct{ Live []inFlightItem }](p, http.MethodGet, "/console/data/batches/"+accepted.BatchID+"?environment=test", nil)
		if len(found.Live) != 1 {
			t.Fatalf("in flight: %+v", found.Live)
		}
		item := found.Live[0]
		if item.Name != "Robin Sandbox" || item.MaxAttempts != 5 || (item.NextAt == nil) == (item.RunningUntil == nil) {
			t.Fatalf("the item is %+v", item)
		}
		return item.Attempt == 2 && item.NextAt != nil
	})
	if live := get[struct{ Live []inFlightItem }](p, http.MethodGet, "/console/data/batches?environment=live", nil).Live; len(live) != 0 {
		t.Errorf("in flight in the other environment: %+v", live)
	}
	member := p.submitSample("sandbox-verified", key.Secret).Items[0]
	people := get[map[string]string](p, http.MethodGet, "/console/data/people?environment=test", nil)
	if people[member.CandidateUserID] != "Robin Sandbox" {
		t.Errorf("people %v", people)
	}
}

// What was read from a resume is told of the member, with the submission that it came with, to its agency alone.
func TestFactsOfMembers(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	item := p.submitSample("sandbox-verified", p.createKey().Secret).Items[0]
	type facts struct {
		SubmissionID, Name, Title, Company string
		Years                              float64
	}
	path := "/console/data/people/" + item.CandidateUserID
	got := get[facts](p, http.MethodGet, path+"?environment=test", nil)
	isRead := got.Title != "" && got.Company != "" && got.Years > 0
	if got.SubmissionID != item.SubmissionID || got.Name != "Robin Sandbox" || !isRead {
		t.Errorf("the facts of submission %s are %+v", item.SubmissionID, got)
	}
	for _, query := range []string{"?environment=live", "?environment=test&agency=" + demo.OtherAgencyID} {
		if status, text := p.do(http.MethodGet, path+query, nil); status != http.StatusNotFound {
			t.Errorf("%s: %d %s", query, status, text)
		}
	}
}

// Another agency has keys, batches and people of its own, which are listed with those of the demo agency or alone.
func TestAgencies(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	start := get[struct{ Agencies []struct{ ID, Name string } }](p, http.MethodGet, "/console/data/start", nil)
	if len(start.Agencies) != 3 || start.Agencies[0].ID != demo.AgencyID {
		t.Fatalf("agencies %+v", start.Agencies)
	}
	of := map[string]string{"name": "theirs", "type": "agency", "environment": "test", "agencyId": demo.OtherAgencyID}
	theirs := get[created](p, http.MethodPost, "/console/keys/create", of)
	mine := p.submitSample("sandbox-not-found", p.createKey().Secret)
	other := p.submitSample("sandbox-verified", theirs.Secret)

	type row struct{ BatchID, AgencyID string }
	list := func(query string) []row {
		path := "/console/data/batches?environment=test" + query
		return get[struct{ Batches []row }](p, http.MethodGet, path, nil).Batches
	}
	want := []row{{other.BatchID, demo.OtherAgencyID}, {mine.BatchID, demo.AgencyID}}
	if got := list(""); !slices.Equal(got, want) {
		t.Errorf("of all agencies %v, want %v", got, want)
	}
	if got := list("&agency=" + demo.OtherAgencyID); !slices.Equal(got, want[:1]) {
		t.Errorf("of the other agency %v", got)
	}
	if got := list("&agency=nobody"); len(got) != 0 {
		t.Errorf("of no agency %v", got)
	}
	people := get[map[string]string](p, http.MethodGet, "/console/data/people?environment=test", nil)
	if people[other.Items[0].CandidateUserID] != "Robin Sandbox" || len(people) != 8 {
		t.Errorf("people %v", people)
	}
	_, text := p.do(http.MethodGet, "/console/data/keys", nil)
	if !strings.Contains(text, `"agencyId":"`+demo.OtherAgencyID+`"`) {
		t.Error(text)
	}
	revoke := map[string]string{"type": "agency", "id": theirs.Key.ID}
	if status, _ := p.do(http.MethodPost, "/console/keys/revoke", revoke); status != http.StatusNotFound {
		t.Errorf("the key of another agency than the one named: %d", status)
	}
	revoke["agencyId"] = demo.OtherAgencyID
	get[any](p, http.MethodPost, "/console/keys/revoke", revoke)
}

// What happens to a member after the end of the submission is read once, from where the last reading ended.
func TestChangesOfMembers(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	key := p.createKey()
	member := p.submitSample("sandbox-verified", key.Secret).Items[0].CandidateUserID
	type change struct {
		Type, CandidateUserID, Status string
		At                            int64
	}
	type changes struct {
		Changes []change
		Next    string
	}
	read := func(after string) changes {
		path := "/console/data/changes?environment=test&agency=" + demo.AgencyID + "&after=" + after
		return get[changes](p, http.MethodGet, path, nil)
	}
	before := read("")
	body := map[string]any{"candidates": []any{map[string]string{"candidateUserId": member}}}
	path := contract.BasePath + "/talent-network/candidates/off-market"
	status, text := p.do(http.MethodPost, path, body, "Authorization", "Bearer "+key.Secret)
	if status != http.StatusOK {
		t.Fatal(text)
	}
	after := read(before.Next).Changes
	want := change{"candidate.market_changed", member, "off_market", 0}
	if len(after) == 1 {
		want.At = after[0].At
	}
	if !slices.Equal(after, []change{want}) {
		t.Errorf("changes %+v", after)
	}
}

// deadLetterQueue returns the URL of a queue's dead-letter queue.
func (p *page) deadLetterQueue(q topology.Queue) string {
	p.t.Helper()
	queue := p.host.Getenv(q.Env)
	out, err := sqs.NewFromConfig(p.host.AWS).GetQueueAttributes(p.t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &queue, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameRedrivePolicy},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	policy := struct{ DeadLetterTargetArn string }{}
	if err := json.Unmarshal([]byte(out.Attributes["RedrivePolicy"]), &policy); err != nil {
		p.t.Fatal(err)
	}
	name := policy.DeadLetterTargetArn[strings.LastIndex(policy.DeadLetterTargetArn, ":")+1:]
	return queue[:strings.LastIndex(queue, "/")+1] + name
}

// The message of a submission that is sent again from the dead letters is reported to the pages.
func TestRedelivery(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	client := sqs.NewFromConfig(p.host.AWS)
	dead := p.deadLetterQueue(topology.IngestQueue)
	const body = `{"live": "L#gone", "submission": "0199aaaa-0000-7000-8000-000000000000"}`
	_, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &dead, MessageBody: aws.String(body)})
	if err != nil {
		t.Fatal(err)
	}
	ingest := map[string]string{"queue": "ingest"}
	if sent := get[struct{ Sent int }](p, http.MethodPost, "/console/letters/redrive", ingest).Sent; sent != 1 {
		t.Fatalf("%d were sent again", sent)
	}
	p.waitForEvent("redelivery", `"submissionId":"0199aaaa-0000-7000-8000-000000000000"`)
}

// waitForEvent waits for an event of a kind with the parts, and fails if the stream ends before.
func (p *page) waitForEvent(kind string, parts ...string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute) // a guard against hanging
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.root+"/console/events", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	isMissing := func(data string) func(string) bool {
		return func(part string) bool { return !strings.Contains(data, part) }
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if lines.Text() == "event: "+kind && lines.Scan() && !slices.ContainsFunc(parts, isMissing(lines.Text())) {
			return
		}
	}
	p.t.Errorf("no %s has %q: the events ended, %v", kind, parts, lines.Err())
}

// The event of a request has what its line in the log says of it, and that of an attempt its outcome.
func TestEventsOfASubmission(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	batch := p.submitSample("sandbox-not-found", p.createKey().Secret).BatchID
	p.waitForEvent("request", `"operation":"submitCandidate"`, `"path":"/talent-network/candidates/submit"`, `"batchId":"`+batch+`"`, `"status":200`)
	p.waitForEvent("attempt", `"batchId":"`+batch+`"`, `"status":"failed"`)
}

// A key that is created submits a sandbox value, whose batch is listed and succeeds, and is refused once
// it is revoked.
func TestFromKeyToBatch(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	key := p.createKey()
	batch := p.submitSample("sandbox-verified", key.Secret)
	if batch.Items[0].Status != contract.Succeeded {
		t.Errorf("the item is %+v", batch.Items[0])
	}
	if failed := p.submitSample("sandbox-not-found", key.Secret); failed.Items[0].ErrorCode != contract.LinkedInProfileNotFound {
		t.Errorf("the item is %+v", failed.Items[0])
	}
	listed := p.listBatches()
	if len(listed) != 2 || listed[1].BatchID != batch.BatchID || listed[1].Counts.Succeeded != 1 {
		t.Errorf("listed %+v", listed)
	}
	if status, text := p.do(http.MethodPost, "/console/keys/revoke", map[string]string{"type": "agency", "id": key.Key.ID}); status != http.StatusOK || strings.Contains(text, key.Secret) {
		t.Errorf("%d %s", status, text)
	}
	if status, text := p.do(http.MethodGet, contract.BasePath+"/identity", nil, "Authorization", "Bearer "+key.Secret); status != http.StatusUnauthorized {
		t.Errorf("%d %s", status, text)
	}
	if _, text := p.do(http.MethodGet, "/console/data/keys", nil); !strings.Contains(text, `"status":"revoked"`) || strings.Contains(text, key.Secret) {
		t.Error(text)
	}
}

// An event that the feed refuses becomes a dead letter, which is shown and sent again.
func TestDeadLetters(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	type queue struct {
		Name string
		Dead int
	}
	countDead := func() int {
		for _, q := range get[[]queue](p, http.MethodGet, "/console/data/queues", nil) {
			if q.Name == "feed" {
				return q.Dead
			}
		}
		return -1
	}
	get[any](p, http.MethodPost, "/console/letters/example", nil)
	p.waitUntil("there is a dead letter", func() bool { return countDead() == 1 })
	feed := map[string]string{"queue": "feed"}
	letters := get[[]struct{ ID, Reason, Body string }](p, http.MethodPost, "/console/letters/list", feed)
	if len(letters) != 1 || letters[0].Reason == "" || !strings.Contains(letters[0].Body, "example.refused") {
		t.Fatalf("letters %+v", letters)
	}
	if sent := get[struct{ Sent int }](p, http.MethodPost, "/console/letters/redrive", feed).Sent; sent != 1 {
		t.Errorf("%d were sent again", sent)
	}
	p.waitUntil("it is refused again, as a new letter", func() bool {
		again := get[[]struct{ ID string }](p, http.MethodPost, "/console/letters/list", feed)
		return len(again) == 1 && again[0].ID != letters[0].ID
	})
}

// One dead letter is sent again and another one removed, and the rest stays.
func TestOneDeadLetter(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	type letter struct{ ID string }
	list := func() []letter {
		return get[[]letter](p, http.MethodPost, "/console/letters/list", map[string]string{"queue": "feed"})
	}
	for range 3 {
		get[any](p, http.MethodPost, "/console/letters/example", nil)
	}
	p.waitUntil("there are three dead letters", func() bool { return len(list()) == 3 })
	letters := list()
	one := func(i int) map[string]string { return map[string]string{"queue": "feed", "id": letters[i].ID} }
	if got := get[struct{ Removed int }](p, http.MethodPost, "/console/letters/remove", one(0)).Removed; got != 1 {
		t.Errorf("%d were removed", got)
	}
	if got := get[struct{ Sent int }](p, http.MethodPost, "/console/letters/redrive", one(1)).Sent; got != 1 {
		t.Errorf("%d were sent again", got)
	}
	p.waitUntil("the letter that was sent is refused again", func() bool { return len(list()) == 2 })
	for _, left := range list() {
		if left == letters[0] || left == letters[1] {
			t.Errorf("%v is there again", left)
		}
	}
	if status, text := p.do(http.MethodPost, "/console/letters/remove", map[string]string{"queue": "feed"}); status != http.StatusBadRequest {
		t.Errorf("a removal of all: %d %s", status, text)
	}
}

// Each dead letter can be named, also of a queue with more of them than are shown.
func TestOneOfManyDeadLetters(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	client := sqs.NewFromConfig(p.host.AWS)
	dead := p.deadLetterQueue(topology.IngestQueue)
	var ids []string
	for range 55 {
		out, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &dead, MessageBody: aws.String("{}")})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, *out.MessageId)
	}
	for _, id := range ids[50:] {
		one := map[string]string{"queue": "ingest", "id": id}
		if got := get[struct{ Removed int }](p, http.MethodPost, "/console/letters/remove", one).Removed; got != 1 {
			t.Errorf("%d were removed", got)
		}
	}
	if sent := get[struct{ Sent int }](p, http.MethodPost, "/console/letters/redrive", map[string]string{"queue": "ingest"}).Sent; sent != 50 {
		t.Errorf("%d were sent again", sent)
	}
}

// The reset removes what was submitted and brings the demo candidates back; keys stay.
func TestReset(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	key := p.createKey()
	p.submitSample("sandbox-verified", key.Secret)
	p.submitSample("sandbox-not-found", key.Secret)
	type list struct {
		Candidates []struct{ CandidateUserID string }
	}
	members := func() int {
		var out list
		status, text := p.do(http.MethodGet, contract.BasePath+"/talent-network/candidates", nil, "Authorization", "Bearer "+key.Secret)
		if err := json.Unmarshal([]byte(text), &out); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
		return len(out.Candidates)
	}
	before := members()
	removed := get[map[string]int](p, http.MethodPost, "/console/reset", map[string]string{"environment": "test"})
	if removed["memberships"] != 8 || removed["batches"] != 2 || removed["idempotencyKeys"] != 2 || removed["exclusions"] == 0 {
		t.Errorf("removed %v", removed)
	}
	if after := members(); after != before-1 {
		t.Errorf("%d members, before %d", after, before)
	}
	if left := p.listBatches(); len(left) != 0 {
		t.Errorf("left %+v", left)
	}
	again := get[map[string]int](p, http.MethodPost, "/console/reset", map[string]string{"environment": "test"})
	if again["memberships"] != 7 || again["batches"] != 0 {
		t.Errorf("the second reset removed %v", again)
	}
	if status, text := p.do(http.MethodPost, "/console/reset", map[string]string{"environment": "none"}); status != http.StatusBadRequest {
		t.Errorf("%d %s", status, text)
	}
}

// The root leads to the console, and /docs to the reference.
func TestRoot(t *testing.T) {
	t.Parallel()
	p := openPage(t)
	for path, want := range map[string]string{"/": "<title>Local console</title>", "/docs": "<title>", "/console/explorer": "docs/docs.js", "/nowhere": `"request_id"`} {
		if _, text := p.do(http.MethodGet, path, nil); !strings.Contains(text, want) {
			t.Errorf("%s: %.200s", path, text)
		}
	}
	if status, text := p.do(http.MethodPost, "/console/resume", map[string]string{"content": "bm8="}); status != http.StatusOK && status != http.StatusBadRequest {
		t.Errorf("%d %s", status, text)
	}
}
