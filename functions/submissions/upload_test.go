package submissions_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
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

// busyDatabase is a database that leaves the keys of each table's first BatchGetItem
// unprocessed.
type busyDatabase struct {
	others aws.HTTPClient
	asked  atomic.Int32
	tables sync.Map
}

// Do is an aws.HTTPClient's.
func (u *busyDatabase) Do(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".BatchGetItem") {
		return u.others.Do(r)
	}
	u.asked.Add(1)
	body, err := io.ReadAll(r.Body)
	var in struct{ RequestItems map[string]json.RawMessage }
	if err := errors.Join(err, json.Unmarshal(body, &in)); err != nil {
		return nil, err
	}
	for table, keys := range in.RequestItems {
		if _, again := u.tables.LoadOrStore(table, true); again {
			r.Body = io.NopCloser(bytes.NewReader(body))
			return u.others.Do(r)
		}
		return u.leaveUnprocessed(r, table, keys), nil
	}
	return nil, errors.New("the request names no table")
}

func (u *busyDatabase) leaveUnprocessed(r *http.Request, table string, keys json.RawMessage) *http.Response {
	answer := fmt.Appendf(nil, `{"Responses":{},"UnprocessedKeys":{%q:%s}}`, table, keys)
	return &http.Response{
		StatusCode: 200, Header: http.Header{"X-Amz-Crc32": {fmt.Sprint(crc32.ChecksumIEEE(answer))}},
		Body: io.NopCloser(bytes.NewReader(answer)), ContentLength: int64(len(answer)), Request: r,
	}
}

// Uploads and members whose keys a busy database left unprocessed are read again, and do not
// count as unknown.
func TestUnprocessedUploads(t *testing.T) {
	t.Parallel()
	f := newTestService(t)
	upload := f.mustUpload("QWRhIEV4YW1wbGU=")
	database := &busyDatabase{others: f.host.AWS.HTTPClient}
	f.host.AWS.HTTPClient = database
	f.startService()
	answer := f.postJSON("/talent-network/candidates/submit-bulk", f.hundredItems(upload.ResumeFileID))
	if queued := strings.Count(answer, `"status":"queued"`); queued != 100 || database.asked.Load() != 4 {
		t.Errorf("%d items were queued after %d look-ups; want 100 after 4", queued, database.asked.Load())
	}
}
