package lambda_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
)

// FuzzGateway sends any request that net/http accepts: the gateway responds, and the function receives the body as sent.
func FuzzGateway(f *testing.F) {
	f.Add([]byte("POST /a%2Fb?x=%zz;y HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n\xff\xfe"))
	f.Add([]byte("OPTIONS * HTTP/1.1\r\nHost: a\r\nCookie: ;;a\r\ncontent-type: ;\r\n\r\n"))
	f.Add([]byte("GET http://b/a/\x00 HTTP/1.0\r\n\r\n"))
	var got request
	gateway, err := lambda.NewGateway(lambda.GatewayConfig{
		Now: func() time.Time { return noon }, NewID: func() string { return "1" }, Timeout: lambda.MaxWait, Failed: func(string, error) {},
		Routes: append([]lambda.Route{{Path: "$default", Function: "f"}}, table...),
		Functions: map[string]lambda.HTTPFunction{"f": func(_ context.Context, e request) (response, error) {
			got = e
			return response{StatusCode: 204}, nil
		}, "g": echoFunction("g")},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
		if err != nil {
			return
		}
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(sent))
		w := httptest.NewRecorder()
		gateway.ServeHTTP(w, r)
		if w.Code != http.StatusNoContent {
			if w.Code != http.StatusOK && w.Code != http.StatusRequestHeaderFieldsTooLarge {
				t.Fatalf("status %d", w.Code)
			}
			return
		}
		body := []byte(got.Body)
		if got.IsBase64Encoded {
			body, err = base64.StdEncoding.DecodeString(got.Body)
		}
		if err != nil || !bytes.Equal(body, sent) {
			t.Fatalf("the function saw %q, %v; sent %q", body, err, sent)
		}
	})
}
