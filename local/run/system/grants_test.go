package system_test

import (
	"encoding/base64"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// Every action of the keys function, within its grants.
func TestKeysWithinItsGrants(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	service, err := keys.New(t.Context(), system.Permitted(s.Host, "keys"))
	must(t, err)
	for _, principal := range []keys.Request{
		{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID},
		{Type: contract.PersonalKey, Principal: demo.OwnerID, Actor: demo.OwnerID},
	} {
		create := principal
		create.Action = keys.Create
		create.Name = "one"
		create.Scopes = principal.Type.Scopes()
		create.Environment = "test"
		created, err := service.Handle(t.Context(), create)
		must(t, err)
		for _, action := range []keys.Action{keys.List, keys.Rename, keys.Revoke} {
			r := principal
			r.Action = action
			if action != keys.List {
				r.KeyID = created.Key.ID
			}
			if action == keys.Rename {
				r.Name = "two"
			}
			if _, err := service.Handle(t.Context(), r); err != nil {
				t.Errorf("%s of a %s key: %v", action, r.Type, err)
			}
		}
	}
}

// The sweeper ends overdue submissions and deletes their files within its grants.
func TestSweeperEndsWithinItsGrants(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	accepted, err := s.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	s.advanceClock(5 * time.Hour)
	must(t, s.Sweep(t.Context()))
	if left := s.storedItems(topology.Submissions, "L#"); len(left) > 0 {
		t.Errorf("%d items are live after the sweep of their time-out", len(left))
	}
	checkItem(t, s.readBatch(demo.AgencyID, accepted.BatchID).Items[0], contract.Failed, contract.IngestTimedOut)
	if files := s.storedFiles(""); len(files) > 0 {
		t.Errorf("the files %v are left", files)
	}
}

// The uploads container serves submissions' handlers within its own grants, which are
// fewer, since it only gets the upload paths.
func TestUploadsWithinItsGrants(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	uploads, err := submissions.New(t.Context(), system.Permitted(s.Host, topology.Uploads.Name))
	must(t, err)
	server := httptest.NewServer(uploads)
	t.Cleanup(server.Close)
	api := client.New(server.URL+contract.BasePath, s.newAgencyKey(), withShortWaits)
	for range 2 { // the second is deduplicated
		_, err := api.Submit(t.Context(), newSubmitRequest(t, priya, ""))
		must(t, err)
	}
	s.takeMessages()
	s.advanceClock(submission.DefaultTimeout + time.Second) // the next one ends the first
	_, err = api.Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	for range 2 { // the second is the first again
		content := base64.StdEncoding.EncodeToString([]byte("Priya Raman, engineer"))
		_, err := api.Upload(t.Context(), contract.ResumeFile{ContentBase64: content})
		must(t, err)
	}
	refused := newSubmitRequest(t, priya, "")
	refused.RecruiterEmail = new(demo.PendingEmail)
	if _, err := api.Submit(t.Context(), refused); err == nil {
		t.Error("a submission for a pending member was accepted")
	}
}

// The feed erases an ingested person and the file within its grants.
func TestErasureWithinTheFeedsGrants(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	_, err := s.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	s.runWorkers()
	if len(s.membershipIDs(priya.email)) != 1 || len(s.storedFiles("resumes/")) != 1 {
		t.Fatalf("got %v with %v; want one of each", s.membershipIDs(priya.email), s.storedFiles("resumes/"))
	}
	worker, err := feed.New(t.Context(), system.Permitted(s.Host, topology.Feed.Name))
	must(t, err)
	event := s.newErasure("person1", priya.email, "https://www.linkedin.com/in/"+priya.slug)
	refused, err := worker.Apply(t.Context(), event)
	if err != nil || refused != "" {
		t.Fatalf("refused %q, %v", refused, err)
	}
	if left, files := s.membershipIDs(priya.email), s.storedFiles("resumes/"); len(left)+len(files) > 0 {
		t.Errorf("%v and %v are left", left, files)
	}
}

// The sweeper stores expiries within its grants.
func TestSweeperExpiresWithinItsGrants(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	s.seedRecruiter(demo.OwnerID)
	s.advanceClock(match.ExpiryPeriod)
	must(t, s.Sweep(t.Context()))
	var stored match.Match
	state, err := entity.NewStore(s.openTable(topology.Marketplace), nil).Get(t.Context(), match.Key(seededMatch))
	must(t, err)
	if must(t, state.Into(&stored)); stored.Status != contract.MatchStatusExpired || state.Version != 1 {
		t.Errorf("got %s, version %d; want it expired, with the version of its event", stored.Status, state.Version)
	}
}

// A publisher that finds another publisher's generation continues from it, and the sweeper
// removes former generations and replaced transcripts, both within their grants.
func TestCatalogWithinItsGrants(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	for i := range 4 {
		s.applyEvent("role.upserted", "r1", 1+i, newRoleData("Carpenter", nil))
		s.applyEvent("intakeTranscript.upserted", "intake1", 1+i, object{"roleId": "r1", "updatedAt": "2026-01-02T00:00:00Z", "text": "News.", "readers": object{"all": true}})
		s.advanceClock(2 * time.Minute)
		worker, err := publisher.New(t.Context(), system.Permitted(s.Host, topology.Publisher.Name))
		must(t, err)
		out, err := worker.Publish(t.Context())
		must(t, err)
		again, err := worker.Publish(t.Context())
		must(t, err)
		if !out.Published || again.Published {
			t.Errorf("round %d: got %v, then %v; want one publication", i, out, again)
		}
	}
	must(t, s.Sweep(t.Context()))
	s.checkObjects()
	s.advanceClock(20 * time.Minute)
	must(t, s.Sweep(t.Context()))
	if objects := s.storedObjects(topology.MarketplaceBucket, ""); len(objects) != 2 {
		t.Errorf("got the objects %q; want the last generation and the transcript", objects)
	}
	s.checkObjects()
}
