package submissions_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func (f *testService) mustUpload(contentBase64 string) (out contract.ResumeUpload) {
	f.tb.Helper()
	f.must(json.Unmarshal([]byte(f.postJSON("/resumes", `{"contentBase64":"`+contentBase64+`"}`)), &out))
	return out
}

// The events of this function's routes are served.
func TestEvents(t *testing.T) {
	t.Parallel()
	f := newTestService(t)
	for operation, want := range map[string]string{
		"uploadResume": `"contentType":"text/plain"`,
		"submitBulk":   `"clientReferenceId":"ada-1","errors":[{"code":"invalid_resume_reference"`,
	} {
		content, err := os.ReadFile("../../events/" + operation + ".json")
		f.must(err)
		var event events.APIGatewayV2HTTPRequest
		f.must(json.Unmarshal(content, &event))
		if got := f.invoke(event); !strings.Contains(got, want) {
			t.Errorf("%s: got %s; want it to hold %s", operation, got, want)
		}
	}
}

// busy is a database that leaves the keys of the first BatchGetItem
// unprocessed.
type busy struct {
	others aws.HTTPClient
	asked  atomic.Int32
}

// Do is an aws.HTTPClient's.
func (u *busy) Do(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".BatchGetItem") || u.asked.Add(1) > 1 {
		return u.others.Do(r)
	}
	var in struct{ RequestItems json.RawMessage }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	answer := fmt.Appendf(nil, `{"Responses":{},"UnprocessedKeys":%s}`, in.RequestItems)
	return &http.Response{
		StatusCode: 200, Header: http.Header{"X-Amz-Crc32": {fmt.Sprint(crc32.ChecksumIEEE(answer))}},
		Body: io.NopCloser(bytes.NewReader(answer)), ContentLength: int64(len(answer)), Request: r,
	}, nil
}

// Uploads that a busy database did not look up are asked for again, not taken
// for unknown.
func TestUnprocessedUploads(t *testing.T) {
	t.Parallel()
	f := newTestService(t)
	upload := f.mustUpload("QWRhIEV4YW1wbGU=")
	database := &busy{others: f.host.AWS.HTTPClient}
	f.host.AWS.HTTPClient = database
	f.startService()
	answer := f.postJSON("/talent-network/candidates/submit-bulk", f.hundredItems(upload.ResumeFileID))
	if queued := strings.Count(answer, `"status":"queued"`); queued != 100 || database.asked.Load() != 2 {
		t.Errorf("%d items were queued after %d look-ups; want 100 after 2", queued, database.asked.Load())
	}
}
