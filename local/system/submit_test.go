package system_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/system"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A candidate belongs to the member named, or else to the primary owner, and is
// another one for each.
func TestAttribution(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	api, in := s.agency(), request(t, priya, "")
	for _, email := range []*string{nil, new(demo.OwnerEmail), new(demo.MemberEmail), new("AMADOU.keita@example.com")} {
		in.RecruiterEmail = email
		accepted, err := api.Submit(t.Context(), in)
		must(t, err)
		s.work()
		ends(t, s.read(demo.AgencyID, accepted.BatchID).Items[0], contract.Succeeded, "")
	}
	owners := map[any]int{}
	for _, m := range s.stored(topology.Network, "M#") {
		owners[m["owner"]]++
	}
	if diff := cmp.Diff(map[any]int{demo.OwnerID: 1, demo.MemberID: 1}, owners); diff != "" {
		t.Errorf("memberships by owner (-want +got):\n%s", diff)
	}
}

// What is wrong with the file is told together with what the records tell, and a
// refusal leaves nothing behind.
func TestSubmitTellsAllProblems(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	key, in := s.agencyKey(), request(t, priya, "")
	in.Resume.ContentBase64, in.RecruiterEmail = "???", new("nobody@example.com")
	submit := func() reply { return s.send("POST", submitPath, key, encoded(t, in), "Idempotency-Key", "one") }
	for _, c := range []struct {
		mend func()
		code contract.Code
		says []string
	}{
		{func() {}, contract.ValidationFailed, []string{`"recruiterEmail":["recruiterEmail: must be`, `"resume":["resume.contentBase64: is no base64`}},
		{func() { in.RecruiterEmail = nil }, contract.InvalidBase64, []string{`"fieldErrors":{"resume":["resume.contentBase64: is no base64`}},
	} {
		c.mend()
		r := submit()
		for _, says := range c.says {
			if r.status != 400 || r.code() != c.code || !strings.Contains(r.body, says) {
				t.Errorf("got %d %s; want 400 %s saying %s", r.status, r.body, c.code, says)
			}
		}
	}
	if items := s.stored(topology.Submissions, ""); len(items) > 0 {
		t.Errorf("refused requests left %v", items)
	}
}

// A candidate who is there already keeps the id; preferences and resume are
// replaced, and the replaced file is gone.
func TestSubmitAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	api, in := s.agency(), request(t, priya, "")
	var members []string
	for _, salary := range []int64{90_000, 110_000} {
		in.Preferences.SalaryMin = salary
		accepted, err := api.Submit(t.Context(), in)
		must(t, err)
		s.work()
		members = append(members, s.read(demo.AgencyID, accepted.BatchID).Items[0].CandidateUserID)
		s.move(time.Hour)
	}
	if members[0] != members[1] || members[0] == "" {
		t.Fatalf("got the ids %v; want one", members)
	}
	got, err := api.Preferences(t.Context(), members[0])
	must(t, err)
	if *got.Preferences.SalaryMin != 110_000 {
		t.Errorf("got %d; want the later preferences", *got.Preferences.SalaryMin)
	}
	if files := s.files(""); len(files) != 1 {
		t.Errorf("got the files %v; want the later one alone", files)
	}
}

// files are the keys of the resumes that begin with prefix.
func (b *bed) files(prefix string) []string {
	b.t.Helper()
	return b.objects(topology.Resumes, prefix)
}

// objects are the keys of a bucket's objects that begin with prefix.
func (b *bed) objects(of topology.Bucket, prefix string) (keys []string) {
	b.t.Helper()
	bucket := b.Host.Getenv(of.Env)
	client := s3.NewFromConfig(b.Host.AWS, func(o *s3.Options) { o.UsePathStyle = true })
	out, err := client.ListObjectsV2(b.t.Context(), &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &prefix})
	must(b.t, err)
	for _, object := range out.Contents {
		keys = append(keys, *object.Key)
	}
	return keys
}

// A submission past its time blocks no new one, though no sweeper has run.
func TestTimedOutBlocksNobody(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}), make(chan struct{})
	b := startWith(t, map[string]string{"SWEEP_EVERY": "24h"}, system.Options{Provider: held(asked, release)})
	api, in := b.agency(), request(t, priya, "")
	late, err := api.Submit(t.Context(), in)
	must(t, err)
	<-asked
	b.move(submission.DefaultTimeout)
	next, err := api.Submit(t.Context(), in)
	must(t, err)
	if next.Deduplicated {
		t.Error("a submission that timed out made its successor a duplicate")
	}
	close(release)
	item := settled(t, t.Context(), api, next.BatchID)
	ends(t, item, contract.Succeeded, "")
	b.Stop() // waits for the late worker
	ends(t, b.read(demo.AgencyID, late.BatchID).Items[0], contract.Failed, contract.IngestTimedOut)
	if diff := cmp.Diff([]string{item.CandidateUserID}, b.memberships(priya.email)); diff != "" {
		t.Errorf("memberships (-want +got):\n%s", diff)
	}
}

// A batch tells when to ask again while it is on its way, and is kept 90 days.
func TestBatchAges(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	key := s.agencyKey()
	accepted, err := s.agency().Submit(t.Context(), request(t, priya, ""))
	must(t, err)
	ask := func() reply { return s.send("GET", "/talent-network/batches/"+accepted.BatchID, key, nil) }
	for _, age := range []time.Duration{0, time.Minute, time.Hour} {
		if r := ask(); r.status != 200 || r.header.Get("Retry-After") == "" {
			t.Errorf("about %v old: %d, Retry-After %q; want a hint", age, r.status, r.header.Get("Retry-After"))
		}
		s.move(age)
	}
	s.work()
	if r := ask(); r.status != 200 || r.header.Get("Retry-After") != "" {
		t.Errorf("ended: %d, Retry-After %q; want none", r.status, r.header.Get("Retry-After"))
	}
	s.freeze(midMinute.Add(submission.Retention - 24*time.Hour))
	if r := ask(); r.status != 200 {
		t.Errorf("a day before its end: %d %s", r.status, r.body)
	}
	s.freeze(midMinute.Add(submission.Retention))
	if r := ask(); r.status != 404 {
		t.Errorf("after 90 days: %d %s; want 404", r.status, r.body)
	}
}
