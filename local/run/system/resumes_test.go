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

// newOtherAgencyKey creates a key of another agency, with a window of its own.
func (sys *testSystem) newOtherAgencyKey() string {
	sys.t.Helper()
	return sys.newKey(contract.AgencyKey, demo.OtherAgencyID, demo.OtherOwnerID)
}

// sendUpload sends content under a file name ("" for none) and returns the reply.
func (sys *testSystem) sendUpload(key, content, fileName string) reply {
	fields := map[string]string{"contentBase64": base64.StdEncoding.EncodeToString([]byte(content))}
	if fileName != "" {
		fields["fileName"] = fileName
	}
	body, _ := json.Marshal(fields) // strings always marshal
	return sys.sendRequest("POST", uploadPath, key, body)
}

// uploadResume is an upload that must be accepted.
func (sys *testSystem) uploadResume(key, content string) contract.ResumeUpload {
	sys.t.Helper()
	return decodeUpload(sys.t, sys.sendUpload(key, content, ""))
}

func decodeUpload(t *testing.T, r reply) (out contract.ResumeUpload) {
	t.Helper()
	if r.status != 200 {
		t.Fatalf("got %d %s; want 200", r.status, r.body)
	}
	must(t, json.Unmarshal([]byte(r.body), &out))
	return out
}

func TestUploadAnswersEveryField(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	got := decodeUpload(t, s.sendUpload(s.newAgencyKey(), "Ada Example\nada@example.com", "ada.txt"))
	want := contract.ResumeUpload{
		ResumeFileID: got.ResumeFileID, FileName: new("ada.txt"), ContentType: "text/plain", SizeBytes: 27,
		SHA256:    fmt.Sprintf("%x", sha256.Sum256([]byte("Ada Example\nada@example.com"))),
		CreatedAt: contract.At(s.now()), ExpiresAt: contract.At(s.now().Add(submission.UploadLife)),
	}
	if diff := cmp.Diff(want, got); diff != "" || got.ResumeFileID[14] != '7' {
		t.Errorf("got %+v (-want +got):\n%s", got, diff)
	}
	if body := s.sendUpload(s.newAgencyKey(), "no name", "").body; !strings.Contains(body, `"fileName":null`) {
		t.Errorf("got %s; want a null fileName", body)
	}
}

func TestUploadRefusals(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
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
		r := s.sendRequest("POST", uploadPath, key, []byte(c.body))
		if want := map[bool]int{true: 200, false: 400}[c.code == ""]; r.status != want || r.errorCode() != c.code {
			t.Errorf("%s: got %d %s; want %d %s", name, r.status, r.body, want, c.code)
		}
		if r.status == 400 && strings.Contains(r.body, `"resume`) {
			t.Errorf("%s: %s names a field that the request does not have", name, r.body)
		}
	}
}

// Concurrent uploads of the same bytes result in one id and one file.
func TestSameBytesAreOneUpload(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	ids := map[string]bool{}
	for _, r := range runConcurrently(20, func(i int) reply {
		return s.sendUpload(key, "Ada Example, senior software engineer", fmt.Sprint("ada-", i, ".txt"))
	}) {
		ids[decodeUpload(t, r).ResumeFileID] = true
	}
	again := s.uploadResume(s.newAgencyKey(), "Ada Example, senior software engineer")
	if !ids[again.ResumeFileID] || len(ids) != 1 {
		t.Errorf("got the ids %v and %s; want one", ids, again.ResumeFileID)
	}
	if other := s.uploadResume(key, "Ada Example."); ids[other.ResumeFileID] {
		t.Error("other bytes came to the same upload")
	}
	if theirs := s.uploadResume(s.newOtherAgencyKey(), "Ada Example, senior software engineer"); ids[theirs.ResumeFileID] {
		t.Error("another agency was told the upload")
	}
}

// After a fault in any call of an upload, a retry results in one upload that can be
// used.
func TestUploadWithFaultInEveryCall(t *testing.T) {
	t.Parallel()
	for way, fault := range callFaults {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			faults := &faultInjector{}
			s := newManualSystem(t, faults.Hook)
			key := s.newAgencyKey()
			for _, operation := range []string{"UpdateItem", "GetItem", "PutObject", "TransactWriteItems"} {
				faults.injectAt(matchNth(operation, 1), fault)
				r := s.sendUpload(key, operation, "")
				if r.status == 500 {
					r = s.sendUpload(key, operation, "")
				}
				first := decodeUpload(t, r)
				if again := s.uploadResume(key, operation); again != first || faults.isPending() {
					t.Errorf("%s: got %+v, then %+v", operation, first, again)
				}
				if item := s.submitBulkItem(key, newAdaItem(first.ResumeFileID)); item.Status == contract.BulkRejected {
					t.Errorf("%s: got %+v; want the upload to be usable", operation, item)
				}
			}
			if records := s.storedItems(topology.Submissions, "U#"); len(records) != 4 {
				t.Errorf("got %d uploads; want 4", len(records))
			}
		})
	}
}

// The same bytes return the same id until its last day, on which they renew it; after it
// has expired, they are a new upload.
func TestUploadExpiryAndRenewal(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	first := s.uploadResume(s.newAgencyKey(), "Ada Example, senior software engineer")
	s.advanceClock(submission.UploadLife - 25*time.Hour)
	if diff := cmp.Diff(first, s.uploadResume(s.newAgencyKey(), "Ada Example, senior software engineer")); diff != "" {
		t.Errorf("before the last day (-first +again):\n%s", diff)
	}
	s.advanceClock(24 * time.Hour)
	renewed := s.uploadResume(s.newAgencyKey(), "Ada Example, senior software engineer")
	want := first
	want.ExpiresAt = contract.At(s.now().Add(submission.UploadLife))
	if diff := cmp.Diff(want, renewed); diff != "" {
		t.Errorf("on the last day (-want +renewed):\n%s", diff)
	}
	s.advanceClock(2 * time.Hour) // the first life is over
	if item := s.submitBulkItem(s.newAgencyKey(), newAdaItem(first.ResumeFileID)); item.Status != contract.BulkQueued {
		t.Errorf("the renewed upload: got %+v; want it queued", item)
	}
	s.advanceClock(submission.UploadLife - 2*time.Hour)
	if item := s.submitBulkItem(s.newAgencyKey(), newAdaItem(first.ResumeFileID)); item.Status != contract.BulkRejected {
		t.Errorf("the expired upload: got %+v; want it rejected", item)
	}
	if fresh := s.uploadResume(s.newAgencyKey(), "Ada Example, senior software engineer"); fresh.ResumeFileID == first.ResumeFileID {
		t.Error("an expired id was answered")
	}
}

// A submission before its upload's expiry is ingested after it; one whose upload was
// erased is not.
func TestIngestionOfAnExpiredOrErasedUpload(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	s.advanceClock(submission.UploadLife)
	key := s.newAgencyKey()
	expiring := s.uploadResume(key, readPriyaResume(t))
	erased := s.uploadResume(key, readPriyaResume(t)+"\n")
	s.advanceClock(submission.UploadLife - time.Minute)
	key = s.newAgencyKey()
	in := newBulkRequest(newPriyaItem(0, expiring.ResumeFileID), newPriyaItem(1, erased.ResumeFileID))
	out := s.submitBulk(key, in)
	s.advanceClock(2 * time.Minute)
	for _, item := range s.storedItems(topology.Submissions, "U#") {
		if item["id"] == erased.ResumeFileID {
			must(t, s.openTable(topology.Submissions).Delete("pk", item["pk"]).Range("sk", item["sk"]).Run(t.Context()))
		}
	}
	s.runWorkers()
	items := s.readBatch(demo.AgencyID, out.BatchID).Items
	checkItem(t, items[0], contract.Succeeded, "")
	checkItem(t, items[1], contract.Failed, contract.InvalidResumeReference)
}
