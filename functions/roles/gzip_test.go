package roles_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	service "github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// pageOf returns the JSON of a page of invented roles as a caller receives it who accepts an encoding.
func pageOf(tb testing.TB, roles int, encoding string) *httptest.ResponseRecorder {
	tb.Helper()
	b := newTestService(tb)
	for i := range roles {
		id, r, facts := market.RoleAt(i, b.at)
		b.putCompany(r.CompanyID, role.Company{CompanyFacts: facts})
		r.Status = contract.RoleStatusActive
		b.must(b.roles.Put(b.t.Context(), id, b.nextStamp(), r))
	}
	host := b.host
	host.Getenv = func(name string) string {
		if name == topology.SettingGzipFrom {
			return "1024"
		}
		return b.host.Getenv(name)
	}
	h, err := service.New(tb.Context(), host)
	b.must(err)
	request := httptest.NewRequestWithContext(tb.Context(), http.MethodGet, contract.BasePath+fmt.Sprintf("/agency/roles?limit=%d", roles), nil)
	request.Header.Set("Authorization", "Bearer "+b.keys[agencyID])
	request.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request)
	if w.Code != http.StatusOK || w.Header().Get("Content-Encoding") != encoding {
		tb.Fatalf("status %d, encoding %q: %.200s", w.Code, w.Header().Get("Content-Encoding"), w.Body)
	}
	return w
}

// A page of 50 roles takes less than a quarter of its bytes in gzip, and is the same page.
func TestPageInGzip(t *testing.T) {
	t.Parallel()
	packed := pageOf(t, 50, "gzip").Body
	size := packed.Len()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := pageOf(t, 50, "").Body.String(); string(got) != want {
		t.Errorf("got %.300s\nwant %.300s", got, want)
	}
	t.Logf("%d of %d bytes", size, len(got))
	if len(got) < 10_000 || size > len(got)/4 {
		t.Errorf("%d of %d bytes", size, len(got))
	}
}

// BenchmarkGzip measures the processor time of a page in gzip, at the level that the gateway uses and at
// the default one, and the share of the page's bytes that is left.
func BenchmarkGzip(b *testing.B) {
	page := pageOf(b, 50, "").Body.Bytes()
	for _, level := range []int{gzip.BestSpeed, gzip.DefaultCompression} {
		b.Run(fmt.Sprint(level), func(b *testing.B) {
			w, err := gzip.NewWriterLevel(nil, level)
			if err != nil {
				b.Fatal(err)
			}
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				w.Reset(&out)
				_, _ = w.Write(page)
				_ = w.Close()
			}
			b.ReportMetric(float64(len(page)), "bytes")
			b.ReportMetric(100*float64(out.Len())/float64(len(page)), "percent")
		})
	}
}
