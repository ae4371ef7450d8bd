package system_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// environment is one of an agency's two key environments, with ids of its data.
type environment struct {
	*manualSystem
	name, key             string
	upload, batch, member string
	// others is the other environment.
	others *environment
}

// newEnvironments returns both environments of the demo agency. In both, the same person was
// uploaded and submitted with the same Idempotency-Key, in the second one while the first
// submission was in flight.
func newEnvironments(t *testing.T, first, second string) (a, b *environment) {
	t.Helper()
	standIn := httptest.NewServer(&provider.StandIn{})
	t.Cleanup(standIn.Close)
	s := newManualSystemWith(t, map[string]string{topology.SettingProfileURL: standIn.URL, topology.SettingProfileKey: "key"})
	a = &environment{manualSystem: s, name: first}
	b = &environment{manualSystem: s, name: second}
	a.others = b
	b.others = a
	for _, e := range []*environment{a, b} {
		e.key = s.createKey(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: e.name}).Secret
		e.upload = s.uploadResume(e.key, readPriyaResume(t)).ResumeFileID
		e.batch = e.submitPerson(priya, "same")
	}
	s.runWorkers()
	for _, e := range []*environment{a, b} {
		e.member = e.onlyItem(e.batch).CandidateUserID
	}
	return a, b
}

// submitPerson submits a person and returns the batch. It fails if the submission is a duplicate
// or a replay.
func (e *environment) submitPerson(p person, idempotencyKey string) string {
	e.t.Helper()
	r := e.sendRequest("POST", submitPath, e.key, encodeBody(e.t, newSubmitRequest(e.t, p, "")), "Idempotency-Key", idempotencyKey)
	var out contract.SubmitResponse
	decodeReply(e.t, r, &out)
	if out.Deduplicated || r.header.Get("Idempotent-Replayed") != "" {
		e.t.Errorf("%s: got %s, replayed %q; want a submission of its own", e.name, r.body, r.header.Get("Idempotent-Replayed"))
	}
	return out.BatchID
}

func decodeReply(t *testing.T, r reply, out any) {
	t.Helper()
	if r.status != http.StatusOK {
		t.Fatalf("got %d %s; want 200", r.status, r.body)
	}
	must(t, json.Unmarshal([]byte(r.body), out))
}

// onlyItem returns the item of a batch of one. It fails unless the item has succeeded.
func (e *environment) onlyItem(batch string) contract.BatchItem {
	e.t.Helper()
	var out contract.Batch
	decodeReply(e.t, e.sendRequest("GET", "/talent-network/batches/"+batch, e.key, nil), &out)
	checkItem(e.t, out.Items[0], contract.Succeeded, "")
	return out.Items[0]
}

// newBulkItem returns an item of the person who is in both environments.
func (e *environment) newBulkItem() contract.BulkItem {
	item := newPriyaItem(0, e.upload)
	item.Email = priya.email
	item.LinkedInURL = "https://www.linkedin.com/in/" + priya.slug
	return item
}

// references returns references to the person of both environments, of every kind, and to an
// unknown one.
func (e *environment) references() []object {
	return []object{
		{"candidateUserId": e.member}, {"candidateUserId": e.others.member}, {"candidateUserId": "cu_nobody"},
		{"email": priya.email}, {"linkedinUrl": "https://www.linkedin.com/in/" + priya.slug}, {"email": excluded},
		{"email": jonas.email}, {"email": newPriyaItem(1, "").Email},
	}
}

// excluded is the address of a person who has no membership.
const excluded = "nobody@example.org"

// agencyReads holds, for each route that reads what an agency's keys have written, its requests.
var agencyReads = map[string]func(e *environment, send func(path string, body any)){
	"getBatch": func(e *environment, send func(string, any)) {
		send("/talent-network/batches/"+e.batch, nil)
		send("/talent-network/batches/"+e.others.batch, nil)
	},
	"listBatches": func(_ *environment, send func(string, any)) { send("/talent-network/batches", nil) },
	"listChanges": func(_ *environment, send func(string, any)) { send("/talent-network/changes", nil) },
	"listCandidates": func(_ *environment, send func(string, any)) {
		for _, query := range []string{"", "?limit=1", "?status=on_market", "?status=off_market", "?recruiterEmail=" + demo.OwnerEmail} {
			send("/talent-network/candidates"+query, nil)
		}
	},
	"lookupCandidates": func(e *environment, send func(string, any)) {
		send("/talent-network/candidates/lookup", object{"candidates": e.references()})
	},
	"lookupPreferences": func(e *environment, send func(string, any)) {
		send("/talent-network/candidates/preferences/lookup", object{"candidates": e.references()})
	},
	"getCandidate":   func(e *environment, send func(string, any)) { e.sendOfMembers("", send) },
	"getPreferences": func(e *environment, send func(string, any)) { e.sendOfMembers("/preferences", send) },
	"getFastTrack":   func(e *environment, send func(string, any)) { e.sendOfMembers("/fast-track", send) },
}

func (e *environment) sendOfMembers(what string, send func(string, any)) {
	for _, id := range []string{e.member, e.others.member} {
		send("/talent-network/candidates/"+id+what, nil)
	}
}

var changesCursor = regexp.MustCompile(`"nextCursor":"[^"]*","hasMore"`)

// readEverything returns the responses to all agencyReads by the environment's key.
func (e *environment) readEverything() map[string]visibleReply {
	e.t.Helper()
	read := map[string]visibleReply{}
	for operation, requests := range agencyReads {
		requests(e, func(path string, body any) {
			method := "GET"
			encoded := []byte(nil)
			if body != nil {
				method = "POST"
				encoded = encodeBody(e.t, body)
			}
			r := e.sendRequest(method, path, e.key, encoded)
			r.body = changesCursor.ReplaceAllString(r.body, "") // it holds the time
			read[operation+" "+path] = visiblePart(r)
		})
	}
	return read
}

// agencyWrites holds, for each route that writes, a request about persons who are in both
// environments or in neither.
var agencyWrites = map[string]func(e *environment) reply{
	"uploadResume":    func(e *environment) reply { return e.sendUpload(e.key, "Another Example", "") },
	"submitCandidate": func(e *environment) reply { return e.sendPost(submitPath, newSubmitRequest(e.t, jonas, "")) },
	"submitBulk": func(e *environment) reply {
		return e.sendPost(bulkPath, newBulkRequest(newPriyaItem(1, e.upload), e.newBulkItem()))
	},
	"putPreferences": func(e *environment) reply { return e.sendPut("/preferences", changedPreferences()) },
	"putFastTrack":   func(e *environment) reply { return e.sendPut("/fast-track", object{"fastTrack": true}) },
	"offMarket": func(e *environment) reply {
		return e.sendPost("/talent-network/candidates/off-market", object{"candidates": e.references()})
	},
	"reEnable": func(e *environment) reply {
		return e.sendPost("/talent-network/candidates/re-enable", object{"candidates": e.references()})
	},
}

func changedPreferences() contract.WorkPreferences {
	p := newPreferences()
	p.SalaryMin = 123_456
	return p
}

func (e *environment) sendPost(path string, body any) reply {
	return e.sendRequest("POST", path, e.key, encodeBody(e.t, body))
}

func (e *environment) sendPut(what string, body any) reply {
	return e.sendRequest("PUT", "/talent-network/candidates/"+e.member+what, e.key, encodeBody(e.t, body))
}

// After every write of a key, the key of the other environment reads the same as before, for all
// routes of the surface.
func TestEnvironmentsShareNothing(t *testing.T) {
	t.Parallel()
	for _, route := range contract.Routes {
		if route.Function != contract.Submissions && route.Function != contract.Network {
			continue
		}
		if agencyReads[route.Operation] == nil && agencyWrites[route.Operation] == nil {
			t.Errorf("%s has no request in this test", route.Operation)
		}
	}
	for writes, reads := range map[string]string{"live": "test", "test": "live"} {
		t.Run(writes+" writes", func(t *testing.T) {
			t.Parallel()
			writer, reader := newEnvironments(t, writes, reads)
			if writer.upload == reader.upload || writer.batch == reader.batch || writer.member == reader.member {
				t.Errorf("got the same ids in both: %+v, %+v", writer, reader)
			}
			for _, operation := range slices.Sorted(maps.Keys(agencyWrites)) {
				writer.advanceClock(time.Minute) // a new rate window
				own := writer.readEverything()
				before := reader.readEverything()
				if r := agencyWrites[operation](writer); r.status != http.StatusOK {
					t.Errorf("%s: got %d %s", operation, r.status, r.body)
				}
				writer.runWorkers()
				writer.advanceClock(time.Minute)
				if diff := cmp.Diff(before, reader.readEverything()); diff != "" {
					t.Errorf("%s by a %s key changed what a %s key reads (-before +after):\n%s", operation, writes, reads, diff)
				}
				if operation != "uploadResume" && cmp.Equal(own, writer.readEverything()) {
					t.Errorf("%s changed nothing", operation)
				}
			}
		})
	}
}

// For an id of the other environment a key gets the same response, byte for byte, as for an id
// that never existed, and changes nothing.
func TestIDsOfTheOtherEnvironmentAreUnknown(t *testing.T) {
	t.Parallel()
	mine, theirs := newEnvironments(t, "live", "test")
	for _, e := range []*environment{mine, theirs} {
		before := e.others.readEverything()
		e.advanceClock(time.Minute)
		requests := map[string]func(id string) reply{
			"preferences": func(id string) reply {
				return e.sendRequest("PUT", "/talent-network/candidates/"+id+"/preferences", e.key, encodeBody(t, changedPreferences()))
			},
			"fast-track": func(id string) reply {
				return e.sendRequest("PUT", "/talent-network/candidates/"+id+"/fast-track", e.key, encodeBody(t, object{"fastTrack": true}))
			},
		}
		for _, action := range []string{"lookup", "preferences/lookup", "off-market", "re-enable"} {
			requests[action] = func(id string) reply {
				return e.sendPost("/talent-network/candidates/"+action, object{"candidates": []object{{"candidateUserId": id}}})
			}
		}
		for name, send := range requests {
			if diff := cmp.Diff(visiblePart(send("cu_01M7VZ7PS1FQ5A9FHX31Q3HE6S")), visiblePart(send(e.others.member))); diff != "" {
				t.Errorf("%s by a %s key: an id of the other environment (+) differs from an unknown one (-):\n%s", name, e.name, diff)
			}
		}
		for name, id := range map[string]string{"of the other environment": e.others.upload, "unknown": uuid.NewString()} {
			if got := rejectionCodes(e.submitBulkItem(e.key, newPriyaItem(0, id))); !slices.Equal(got, []string{"resume.resumeFileId invalid_resume_reference"}) {
				t.Errorf("an upload %s: got %v", name, got)
			}
		}
		if diff := cmp.Diff(before, e.others.readEverything()); diff != "" {
			t.Errorf("a %s key changed what the other environment reads (-before +after):\n%s", e.name, diff)
		}
	}
}

// An erasure by one identity removes the person from both environments, together with
// submissions in flight.
func TestErasureEndsBothEnvironments(t *testing.T) {
	t.Parallel()
	live, test := newEnvironments(t, "live", "test")
	p := person{priya.file, priya.name, "priya.now@example.com", priya.slug}
	for _, e := range []*environment{live, test} {
		e.submitPerson(p, "in flight")
		e.submitBulk(e.key, newBulkRequest(e.newBulkItem()))
	}
	e := live.newEraser(p, p.slug)
	e.event = fmt.Sprintf(`{"id": %q, "type": "person.erased", "entityId": "person-1", "version": 1, "occurredAt": %q, "data": {"identityHashes": [%q]}}`,
		uuid.NewString(), e.now().UTC().Format(time.RFC3339Nano), identity.Hash("https://www.linkedin.com/in/"+p.slug))
	if len(e.storedTraces(p, p.slug)) < 8 || !e.eraseOnce() {
		t.Fatal("there was nothing to erase, or the erasure is not complete")
	}
	if left := append(e.storedTraces(p, p.slug), e.storedTraces(priya, p.slug)...); len(left) > 0 {
		t.Errorf("%q is left", left)
	}
	e.checkObjects()
}

// Commands of the app concern only live memberships.
func TestCommandsDoNotReachTestKeys(t *testing.T) {
	t.Parallel()
	live, test := newEnvironments(t, "live", "test")
	s := &roleSystem{manualSystem: live.manualSystem}
	s.openFeed()
	before := test.readEverything()
	for kind, data := range map[string]object{
		"membership.locked": {"locked": true}, "membership.offMarketSet": {"offMarket": true},
		"membership.preferencesSet": {"preferences": changedPreferences()},
	} {
		s.applyEvent(kind, live.member, 1, data)
		refused, err := s.feeder.Apply(t.Context(), s.newEventJSON(kind, test.member, 1, `"data":`+string(encodeBody(t, data))))
		if err != nil || refused == "" {
			t.Errorf("%s of a test membership: refused %q, %v; want a dead letter", kind, refused, err)
		}
	}
	s.applyEvent("membership.addedByRoleSubmission", "cu_app", 1, object{
		"agencyId": demo.AgencyID, "recruiterId": demo.OwnerID, "name": jonas.name, "email": jonas.email,
		"linkedinUrl": "https://www.linkedin.com/in/" + jonas.slug,
	})
	live.advanceClock(time.Minute)
	if diff := cmp.Diff(before, test.readEverything()); diff != "" {
		t.Errorf("the app changed what a test key reads (-before +after):\n%s", diff)
	}
	if r := live.sendRequest("GET", "/talent-network/candidates/cu_app/fast-track", live.key, nil); r.status != http.StatusOK {
		t.Errorf("the live key: got %d %s", r.status, r.body)
	}
}
