package system_test

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/local/operate/restore"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// backup is what tables and buckets had at a time.
type backup struct {
	items   map[string][]map[string]types.AttributeValue // by a table's name
	objects map[string]map[string][]byte                 // by a bucket's name and a key
}

// scanItems returns all items of a table as they are stored.
func (sys *testSystem) scanItems(t topology.Table) (all []map[string]types.AttributeValue) {
	sys.t.Helper()
	name := sys.Host.Getenv(t.Env)
	pages := dynamodb.NewScanPaginator(dynamodb.NewFromConfig(sys.hostWithoutHooks().AWS), &dynamodb.ScanInput{TableName: &name})
	for pages.HasMorePages() {
		page, err := pages.NextPage(sys.t.Context())
		must(sys.t, err)
		all = append(all, page.Items...)
	}
	return all
}

// takeBackup copies the tables and the bucket of resumes.
func (sys *testSystem) takeBackup() backup {
	sys.t.Helper()
	b := backup{map[string][]map[string]types.AttributeValue{}, map[string]map[string][]byte{}}
	for _, t := range topology.Tables {
		b.items[t.Name] = sys.scanItems(t)
	}
	bucket := objectstore.Open(sys.Host.Opener(), topology.Resumes)
	b.objects[topology.Resumes.Name] = map[string][]byte{}
	for _, key := range sys.storedObjects(topology.Resumes, "") {
		content, err := bucket.Get(sys.t.Context(), key, 1<<24)
		must(sys.t, err)
		b.objects[topology.Resumes.Name][key] = content
	}
	return b
}

// restoreBackup makes the tables, and then the bucket of resumes, what they were: what came since
// is gone from the tables, and what was deleted since is back.
func (sys *testSystem) restoreBackup(b backup) {
	sys.t.Helper()
	client := dynamodb.NewFromConfig(sys.hostWithoutHooks().AWS)
	for _, t := range topology.Tables {
		name := sys.Host.Getenv(t.Env)
		for _, item := range sys.scanItems(t) {
			key := map[string]types.AttributeValue{topology.PK: item[topology.PK], topology.SK: item[topology.SK]}
			_, err := client.DeleteItem(sys.t.Context(), &dynamodb.DeleteItemInput{TableName: &name, Key: key})
			must(sys.t, err)
		}
		for _, item := range b.items[t.Name] {
			_, err := client.PutItem(sys.t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: item})
			must(sys.t, err)
		}
	}
	bucket := objectstore.Open(sys.Host.Opener(), topology.Resumes)
	for key, content := range b.objects[topology.Resumes.Name] {
		must(sys.t, bucket.Put(sys.t.Context(), key, "text/plain", content))
	}
}

// The drill of a restore: after all tables and the bucket of resumes were brought back to a time
// before an erasure, the person is there again; the archived erasures remove every trace, nothing
// is orphaned, and who was not erased is still there. The time is one at which the erasure had been archived, but had not
// deleted anything.
func TestDrillRestore(t *testing.T) {
	t.Parallel()
	p := newErasedPerson(t)
	other := person{jonas.file, jonas.name, jonas.email, jonas.slug}
	p.submitToAgencies(other)
	p.submitToAgencies(p.present)
	p.submitUploads()
	p.sendAllKinds()
	p.runWorkers()
	before := p.takeBackup()
	if refused, err := p.feeder.Apply(t.Context(), p.newErasure("person-wilma", "https://www.linkedin.com/in/"+erasedSlug, p.former.email, p.present.email)); refused != "" || err != nil {
		t.Fatal(refused, err)
	}
	archived := time.Now()
	p.publishNotedCRMs()
	p.checkFoundNowhere("after the erasure")

	start := time.Now()
	p.restoreBackup(before)
	restored := time.Since(start)
	if found := p.findTraces(); len(found) < 20 {
		t.Fatalf("the restored tables have traces in %q only", found)
	}
	start = time.Now()
	n, err := restore.ReplayErasures(t.Context(), p.Host, archived, p.feeder.Apply)
	if n != 1 || err != nil {
		t.Errorf("%d erasures were applied again, %v; want one", n, err)
	}
	replayed := time.Since(start)
	p.publishNotedCRMs()
	p.checkFoundNowhere("after the erasures were applied again")
	p.deliverLate()
	p.checkFoundNowhere("after late events")
	start = time.Now()
	orphans, err := restore.FindOrphans(t.Context(), p.Host, time.Now().Add(time.Hour))
	if orphans.Count() != 0 || err != nil {
		t.Errorf("got the orphans %+v, %v; want none", orphans, err)
	}
	if ids := p.membershipIDs(other.email); len(ids) != 2 {
		t.Errorf("the other person has the memberships %v, want two", ids)
	}
	t.Logf("drill of a restore: %d items restored in %v, an erasure applied again in %v, orphans looked for in %v",
		len(slices.Concat(before.items["network"], before.items["submissions"], before.items["marketplace"], before.items["accounts"])), restored, replayed, time.Since(start))
}

// Planted orphans are found: a membership whose resume is gone, a resume of no membership, and an
// in-flight submission without its upload.
func TestOrphansAreFound(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	api := s.newAgencyClient()
	_, err := api.Submit(t.Context(), newSubmitRequest(t, jonas, ""))
	must(t, err)
	s.runWorkers()
	waiting, err := api.Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	bucket := objectstore.Open(s.Host.Opener(), topology.Resumes)
	for _, key := range s.storedObjects(topology.Resumes, "") {
		must(t, bucket.Delete(t.Context(), key))
	}
	must(t, bucket.Put(t.Context(), "resumes/nobody/1", "text/plain", []byte("x")))
	got, err := restore.FindOrphans(t.Context(), s.Host, time.Now().Add(time.Hour))
	must(t, err)
	want := restore.Orphans{
		MembershipsWithoutFile: s.membershipIDs(jonas.email), FilesWithoutMembership: []string{"resumes/nobody/1"}, SubmissionsWithoutFile: []string{waiting.SubmissionID},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("orphans (-want +got):\n%s", diff)
	}
	got, err = restore.FindOrphans(t.Context(), s.Host, time.Now())
	if err != nil || len(got.FilesWithoutMembership) > 0 {
		t.Errorf("%v; the files %q may be of submissions that are being ingested", err, got.FilesWithoutMembership)
	}
}

// The drill of a rebuild: without the catalogue's objects and its head, lists come back from the
// table alone.
func TestDrillRebuild(t *testing.T) {
	t.Parallel()
	const roles = 240
	s := newRoleSystem(t, roles)
	must(t, s.Publish(t.Context()))
	before := s.listRoles("limit=100").Roles
	bucket := objectstore.Open(s.Host.Opener(), topology.MarketplaceBucket)
	for _, key := range s.storedObjects(topology.MarketplaceBucket, "catalog/") {
		must(t, bucket.Delete(t.Context(), key))
	}
	head := s.openTable(topology.Marketplace)
	for _, item := range s.storedItems(topology.Marketplace, "H#catalog") {
		must(t, head.Delete(topology.PK, item[topology.PK]).Range(topology.SK, item[topology.SK]).Run(t.Context()))
	}
	start := time.Now()
	worker, err := publisher.New(t.Context(), s.hostWithoutHooks())
	must(t, err)
	n, err := worker.Rebuild(t.Context(), nil)
	must(t, err)
	took := time.Since(start)
	s.serveRoles(func(h cloud.Host) cloud.Host { return h }) // by an instance that has loaded nothing
	after := s.listRoles("limit=100").Roles
	if diff := cmp.Diff(before, after); diff != "" || len(after) < 20 || n != roles {
		t.Errorf("%d roles are listed after the rebuild (-before +after):\n%s", len(after), diff)
	}
	t.Logf("drill of a rebuild: a catalogue of %d roles in %v", n, took)
}
