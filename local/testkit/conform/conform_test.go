package conform

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
)

func TestMain(m *testing.M) { os.Exit(Run(m.Run)) }

const (
	health = `{"status":"ok","version":"1","time":"2026-05-06T07:08:09.123Z"}`
	id     = "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11"
	batch  = `{"batchId":"` + id + `","createdAt":"2026-05-06T07:08:09.123Z","itemCount":1,"items":[{"submissionId":"` + id + `","index":0,"status":"queued","updatedAt":"2026-05-06T07:08:09.123Z"}]}`
)

func newResponse(path string, status int, body string) Response {
	return Response{Method: "GET", Path: path, Status: status, Body: []byte(body), Header: http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {id}}}
}

func problemBody(kind, code, details string) string {
	return fmt.Sprintf(`{"error":{"type":%q,"message":"m","request_id":%q%s%s}}`, kind, id, code, details)
}

// TestPlantedDifferences shows what is reported as a difference, and responses that
// have none.
func TestPlantedDifferences(t *testing.T) {
	t.Parallel()
	with := func(a Response, name, value string) Response {
		a.Header = a.Header.Clone()
		a.Header.Set(name, value)
		return a
	}
	batchPath := "/talent-network/batches/" + id
	edit := func(from, to string) Response {
		return newResponse(batchPath, 200, strings.Replace(batch, from, to, 1))
	}
	for name, tt := range map[string]struct {
		answer Response
		want   string
	}{
		"health":                {newResponse("/health", 200, health), ""},
		"a batch":               {with(newResponse(batchPath, 200, batch), "Retry-After", "2"), ""},
		"an error":              {newResponse(batchPath, 404, problemBody("not_found", "", "")), ""},
		"details":               {newResponse("/identity", 400, problemBody("invalid_request_error", `,"code":"validation_failed"`, `,"details":{"formErrors":["x"],"fieldErrors":{}}`)), ""},
		"an ignored parameter":  {with(newResponse(batchPath, 404, problemBody("not_found", "", "")), "X-Ignored-Params", "x"), ""},
		"ignored before a key":  {with(newResponse(batchPath, 401, problemBody("authentication_error", "", "")), "X-Ignored-Params", "x"), "X-Ignored-Params is not published"},
		"an unknown route":      {newResponse("/nowhere", 404, problemBody("not_found", "", "")), ""},
		"a wrong method":        {Response{"DELETE", "/health", 404, newResponse("", 0, "").Header, []byte(problemBody("not_found", "", ""))}, ""},
		"too large":             {Response{"GET", "/nowhere", 413, http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "X-Content-Type-Options": {"nosniff"}}, []byte("x")}, ""},
		"of the edge":           {with(newResponse("/health", 429, strings.Replace(problemBody("rate_limit_error", `,"code":"ip_throttled"`, ""), id, "edge", 1)), "Retry-After", "60"), ""},
		"no JSON":               {newResponse("/health", 200, "ok"), "invalid character"},
		"a missing field":       {edit(`"itemCount":1,`, ""), "missing property 'itemCount'"},
		"an unknown field":      {edit(`"itemCount"`, `"more":1,"itemCount"`), "'more' not allowed"},
		"below the top":         {edit(`"index":0`, `"index":0,"more":1`), "'more' not allowed"},
		"another type":          {edit(`"itemCount":1`, `"itemCount":"1"`), "got string, want integer"},
		"null":                  {edit(`"itemCount":1`, `"itemCount":null`), "got null, want integer"},
		"no UUID":               {edit(`"batchId":"01`, `"batchId":"x`), "uuid"},
		"no timestamp":          {edit(`06T07`, `06 at 07`), "date-time"},
		"a value of no list":    {edit(`"queued"`, `"waiting"`), "must be one of"},
		"a status":              {newResponse(batchPath, 201, batch), "not published"},
		"another route's error": {newResponse("/health", 401, problemBody("authentication_error", "", "")), "not published"},
		"another error's type":  {newResponse(batchPath, 404, problemBody("api_error", "", "")), "must be 'not_found'"},
		"another error's code":  {newResponse(batchPath, 403, problemBody("permission_error", `,"code":"rate_limited"`, "")), "must be one of"},
		"a code of none":        {newResponse(batchPath, 404, problemBody("not_found", `,"code":"lost"`, "")), "'code' not allowed"},
		"a content type":        {with(newResponse("/health", 200, health), "Content-Type", "text/html"), "content type text/html"},
		"a header":              {with(newResponse("/health", 200, health), "X-Powered-By", "x"), "X-Powered-By is not published"},
		"a header's value":      {with(newResponse(batchPath, 200, batch), "Retry-After", "soon"), "Retry-After"},
		"no request id":         {with(newResponse("/health", 200, health), "X-Request-Id", "x"), "X-Request-Id"},
	} {
		err := Check(tt.answer)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

// recordingTest is a test that records the differences.
type recordingTest struct {
	*testing.T
	lines []string
}

func (t *recordingTest) Errorf(format string, args ...any) {
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
}

// TestWatch shows that what a client of net/http reads is checked, and still readable.
func TestWatch(t *testing.T) {
	t.Parallel()
	answer := health
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(answer))
	}))
	defer server.Close()
	test := &recordingTest{T: t}
	Watch(test, server.URL)
	for _, tt := range []struct {
		path, body string
		want       int
	}{
		{contract.BasePath + "/health", health, 0},
		{contract.BasePath + "/health", `{"status":"ok"}`, 1},
		{"/elsewhere", `{"status":"ok"}`, 1},
	} {
		answer = tt.body
		response, err := http.Get(server.URL + tt.path)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(tt.body)+1)
		n, _ := response.Body.Read(got)
		_ = response.Body.Close()
		if string(got[:n]) != tt.body || len(test.lines) != tt.want {
			t.Errorf("%s: got %s and differences %v, want %d", tt.path, got[:n], test.lines, tt.want)
		}
	}
}

// TestAttestationIsTrueAlone holds that the document and the decoder accept no other onMarketConfirmed than true.
func TestAttestationIsTrueAlone(t *testing.T) {
	t.Parallel()
	document, err := published()
	if err != nil {
		t.Fatal(err)
	}
	for sent, accepted := range map[string]bool{
		``: false, `"onMarketConfirmed":null,`: false, `"onMarketConfirmed":false,`: false,
		`"onMarketConfirmed":"true",`: false, `"onMarketConfirmed":1,`: false, `"onMarketConfirmed":true,`: true,
	} {
		body := `{"items":[{` + sent + `"name":"Ada Example","email":"ada@example.com",
			"linkedinUrl":"https://www.linkedin.com/in/ada","resume":{"resumeFileId":"` + id + `"},
			"preferences":{"locations":["uk"],"salaryMin":90000,"visaAuthorization":"HAS_VISA_AUTHORIZATION",
			"workplaceTypes":["REMOTE"],"idealFundingRounds":["SEED"]}}]}`
		var v any
		if err := json.Unmarshal([]byte(body), &v); err != nil {
			t.Fatal(err)
		}
		published := document.validateAt([]string{"components", "schemas", "BulkRequest"}, v)
		var in contract.BulkRequest
		to := reflect.ValueOf(&in)
		_, decoded := decode.Into(decode.Request{Body: body}, contract.SchemaOf(to.Type().Elem()), to)
		if (published == nil) != accepted || (decoded == nil) != accepted {
			t.Errorf("%q: the document says %v, the decoder %v", sent, published, decoded)
		}
	}
}
