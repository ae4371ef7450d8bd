package system_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// sweptOperations returns all operations that write.
func sweptOperations() []operation {
	return slices.Concat([]operation{
		{"submit", (*faultCase).startSubmit},
		{"submit bulk", (*faultCase).startBulk},
		{"upload", (*faultCase).startUpload},
		{"ingest", (*faultCase).startIngest},
		{"ingest again", (*faultCase).startIngestAgain},
		{"sweep: time out", (*faultCase).startTimeOut},
		{"sweep: send again", (*faultCase).startResend},
		{"sweep: expire a match", (*faultCase).startMatchExpiry},
		{"PUT preferences", func(c *faultCase) func() error { return c.startPut("preferences", newPreferences()) }},
		{"PUT fast-track", func(c *faultCase) func() error {
			return c.startPut("fast-track", map[string]bool{"fastTrack": true})
		}},
		{"off-market", func(c *faultCase) func() error { return c.startMarketChange("off-market", "") }},
		{"re-enable", func(c *faultCase) func() error { return c.startMarketChange("re-enable", "off-market") }},
		{"keys: create", (*faultCase).startCreateKey},
		{"keys: revoke", (*faultCase).startRevokeKey},
		{"keys: rename", (*faultCase).startRenameKey},
		{"publish", (*faultCase).startPublish},
		{"rebuild", (*faultCase).startRebuild},
		{"erase", (*faultCase).startErasure},
	}, feedOperations())
}

// newPerson returns the submission of the case's nth candidate.
func (c *faultCase) newPerson(n int) contract.SubmitRequest {
	c.submits = true
	in := newSubmitRequest(c.t, priya, fmt.Sprintf("priya-%s-%d", c.tag, n))
	in.Email = fmt.Sprintf("priya-%s-%d@example.com", c.tag, n)
	return in
}

// errRefused reports an item that ended without success. The caller learns of this and submits the
// item again.
var errRefused = errors.New("an item was refused; it is submitted again")

// checkItem returns nil for an item that succeeded, errOpen for a live one and errRefused for one
// that the caller must submit again. Only a fault that lasts long may fail an accepted item.
func (c *faultCase) checkItem(batchID string, index int) error {
	for _, item := range c.readBatch(demo.AgencyID, batchID).Items {
		switch {
		case item.Index != index:
		case !item.Status.Terminal():
			return errOpen
		case item.Status == contract.Failed:
			if item.ErrorCode != contract.EnqueueFailed && !c.lastsLong || !slices.Contains(honestCodes, item.ErrorCode) && item.ErrorCode != contract.VerificationUnavailable {
				c.reportDefect(lost, "an accepted item ended with %s", item.ErrorCode)
			}
			return errRefused
		case item.Status == contract.Succeeded:
			return nil
		}
	}
	return errRefused // a duplicate of an item that has ended, or one whose acceptance was undone
}

func (c *faultCase) startSubmit() func() error {
	body := encodeBody(c.t, c.newPerson(0))
	generation := 0
	return func() error {
		answer, err := c.send("POST", submitPath, body, fmt.Sprint(c.tag, generation))
		if err != nil {
			return err
		}
		var accepted contract.SubmitResponse
		must(c.t, json.Unmarshal([]byte(answer), &accepted))
		err = c.checkItem(accepted.BatchID, 0)
		if errors.Is(err, errRefused) {
			generation++
		}
		return err
	}
}

// startBulk submits three candidates, two of whom share a resume.
func (c *faultCase) startBulk() func() error {
	content := readPriyaResume(c.t)
	var items []contract.BulkItem
	for n := range 3 {
		upload := c.uploadContent(fmt.Sprint(content, "\n", c.tag, n/2))
		one := c.newPerson(n)
		items = append(items, contract.BulkItem{
			Name: one.Name, Email: one.Email, LinkedInURL: one.LinkedInURL, Preferences: one.Preferences,
			Resume: contract.ResumeReference{ResumeFileID: upload.ResumeFileID}, OnMarketConfirmed: true,
		})
	}
	generation := 0
	return func() error {
		if len(items) == 0 {
			return nil
		}
		answer, err := c.send("POST", bulkPath, encodeBody(c.t, newBulkRequest(items...)), fmt.Sprint(c.tag, generation))
		if err != nil {
			return err
		}
		var accepted contract.BulkResponse
		must(c.t, json.Unmarshal([]byte(answer), &accepted))
		var again []contract.BulkItem
		for i, item := range items {
			err := errRefused
			if accepted.Items[i].Status != contract.BulkRejected {
				err = c.checkItem(accepted.BatchID, i)
			}
			if errors.Is(err, errOpen) {
				return err
			}
			if err != nil {
				again = append(again, item)
			}
		}
		if len(again) > 0 {
			items = again
			generation++
			return errRefused
		}
		return nil
	}
}

func (c *faultCase) uploadContent(content string) (out contract.ResumeUpload) {
	answer, err := c.send("POST", uploadPath, encodeBody(c.t, contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString([]byte(content))}), "")
	must(c.t, err)
	must(c.t, json.Unmarshal([]byte(answer), &out))
	return out
}

func (c *faultCase) startUpload() func() error {
	body := encodeBody(c.t, contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString([]byte("Ada Example " + c.tag))})
	return func() error {
		_, err := c.send("POST", uploadPath, body, "upload")
		return err
	}
}

// startIngest processes a submission that waits in the queue.
func (c *faultCase) startIngest() func() error {
	submit := c.startSubmit()
	_ = submit()
	return func() error {
		return errors.Join(c.consumeQueue(topology.IngestQueue, c.Ingest), submit())
	}
}

// startIngestAgain processes a submission of a candidate who has a membership already.
func (c *faultCase) startIngestAgain() func() error {
	first := c.startIngest()
	must(c.t, first())
	c.advanceClock(time.Second)
	body := encodeBody(c.t, c.newPerson(0))
	generation := 0
	var batch string
	submit := func() error {
		answer, err := c.send("POST", submitPath, body, fmt.Sprint("again", c.tag, generation))
		if err != nil {
			return err
		}
		var accepted contract.SubmitResponse
		must(c.t, json.Unmarshal([]byte(answer), &accepted))
		batch = accepted.BatchID
		return nil
	}
	must(c.t, submit())
	return func() error {
		if err := errors.Join(c.consumeQueue(topology.IngestQueue, c.Ingest), submit()); err != nil {
			return err
		}
		err := c.checkItem(batch, 0)
		if errors.Is(err, errRefused) {
			generation++
		}
		return err
	}
}

// startTimeOut leaves a submission in the queue until it times out.
func (c *faultCase) startTimeOut() func() error {
	batch := c.submitUnqueued()
	c.advanceClock(5 * time.Hour)
	return func() error {
		if err := c.sweepOnce(); err != nil {
			return err
		}
		if rows := c.readStoredState().newerThan(c.stored).endedRows(); len(rows) != 1 {
			return errOpen
		}
		if item := c.readBatch(demo.AgencyID, batch).Items[0]; item.ErrorCode != contract.IngestTimedOut {
			c.reportDefect(lost, "an item past its deadline is %+v", item)
		}
		return nil
	}
}

// submitUnqueued submits a candidate whose wake-up message is lost.
func (c *faultCase) submitUnqueued() (batchID string) {
	answer, err := c.send("POST", submitPath, encodeBody(c.t, c.newPerson(0)), c.tag)
	must(c.t, err)
	var accepted contract.SubmitResponse
	must(c.t, json.Unmarshal([]byte(answer), &accepted))
	c.takeMessages()
	return accepted.BatchID
}

// startResend lets the sweeper send a lost wake-up message again.
func (c *faultCase) startResend() func() error {
	batch := c.submitUnqueued()
	c.advanceClock(20 * time.Minute)
	return func() error { return errors.Join(c.sweepOnce(), c.checkItem(batch, 0)) }
}

// startMatchExpiry lets the sweeper expire a match whose window is over.
func (c *faultCase) startMatchExpiry() func() error {
	c.submits = true
	c.mustApply(c.newKindEvent("match", 1))
	c.advanceClock(match.ExpiryPeriod + time.Minute)
	return c.sweepOnce
}

// mustApply applies an event that must not fail.
func (c *faultCase) mustApply(event string) {
	c.t.Helper()
	must(c.t, c.deliverTo(c.Feed, event))
}

// addMember adds a candidate to the network as the app does, and returns the membership's id. The
// case's caller then uses the live key.
func (c *faultCase) addMember() (id string) {
	id = "cu_" + c.tag
	c.key = c.inFlightKey
	c.mustApply(c.newEventJSON("membership.addedByRoleSubmission", id, 1, c.newMemberData()))
	return id
}

func (c *faultCase) newMemberData() string {
	return fmt.Sprintf(`"data":{"agencyId":%q,"recruiterId":%q,"name":"Noor Haddad","email":"noor-%[3]s@example.com","linkedinUrl":"https://www.linkedin.com/in/noor-%[3]s"}`,
		demo.AgencyID, demo.OwnerID, c.tag)
}

// startPut puts a resource of a candidate.
func (c *faultCase) startPut(what string, body any) func() error {
	path := "/talent-network/candidates/" + c.addMember() + "/" + what
	return func() error {
		_, err := c.send("PUT", path, encodeBody(c.t, body), what)
		return err
	}
}

// startMarketChange changes the market state of a member and of a person without a membership,
// after the action before, if it is not empty.
func (c *faultCase) startMarketChange(action, before string) func() error {
	c.addMember()
	change := func(action string) error {
		_, err := c.send("POST", "/talent-network/candidates/"+action, encodeBody(c.t, contract.MarketRequest{Candidates: []contract.CandidateReference{
			{Email: new("noor-" + c.tag + "@example.com")}, {LinkedInURL: new("https://www.linkedin.com/in/nobody-" + c.tag)},
		}}), "")
		return err
	}
	if before != "" {
		must(c.t, change(before))
		c.advanceClock(time.Second)
	}
	return func() error { return change(action) }
}

// newKeyRequest returns a request about the keys of the case's own agency.
func (c *faultCase) newKeyRequest(action keys.Action) keys.Request {
	return keys.Request{Action: action, Type: contract.AgencyKey, Principal: "agy-" + c.tag, Actor: "rec-" + c.tag}
}

// addAgency stores the agency of the case's keys.
func (c *faultCase) addAgency() {
	owner := "rec-" + c.tag
	c.mustApply(c.newEventJSON("agency.upserted", "agy-"+c.tag, 1, `"data":{"name":"Example Agency","apiAccess":true,"talentNetworkAccess":true,"talentNetworkManagement":true,"primaryOwner":"`+owner+`"}`))
	c.mustApply(c.newEventJSON("member.upserted", "agy-"+c.tag+"/"+owner, 1, `"data":{"name":"Ola Example","email":"`+owner+`@example.com","owner":true,"approved":true}`))
}

// startCreateKey creates a key like an administrator who, when an attempt returned no secret,
// revokes the key that it may have created.
func (c *faultCase) startCreateKey() func() error {
	c.addAgency()
	secret := ""
	return func() error {
		listed, err := c.invokeKeys(c.newKeyRequest(keys.List))
		if err != nil {
			return err
		}
		active := slices.DeleteFunc(listed.Keys, func(k keys.Key) bool { return k.Status != keys.Active })
		if secret != "" {
			if len(active) != 1 || !strings.HasSuffix(secret, active[0].Last4) {
				c.reportDefect(lost, "the active keys are %+v", active)
			}
			return nil
		}
		for _, unknown := range active {
			revoke := c.newKeyRequest(keys.Revoke)
			revoke.KeyID = unknown.ID
			if _, err := c.invokeKeys(revoke); err != nil {
				return err
			}
		}
		response, err := c.createNamedKey()
		secret = response.Secret
		return err
	}
}

func (c *faultCase) createNamedKey() (keys.Response, error) {
	request := c.newKeyRequest(keys.Create)
	request.Name = "key"
	request.Environment = "test"
	request.Scopes = contract.AgencyKey.Scopes()
	return c.invokeKeys(request)
}

func (c *faultCase) startRevokeKey() func() error { return c.startKeyChange(keys.Revoke, "") }

func (c *faultCase) startRenameKey() func() error {
	return c.startKeyChange(keys.Rename, "another name")
}

func (c *faultCase) startKeyChange(action keys.Action, name string) func() error {
	c.addAgency()
	created, err := c.createNamedKey()
	must(c.t, err)
	request := c.newKeyRequest(action)
	request.KeyID = created.Key.ID
	request.Name = name
	return func() error {
		response, err := c.invokeKeys(request)
		if err == nil && (action == keys.Revoke) != (response.Key.Status == keys.Revoked) {
			c.reportDefect(lost, "after %s the key is %s", action, response.Key.Status)
		}
		return err
	}
}

// startPublish publishes a generation of the role catalogue with a role that is not in the
// previous one.
func (c *faultCase) startPublish() func() error { return c.startPublication(c.Publish) }

func (c *faultCase) startRebuild() func() error {
	return c.startPublication(func(ctx context.Context) error { _, err := c.indexes.Rebuild(ctx, nil); return err })
}

func (c *faultCase) startPublication(publish func(context.Context) error) func() error {
	c.mustApply(c.newKindEvent("role", 1))
	c.disposes = true
	c.atEnd = c.checkPublished
	return func() error {
		ctx, cancel := c.invocationContext()
		defer cancel()
		err := publish(ctx)
		if c.injector.isDead() {
			return errDied
		}
		return err
	}
}

// checkPublished checks that a search finds the case's role, and that the bucket contains only
// the files that the head names.
func (c *faultCase) checkPublished() {
	answer, err := c.send("GET", "/agency/roles/search?query="+c.tag, nil, "")
	if err != nil || !strings.Contains(answer, "role-"+c.tag) {
		c.reportDefect(lost, "the search finds %s, %v", answer, err)
	}
	bases, err := snapshot.Open(c.hostWithoutHooks().Opener(), catalogue.SnapshotName).Bases(c.t.Context())
	must(c.t, err)
	var files []string
	for _, head := range bases.Heads {
		files = append(files, head.Files...)
	}
	for _, key := range c.storedObjects(topology.MarketplaceBucket, catalogue.SnapshotName+"/") {
		if !slices.Contains(files, key) {
			c.reportDefect(orphan, "%s belongs to no generation; the generations have %v", key, files)
		}
	}
}

// startErasure erases a person with every kind of stored data: a membership, an upload, a
// submission in the queue, and entities of the marketplace's app.
func (c *faultCase) startErasure() func() error {
	ingest := c.startIngest()
	must(c.t, ingest())
	c.advanceClock(time.Second)
	one := c.newPerson(0)
	upload := c.uploadContent(readPriyaResume(c.t) + "\n" + c.tag)
	item := contract.BulkItem{
		Name: one.Name, Email: one.Email, LinkedInURL: one.LinkedInURL, Preferences: one.Preferences, RecruiterEmail: new(demo.MemberEmail),
		Resume: contract.ResumeReference{ResumeFileID: upload.ResumeFileID}, OnMarketConfirmed: true,
	}
	_, err := c.send("POST", bulkPath, encodeBody(c.t, newBulkRequest(item)), "")
	must(c.t, err)
	c.mustApply(c.newKindEvent("match", 1))
	for _, kind := range []string{"crmCandidate", "application", "call"} {
		c.mustApply(c.newKindEvent(kind, 1))
	}
	c.erases = true
	event := c.newErasure("person-"+c.tag, one.Email, one.LinkedInURL)
	return func() error { return c.deliverTo(c.Feed, event) }
}
