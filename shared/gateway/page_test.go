package gateway

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A page is sent in the form that the caller accepts, and not at all to a caller who has it.
func TestPageForms(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Platform, map[string]Handler{
		"docs": Handle(func(_ context.Context, call *Call, _ contract.DocsRequest) (Page, error) {
			call.Header().Set("Vary", "Accept")
			return Page{ContentType: "text/html", Body: []byte("plain"), Gzip: []byte("packed"), ETag: `W/"1"`}, nil
		}),
	})
	type answer struct {
		Status                     int
		Body, Encoding, ETag, Vary string
	}
	plain := answer{200, "plain", "", `W/"1"`, "Accept, Accept-Encoding"}
	packed := answer{200, "packed", "gzip", `W/"1"`, "Accept, Accept-Encoding"}
	have := answer{304, "", "", `W/"1"`, "Accept, Accept-Encoding"}
	for _, tt := range []struct {
		name, value string
		want        answer
	}{
		{"Accept-Encoding", "", plain},
		{"Accept-Encoding", "identity", plain},
		{"Accept-Encoding", "br, zstd", plain},
		{"Accept-Encoding", "gzip;q=0", plain},
		{"Accept-Encoding", ";;", plain},
		{"Accept-Encoding", "gzip", packed},
		{"Accept-Encoding", "gzip, deflate, br", packed},
		{"Accept-Encoding", "br;q=1.0, GZIP;q=0.5", packed},
		{"If-None-Match", `"2"`, plain},
		{"If-None-Match", `W/"1"`, have},
		{"If-None-Match", `"1"`, have},
		{"If-None-Match", `"2", W/"1"`, have},
		{"If-None-Match", "*", have},
	} {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, contract.BasePath+"/docs", nil)
		request.Header.Set(tt.name, tt.value)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, request)
		h := w.Header()
		got := answer{w.Code, w.Body.String(), h.Get("Content-Encoding"), h.Get("ETag"), h.Get("Vary")}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.name, tt.value, diff)
		}
	}
}
