package ingest_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/ingest"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// worker is the function with its own tables and bucket, and one agency.
type worker struct {
	t           *testing.T
	host        cloud.Host
	service     *ingest.Service
	submissions *submission.Store
	resumes     objectstore.Bucket
	now         time.Time
	calls       cloudtest.Calls // of the function
}

func newWorker(t *testing.T) *worker {
	t.Helper()
	w := &worker{t: t, now: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)}
	host := cloudtest.System(t, nil, func() time.Time { return w.now })
	host.Log = slog.New(slog.DiscardHandler)
	accounts := host.Opener().Table(topology.Accounts)
	agency := demo.Agency{
		Agency:  account.Agency{ID: "agy_1", Name: "Example Search", APIAccess: true, TalentNetworkAccess: true, PrimaryOwner: "rec_1"},
		Members: []account.Member{{ID: "rec_1", Name: "Olga Owner", Email: "olga@example.com", Owner: true, Approved: true}},
	}
	w.must(agency.Apply(t.Context(), account.NewStore(accounts, dynamo.New(host.AWS).WriteTx), 1))
	opener := host.Opener()
	w.submissions = submission.Open(opener)
	w.resumes = objectstore.Open(opener, topology.Resumes)
	w.must(opener.Err())
	host.AWS = cloud.WithHook(host.AWS, w.calls.Hook)
	w.host = host
	var err error
	w.service, err = ingest.New(t.Context(), host)
	w.must(err)
	return w
}

func (w *worker) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// testTenant is the tenant of all submissions.
var testTenant = tenant.Of("agy_1", "test")

// ingestFile submits a candidate with a resume, delivers the message once and returns the item.
func (w *worker) ingestFile(name, slug string, content []byte) contract.BatchItem {
	w.t.Helper()
	key := "uploads/agy_1/" + slug
	w.must(w.resumes.Put(w.t.Context(), key, "application/octet-stream", content))
	batch, wakeUps := w.accept(submission.Submission{Name: name, Email: slug + "@example.com", LinkedInURL: "https://www.linkedin.com/in/" + slug, ResumeKey: key})
	w.deliver(wakeUps[0])
	return w.readItems(batch)[0]
}

// accept completes the submissions, which have only a person and a file, accepts them as a
// batch, and returns their wake-up messages.
func (w *worker) accept(subs ...submission.Submission) (batch uuid.UUID, wakeUps []string) {
	w.t.Helper()
	b := submission.Batch{ID: uuid.Must(uuid.NewV7()), Tenant: testTenant, CreatedAt: w.now, ItemCount: len(subs)}
	for i := range subs {
		sub := &subs[i]
		sub.ID = submission.NewID(b.ID, i)
		sub.BatchID = b.ID
		sub.Index = i
		sub.AgencyID = "agy_1"
		sub.OwnerID = "rec_1"
		sub.Environment = "test"
		sub.SubmittedAt = w.now
		sub.Deadline = w.now.Add(15 * time.Minute)
		sub.Preferences = contract.WorkPreferences{Locations: []contract.Location{"texas"}, SalaryMin: 100_000}
	}
	outcomes, err := w.submissions.Accept(w.t.Context(), b, subs)
	w.must(err)
	for _, o := range outcomes {
		wakeUps = append(wakeUps, o.WakeUp.Body)
	}
	return b.ID, wakeUps
}

func (w *worker) deliver(wakeUp string) {
	w.t.Helper()
	response, err := w.service.Handle(w.t.Context(), events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m1", Body: wakeUp}}})
	w.must(err)
	if len(response.BatchItemFailures) > 0 {
		w.t.Errorf("the message %s is to be delivered again", wakeUp)
	}
}

func (w *worker) readItems(id uuid.UUID) []contract.BatchItem {
	w.t.Helper()
	batch, _, err := w.submissions.ReadBatch(w.t.Context(), testTenant, id, w.now)
	w.must(err)
	return batch.Items
}

// A hostile file takes at most the time of one reading, ends its item in one attempt, leaves
// nothing running and does not affect the next message.
func TestHostileFilesTakeOneReading(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	good, err := resumes.Files.ReadFile("priya-raman.txt")
	w.must(err)
	w.ingestFile("Maya Okafor", "maya-okafor", readDemoPDF(w)) // compiles the sandbox, once in a process
	for name, content := range map[string][]byte{
		"open-brackets":  []byte("# Curriculum vitae\n" + strings.Repeat("[", 89<<20/10)),
		"relationships":  docxOfRelationships(90_000),
		"forms-of-forms": resumetest.PDFOfForms(10, 12),
	} {
		if item := w.ingestFile("Ada Example", name, content); item.ErrorCode != contract.ResumeParseFailed {
			t.Errorf("%s: got %s %s; want resume_parse_failed in one attempt", name, item.Status, item.ErrorCode)
		}
		checkNoReadingLeft(t, name)
		if item := w.ingestFile("Priya Raman", "priya-after-"+name, good); item.Status != contract.Succeeded {
			t.Errorf("after %s: got %s %s for a good file", name, item.Status, item.ErrorCode)
		}
	}
}

func readDemoPDF(w *worker) []byte {
	content, err := resumes.Files.ReadFile("maya-okafor.libreoffice.pdf")
	w.must(err)
	return content
}

// checkNoReadingLeft fails if a goroutine is still in a reader after a minute.
func checkNoReadingLeft(t *testing.T, name string) {
	t.Helper()
	var stacks bytes.Buffer
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(5 * time.Millisecond) {
		stacks.Reset()
		_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1) // writing to memory cannot fail
		if !strings.Contains(stacks.String(), "shared/candidate/resume") {
			return
		}
	}
	t.Errorf("%s: a reading is left:\n%s", name, stacks.String())
}

// docxOfRelationships returns a DOCX file with n hyperlinks and n relationships, none of which
// belongs to any of the hyperlinks.
func docxOfRelationships(n int) []byte {
	var relationships strings.Builder
	for i := range n {
		fmt.Fprintf(&relationships, `<Relationship Id="%d" Target="%d"/>`, i, i)
	}
	body := "<w:p>" + strings.Repeat(`<w:hyperlink r:id="x"/>`, n) + "<w:t>Curriculum vitae</w:t></w:p>"
	return resumetest.NewDOCX(
		resumetest.Part{Name: "word/_rels/document.xml.rels", Text: "<Relationships>" + relationships.String() + "</Relationships>"},
		resumetest.NewDocumentPart(body),
	)
}
