package gateway

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// batchOf returns handlers that answer a batch of n items, whose JSON is a little over 100 bytes each.
func batchOf(n int) map[string]Handler {
	return map[string]Handler{"getBatch": Handle(func(context.Context, *Call, contract.BatchRequest) (contract.Batch, error) {
		items := make([]contract.BatchItem, n)
		for i := range items {
			items[i].SubmissionID = fmt.Sprintf("%s-%d", testID, i)
		}
		return contract.Batch{BatchID: testID, Items: items}, nil
	})}
}

func gzipFrom(size int) func(*Config) { return func(c *Config) { c.GzipFrom = size } }

// JSON is sent in gzip to callers who accept it, from the configured size on, and is the same JSON.
func TestJSONForms(t *testing.T) {
	t.Parallel()
	type form struct{ Encoding, Vary string }
	small := form{}
	plain := form{"", "Accept-Encoding"}
	packed := form{"gzip", "Accept-Encoding"}
	for _, tt := range []struct {
		items, from int
		accept      string
		want        form
	}{
		{100, 0, "gzip", small},
		{1, 1024, "gzip", small},
		{100, 1024, "", plain},
		{100, 1024, "identity", plain},
		{100, 1024, "br, zstd", plain},
		{100, 1024, "gzip;q=0", plain},
		{100, 1024, "gzip; q=0.000", plain},
		{100, 1024, "*", plain},
		{100, 1024, "gzip;q=0, br", plain},
		{100, 1024, "gzip", packed},
		{100, 1024, "identity;q=0, gzip", packed},
		{100, 1024, "br;q=1.0, GZIP;q=0.001", packed},
	} {
		t.Run(fmt.Sprintf("%d items from %d for %q", tt.items, tt.from, tt.accept), func(t *testing.T) {
			t.Parallel()
			g, _ := testGateway(t, contract.Submissions, batchOf(tt.items), gzipFrom(tt.from))
			path := "/talent-network/batches/" + testID
			want := sendRequest(g, http.MethodGet, path, "").Body.String()
			w := sendRequest(g, http.MethodGet, path, "", "Accept-Encoding", tt.accept)
			got := form{w.Header().Get("Content-Encoding"), w.Header().Get("Vary")}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if body := unpack(t, w); body != want || w.Code != 200 {
				t.Errorf("status %d, body %.80q; want %.80q", w.Code, body, want)
			}
			if got.Encoding != "" && w.Body.Len() > len(want)/4 {
				t.Errorf("%d bytes of %d", w.Body.Len(), len(want))
			}
		})
	}
}

// unpack returns the body of a response as its Content-Encoding says.
func unpack(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	if w.Header().Get("Content-Encoding") == "" {
		return w.Body.String()
	}
	r, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// Two Accept-Encoding headers are one list, and a compressor that was used before carries nothing over.
func TestRepeatedAcceptEncoding(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, batchOf(50), gzipFrom(1))
	path := "/talent-network/batches/" + testID
	first := sendRequest(g, http.MethodGet, path, "", "Accept-Encoding", "br", "Accept-Encoding", "gzip")
	for range 3 {
		w := sendRequest(g, http.MethodGet, path, "", "Accept-Encoding", "gzip")
		if w.Header().Get("Content-Encoding") != "gzip" || !bytes.Equal(w.Body.Bytes(), first.Body.Bytes()) {
			t.Errorf("encoding %q, equal to the first: %v", w.Header().Get("Content-Encoding"), bytes.Equal(w.Body.Bytes(), first.Body.Bytes()))
		}
	}
}

// A HEAD has the headers of its GET and no body. An error is sent as it is.
func TestCompressedHeadAndError(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, failingHandlers(fault.New(fault.Conflict, contract.NoCode, strings.Repeat("wait ", 400))), gzipFrom(1))
	w := sendRequest(g, http.MethodGet, "/talent-network/batches/"+testID, "", "Accept-Encoding", "gzip")
	if w.Code != http.StatusConflict || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("status %d, encoding %q", w.Code, w.Header().Get("Content-Encoding"))
	}
	decodeProblem(t, w)
	g, _ = testGateway(t, contract.Platform, nil, gzipFrom(1))
	w = sendRequest(g, http.MethodHead, "/health", "", "Accept-Encoding", "gzip")
	if w.Code != http.StatusOK && w.Code != http.StatusNotFound || w.Body.Len() > 0 {
		t.Errorf("HEAD: status %d, %d bytes", w.Code, w.Body.Len())
	}
}
