package system_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A candidate belongs to the named member, or else to the primary owner, with a separate
// membership for each.
func TestAttribution(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	api := s.newAgencyClient()
	in := newSubmitRequest(t, priya, "")
	for _, email := range []*string{nil, new(demo.OwnerEmail), new(demo.MemberEmail), new("AMADOU.keita@example.com")} {
		in.RecruiterEmail = email
		accepted, err := api.Submit(t.Context(), in)
		must(t, err)
		s.runWorkers()
		checkItem(t, s.readBatch(demo.AgencyID, accepted.BatchID).Items[0], contract.Succeeded, "")
	}
	owners := map[any]int{}
	for _, m := range s.storedItems(topology.Network, "M#") {
		owners[m["owner"]]++
	}
	if diff := cmp.Diff(map[any]int{demo.OwnerID: 1, demo.MemberID: 1}, owners); diff != "" {
		t.Errorf("memberships by owner (-want +got):\n%s", diff)
	}
}

// A candidate belongs to the member who is the primary owner when the submission is judged,
// even if the key named another one when it was checked.
func TestAttributionWhileThePrimaryOwnerChanges(t *testing.T) {
	t.Parallel()
	var change atomic.Pointer[func() error]
	s := newManualSystem(t, hookBefore("BatchGetItem", func(context.Context) error {
		if do := change.Swap(nil); do != nil {
			return (*do)()
		}
		return nil
	}))
	api := s.newAgencyClient()
	accounts := s.openAccounts()
	agency, err := accounts.Agency(t.Context(), demo.AgencyID)
	must(t, err)
	for turn, owner := range []string{demo.MemberID, demo.OwnerID} {
		change.Store(new(func() error {
			agency.PrimaryOwner = owner
			return accounts.ApplyAgency(t.Context(), agency.ID, int64(turn)+2, &agency)
		}))
		_, err := api.Submit(t.Context(), newSubmitRequest(t, priya, ""))
		must(t, err)
		s.runWorkers()
		if owners := s.storedItems(topology.Network, "M#"); len(owners) != turn+1 || !slices.ContainsFunc(owners, func(m map[string]any) bool { return m["owner"] == owner }) {
			t.Errorf("turn %d: the memberships are %v; want one more of %s", turn, owners, owner)
		}
	}
}

// Problems of the file and of the records are reported together, and a refusal leaves
// nothing behind.
func TestSubmitTellsAllProblems(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	in := newSubmitRequest(t, priya, "")
	in.Resume.ContentBase64 = "???"
	in.RecruiterEmail = new("nobody@example.com")
	submit := func() reply {
		return s.sendRequest("POST", submitPath, key, encodeBody(t, in), "Idempotency-Key", "one")
	}
	for _, c := range []struct {
		mend func()
		code contract.Code
		says []string
	}{
		{func() {}, contract.ValidationFailed, []string{`"recruiterEmail":["recruiterEmail: must be`, `"resume":["resume.contentBase64: is not base64`}},
		{func() { in.RecruiterEmail = nil }, contract.InvalidBase64, []string{`"fieldErrors":{"resume":["resume.contentBase64: is not base64`}},
	} {
		c.mend()
		r := submit()
		for _, says := range c.says {
			if r.status != 400 || r.errorCode() != c.code || !strings.Contains(r.body, says) {
				t.Errorf("got %d %s; want 400 %s saying %s", r.status, r.body, c.code, says)
			}
		}
	}
	if items := s.storedItems(topology.Submissions, ""); len(items) > 0 {
		t.Errorf("refused requests left %v", items)
	}
}

// An existing candidate keeps the id; preferences and resume are replaced, and the
// replaced file is deleted.
func TestSubmitAgain(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	api := s.newAgencyClient()
	in := newSubmitRequest(t, priya, "")
	var members []string
	for _, salary := range []int64{90_000, 110_000} {
		in.Preferences.SalaryMin = salary
		accepted, err := api.Submit(t.Context(), in)
		must(t, err)
		s.runWorkers()
		members = append(members, s.readBatch(demo.AgencyID, accepted.BatchID).Items[0].CandidateUserID)
		s.advanceClock(time.Hour)
	}
	if members[0] != members[1] || members[0] == "" {
		t.Fatalf("got the ids %v; want one", members)
	}
	got, err := api.Preferences(t.Context(), members[0])
	must(t, err)
	if *got.Preferences.SalaryMin != 110_000 {
		t.Errorf("got %d; want the later preferences", *got.Preferences.SalaryMin)
	}
	if files := s.storedFiles(""); len(files) != 1 {
		t.Errorf("got the files %v; want the later one alone", files)
	}
}

// storedFiles are the keys of the resumes that begin with prefix.
func (sys *testSystem) storedFiles(prefix string) []string {
	sys.t.Helper()
	return sys.storedObjects(topology.Resumes, prefix)
}

// storedObjects are the keys of a bucket's objects that begin with prefix.
func (sys *testSystem) storedObjects(of topology.Bucket, prefix string) (keys []string) {
	sys.t.Helper()
	bucket := sys.Host.Getenv(of.Env)
	client := s3.NewFromConfig(sys.Host.AWS, func(o *s3.Options) { o.UsePathStyle = true })
	out, err := client.ListObjectsV2(sys.t.Context(), &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &prefix})
	must(sys.t, err)
	for _, object := range out.Contents {
		keys = append(keys, *object.Key)
	}
	return keys
}

// A submission past its deadline blocks no new one, even if no sweeper has run.
func TestTimedOutBlocksNobody(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	release := make(chan struct{})
	sys := startSystemWith(t, map[string]string{"SWEEP_EVERY": "24h"}, system.Options{Provider: heldProvider(asked, release)})
	api := sys.newAgencyClient()
	in := newSubmitRequest(t, priya, "")
	late, err := api.Submit(t.Context(), in)
	must(t, err)
	<-asked
	sys.advanceClock(submission.DefaultTimeout)
	next, err := api.Submit(t.Context(), in)
	must(t, err)
	if next.Deduplicated {
		t.Error("a submission that timed out made its successor a duplicate")
	}
	close(release)
	item := waitForItem(t, t.Context(), api, next.BatchID)
	checkItem(t, item, contract.Succeeded, "")
	sys.Stop() // waits for the late worker
	checkItem(t, sys.readBatch(demo.AgencyID, late.BatchID).Items[0], contract.Failed, contract.IngestTimedOut)
	if diff := cmp.Diff([]string{item.CandidateUserID}, sys.membershipIDs(priya.email)); diff != "" {
		t.Errorf("memberships (-want +got):\n%s", diff)
	}
}

// A pending batch says when to ask again; a batch is kept 90 days.
func TestBatchAges(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	accepted, err := s.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	ask := func() reply { return s.sendRequest("GET", "/talent-network/batches/"+accepted.BatchID, key, nil) }
	for _, age := range []time.Duration{0, time.Minute, time.Hour} {
		if r := ask(); r.status != 200 || r.header.Get("Retry-After") == "" {
			t.Errorf("about %v old: %d, Retry-After %q; want a wake-up message", age, r.status, r.header.Get("Retry-After"))
		}
		s.advanceClock(age)
	}
	s.runWorkers()
	if r := ask(); r.status != 200 || r.header.Get("Retry-After") != "" {
		t.Errorf("ended: %d, Retry-After %q; want none", r.status, r.header.Get("Retry-After"))
	}
	s.freezeClock(midMinute.Add(submission.Retention - 24*time.Hour))
	if r := ask(); r.status != 200 {
		t.Errorf("a day before its end: %d %s", r.status, r.body)
	}
	s.freezeClock(midMinute.Add(submission.Retention))
	if r := ask(); r.status != 404 {
		t.Errorf("after 90 days: %d %s; want 404", r.status, r.body)
	}
}
