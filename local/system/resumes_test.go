package system_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const uploadPath = "/resumes"

// otherKey creates a key of another agency, with a window of its own.
func (b *bed) otherKey() string {
	b.t.Helper()
	return b.key(contract.AgencyKey, demo.OtherAgencyID, demo.OtherOwnerID)
}

// uploads sends content under a file name ("" for none) and answers the reply.
func (b *bed) uploads(key, content, fileName string) reply {
	fields := map[string]string{"contentBase64": base64.StdEncoding.EncodeToString([]byte(content))}
	if fileName != "" {
		fields["fileName"] = fileName
	}
	body, _ := json.Marshal(fields) // strings always marshal
	return b.send("POST", uploadPath, key, body)
}

// upload is an upload that must be accepted.
func (b *bed) upload(key, content string) contract.ResumeUpload {
	b.t.Helper()
	return uploaded(b.t, b.uploads(key, content, ""))
}

func uploaded(t *testing.T, r reply) (out contract.ResumeUpload) {
	t.Helper()
	if r.status != 200 {
		t.Fatalf("got %d %s; want 200", r.status, r.body)
	}
	must(t, json.Unmarshal([]byte(r.body), &out))
	return out
}

func TestUploadAnswersEveryField(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	got := uploaded(t, s.uploads(s.agencyKey(), "Ada Example\nada@example.com", "ada.txt"))
	want := contract.ResumeUpload{
		ResumeFileID: got.ResumeFileID, FileName: new("ada.txt"), ContentType: "text/plain", SizeBytes: 27,
		SHA256:    fmt.Sprintf("%x", sha256.Sum256([]byte("Ada Example\nada@example.com"))),
		CreatedAt: contract.At(s.now()), ExpiresAt: contract.At(s.now().Add(submission.UploadLife)),
	}
	if diff := cmp.Diff(want, got); diff != "" || got.ResumeFileID[14] != '7' {
		t.Errorf("got %+v (-want +got):\n%s", got, diff)
	}
	if body := s.uploads(s.agencyKey(), "no name", "").body; !strings.Contains(body, `"fileName":null`) {
		t.Errorf("got %s; want a null fileName", body)
	}
}

func TestUploadRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	key := s.agencyKey()
	for name, c := range map[string]struct {
		body string
		code contract.Code
	}{
		"no content":       {`{}`, contract.ValidationFailed},
		"empty content":    {`{"contentBase64": ""}`, contract.ValidationFailed},
		"null name":        {`{"fileName": null, "contentBase64": "QWRh"}`, contract.ValidationFailed},
		"long name":        {fmt.Sprintf(`{"fileName": %q, "contentBase64": "QWRh"}`, strings.Repeat("n", 256)), contract.ValidationFailed},
		"no base64":        {`{"contentBase64": "???"}`, contract.InvalidBase64},
		"padding alone":    {`{"contentBase64": "===="}`, contract.EmptyFile},
		"white space":      {`{"contentBase64": "ICAg"}`, contract.EmptyFile},
		"a picture":        {`{"contentBase64": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}`, contract.UnsupportedFileType},
		"a legacy .doc":    {`{"contentBase64": "0M8R4KGxGuEAAAAAAAAAAAAAAAAAAAAA"}`, contract.UnsupportedFileType},
		"a data: URL":      {`{"contentBase64": "data:text/plain;base64,QWRh"}`, ""},
		"URL-safe":         {`{"contentBase64": "QWRhIC0-IEV4YW1wbGU_"}`, ""},
		"line breaks":      {`{"contentBase64": "QWRh\r\nIEV4\nYW1wbGU="}`, ""},
		"escaped slashes":  {`{"contentBase64": "QWRhIE8\/\/\/"}`, ""},
		"another data URL": {`{"contentBase64": "data:text/plain,Ada"}`, contract.InvalidBase64},
	} {
		r := s.send("POST", uploadPath, key, []byte(c.body))
		if want := map[bool]int{true: 200, false: 400}[c.code == ""]; r.status != want || r.code() != c.code {
			t.Errorf("%s: got %d %s; want %d %s", name, r.status, r.body, want, c.code)
		}
		if r.status == 400 && strings.Contains(r.body, `"resume`) {
			t.Errorf("%s: %s names a field that the request does not have", name, r.body)
		}
	}
}

// Concurrent uploads of the same bytes come to one id and one file.
func TestSameBytesAreOneUpload(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	key := s.agencyKey()
	ids := map[string]bool{}
	for _, r := range atOnce(20, func(i int) reply { return s.uploads(key, "Ada Example", fmt.Sprint("ada-", i, ".txt")) }) {
		ids[uploaded(t, r).ResumeFileID] = true
	}
	again := s.upload(s.agencyKey(), "Ada Example")
	if !ids[again.ResumeFileID] || len(ids) != 1 {
		t.Errorf("got the ids %v and %s; want one", ids, again.ResumeFileID)
	}
	if other := s.upload(key, "Ada Example."); ids[other.ResumeFileID] {
		t.Error("other bytes came to the same upload")
	}
	if theirs := s.upload(s.otherKey(), "Ada Example"); ids[theirs.ResumeFileID] {
		t.Error("another agency was told the upload")
	}
}

// Whatever becomes of a call of an upload, sending it again comes to one upload
// that can be used.
func TestUploadWithEveryCallSpoilt(t *testing.T) {
	t.Parallel()
	for way, spoil := range spoils {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			spoiler := &spoiler{}
			s := newStage(t, spoiler.Hook)
			key := s.agencyKey()
			for _, operation := range []string{"UpdateItem", "GetItem", "PutObject", "TransactWriteItems"} {
				spoiler.arm(nth(operation, 1), spoil)
				r := s.uploads(key, operation, "")
				if r.status == 500 {
					r = s.uploads(key, operation, "")
				}
				first := uploaded(t, r)
				if again := s.upload(key, operation); again != first || spoiler.armed() {
					t.Errorf("%s: got %+v, then %+v", operation, first, again)
				}
				if item := s.bulkOne(key, ada(first.ResumeFileID)); item.Status == contract.BulkRejected {
					t.Errorf("%s: got %+v; want the upload to be usable", operation, item)
				}
			}
			if records := s.stored(topology.Submissions, "U#"); len(records) != 4 {
				t.Errorf("got %d uploads; want 4", len(records))
			}
		})
	}
}

// An id is answered again until its last day, in which the same bytes renew it;
// once expired, they are a new upload.
func TestUploadExpiryAndRenewal(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first := s.upload(s.agencyKey(), "Ada Example")
	s.move(submission.UploadLife - 25*time.Hour)
	if diff := cmp.Diff(first, s.upload(s.agencyKey(), "Ada Example")); diff != "" {
		t.Errorf("before the last day (-first +again):\n%s", diff)
	}
	s.move(24 * time.Hour)
	renewed := s.upload(s.agencyKey(), "Ada Example")
	want := first
	want.ExpiresAt = contract.At(s.now().Add(submission.UploadLife))
	if diff := cmp.Diff(want, renewed); diff != "" {
		t.Errorf("on the last day (-want +renewed):\n%s", diff)
	}
	s.move(2 * time.Hour) // the first life is over
	if item := s.bulkOne(s.agencyKey(), ada(first.ResumeFileID)); item.Status != contract.BulkQueued {
		t.Errorf("the renewed upload: got %+v; want it queued", item)
	}
	s.move(submission.UploadLife - 2*time.Hour)
	if item := s.bulkOne(s.agencyKey(), ada(first.ResumeFileID)); item.Status != contract.BulkRejected {
		t.Errorf("the expired upload: got %+v; want it rejected", item)
	}
	if fresh := s.upload(s.agencyKey(), "Ada Example"); fresh.ResumeFileID == first.ResumeFileID {
		t.Error("an expired id was answered")
	}
}

// A submission that was in time outlives its upload's expiry; one whose upload
// was erased does not.
func TestWhatIngestionMakesOfAnUploadThatIsGone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.move(submission.UploadLife)
	key := s.agencyKey()
	expiring, erased := s.upload(key, priyasResume(t)), s.upload(key, priyasResume(t)+"\n")
	s.move(submission.UploadLife - time.Minute)
	key = s.agencyKey()
	in := bulkRequest(priyaBulk(0, expiring.ResumeFileID), priyaBulk(1, erased.ResumeFileID))
	out := s.bulk(key, in)
	s.move(2 * time.Minute)
	for _, item := range s.stored(topology.Submissions, "U#") {
		if item["id"] == erased.ResumeFileID {
			must(t, s.table(topology.Submissions).Delete("pk", item["pk"]).Range("sk", item["sk"]).Run(t.Context()))
		}
	}
	s.work()
	items := s.read(demo.AgencyID, out.BatchID).Items
	ends(t, items[0], contract.Succeeded, "")
	ends(t, items[1], contract.Failed, contract.InvalidResumeReference)
}
