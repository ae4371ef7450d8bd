package system_test

import (
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Private texts, by the place where the test puts them.
const (
	privateMail = "wilhelmina.quux@example.com"
	privateText = "zyxwv confidential prose"
)

// No log line repeats a key, an address or a text that a caller, a queue or an operator
// has put in a wrong place: paths, queries, headers, bodies, messages.
func TestLogsRepeatNothing(t *testing.T) {
	t.Parallel()
	log := &logBuffer{}
	sys := startSystemWith(t, nil, system.Options{Log: slog.New(slog.NewTextHandler(log, nil))})
	agency := sys.newAgencyKey()
	personal := sys.newRecruiterKey(demo.OwnerID)
	secrets := []string{agency, privateMail, privateText}
	for _, r := range contract.Routes {
		key := agency
		if r.KeyType == contract.PersonalKey {
			key = personal
		}
		for _, secret := range secrets {
			sys.attackRoute(r, key, secret)
		}
		sys.advanceClock(time.Minute) // past the limit
	}
	for _, secret := range secrets {
		sys.attackWorkers(secret)
		in := keys.Request{Action: keys.Revoke, Principal: secret, Actor: secret, KeyID: secret, Name: secret, Type: contract.AgencyKey}
		service, err := keys.New(t.Context(), sys.Host)
		must(t, err)
		payload := encodeBody(t, in)
		_, err = service.Invoke(t.Context(), payload)
		must(t, err)
	}
	sys.waitUntil("the feed has refused them", func() bool { return strings.Count(log.String(), "refused=true") >= 4*len(secrets) })
	sys.Stop()
	text := log.String()
	for _, private := range append(secrets, personal, "quux", "zyxwv", url.QueryEscape(privateMail), url.QueryEscape(privateText)) {
		if strings.Contains(strings.ToLower(text), strings.ToLower(private)) {
			t.Errorf("the log holds %q in the line %s", private, lineWith(strings.ToLower(text), strings.ToLower(private)))
		}
	}
	if strings.Count(text, "msg=request") < 300 || !strings.Contains(text, "msg=keys") {
		t.Errorf("the log has only %d lines of requests", strings.Count(text, "msg=request"))
	}
}

// attackRoute sends requests to a route with a secret in every place that a request has.
func (sys *testSystem) attackRoute(r contract.Route, key, secret string) {
	escaped := url.PathEscape(secret)
	path := r.Path
	for from := strings.Index(path, "{"); from >= 0; from = strings.Index(path, "{") {
		path = path[:from] + escaped + path[strings.Index(path, "}")+1:]
	}
	query := "?"
	for _, name := range []string{"limit", "cursor", "status", "query", "recruiterEmail", "location", "tag", secret} {
		query += url.QueryEscape(name) + "=" + url.QueryEscape(secret) + "&"
	}
	var body []byte
	if r.Method != "GET" {
		body = []byte(`{"` + secret + `": "` + secret + `", "email": "` + secret + `", "candidates": [{"email": "` + secret + `"}], "items": "` + secret + `"}`)
	}
	sys.sendRequest(r.Method, path+query, key, body, "Idempotency-Key", secret)
	sys.sendRequest(r.Method, path, key, body, "X-Request-Id", secret, "User-Agent", secret, "Referer", secret, "X-Forwarded-For", secret, "X-Origin-Secret", secret)
	sys.sendRequest(r.Method, path, "", body, "Authorization", "Basic "+secret, "Accept", secret, "Content-Type", secret)
	sys.sendRequest(r.Method, path+"/"+escaped, key[:len(key)-1]+"~", body)
	if body != nil {
		sys.sendRequest(r.Method, path, key, []byte(`{"email": `+secret))
		sys.sendRequest(r.Method, path, key, []byte(secret))
	}
}

// attackWorkers puts messages with a secret on the queues.
func (sys *testSystem) attackWorkers(secret string) {
	sys.t.Helper()
	queue := messaging.Open(sys.Host.Opener(), topology.IngestQueue)
	for _, body := range []string{secret, `{"live": "` + secret + `"}`, `{"live": "` + secret + `", "submission": "` + secret + `"}`} {
		for _, err := range queue.Send(sys.t.Context(), []cloud.Message{{Body: body}}) {
			must(sys.t, err)
		}
	}
	sent := strings.ReplaceAll(sys.newEventJSON("role.upserted", "r1", 1, `"data": {"title": "x"}`), "r1", secret)
	sys.sendEvents(secret, `{"id": "`+secret+`", "type": "`+secret+`"}`, sys.newEventJSON(secret, secret, 1, `"data": {}`), sent)
}
