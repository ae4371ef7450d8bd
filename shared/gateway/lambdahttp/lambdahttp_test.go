package lambdahttp

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"
)

// seen is what a handler saw of an event.
type seen struct {
	Method, Host, Path, Query, URI, Address, Cookie, Body, Key, Accept, Origin string
	Length                                                                     int64
}

// recordRequests is a handler that answers 404 to everything and keeps what it saw.
func recordRequests(all *[]seen) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*all = append(*all, seen{
			r.Method, r.Host, r.URL.EscapedPath(), r.URL.RawQuery, r.RequestURI, r.RemoteAddr, strings.Join(r.Header.Values("Cookie"), "|"), string(body),
			strings.Join(r.Header.Values("Idempotency-Key"), "|"), strings.Join(r.Header.Values("Accept"), "|"), r.Header.Get("X-Origin-Secret"),
			r.ContentLength,
		})
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":{}}`)
	})
}

func newEvent(method, path, query string, headers map[string]string) events.APIGatewayV2HTTPRequest {
	var e events.APIGatewayV2HTTPRequest
	e.RawPath = path
	e.RawQueryString = query
	e.Headers = headers
	e.RequestContext.HTTP.Method = method
	e.RequestContext.DomainName = "api.example.com"
	e.RequestContext.HTTP.SourceIP = "192.0.2.7"
	e.Cookies = []string{"a=1", "b=2"}
	return e
}

func TestEventsBecomeRequests(t *testing.T) {
	t.Parallel()
	encoded := newEvent("POST", "/a", "", nil)
	encoded.Body = base64.StdEncoding.EncodeToString([]byte("{\xff}"))
	encoded.IsBase64Encoded = true
	onlyContext := newEvent("GET", "", "", nil)
	onlyContext.RequestContext.HTTP.Path = "/from context"
	oddHost := newEvent("GET", "/a", "", nil)
	oddHost.RequestContext.DomainName = "a b"
	for name, c := range map[string]struct {
		event events.APIGatewayV2HTTPRequest
		want  seen
	}{
		"plain":                {newEvent("GET", "/a/b", "x=1&x=2", nil), seen{Method: "GET", Path: "/a/b", Query: "x=1&x=2"}},
		"decoded percent":      {newEvent("GET", "/a/%", "", nil), seen{Method: "GET", Path: "/a/%25"}},
		"decoded percent-41":   {newEvent("GET", "/a/%41", "", nil), seen{Method: "GET", Path: "/a/%2541"}},
		"decoded hash":         {newEvent("GET", "/a/#b", "q=1", nil), seen{Method: "GET", Path: "/a/%23b", Query: "q=1"}},
		"decoded question":     {newEvent("GET", "/a/?b", "q=1", nil), seen{Method: "GET", Path: "/a/%3Fb", Query: "q=1"}},
		"control byte":         {newEvent("GET", "/a/\x01\n", "", nil), seen{Method: "GET", Path: "/a/%01%0A"}},
		"unicode and space":    {newEvent("GET", "/a/é b", "", nil), seen{Method: "GET", Path: "/a/%C3%A9%20b"}},
		"double slash":         {newEvent("GET", "//a", "", nil), seen{Method: "GET", Path: "//a"}},
		"no leading slash":     {newEvent("GET", "a/b", "", nil), seen{Method: "GET", Path: "/a/b"}},
		"no path":              {newEvent("GET", "", "", nil), seen{Method: "GET", Path: "/"}},
		"path in the context":  {onlyContext, seen{Method: "GET", Path: "/from%20context"}},
		"query with odd bytes": {newEvent("GET", "/a", "q=a b#c\x01é&z=%zz", nil), seen{Method: "GET", Path: "/a", Query: "q=a b#c\x01é&z=%zz"}},
		"odd method":           {newEvent("G T", "/a", "", nil), seen{Method: "G T", Path: "/a"}},
		"odd host":             {oddHost, seen{Method: "GET", Path: "/a"}},
		"base64 body":          {encoded, seen{Method: "POST", Path: "/a", Body: "{\xff}"}},
		"commas in headers": {
			newEvent("GET", "/a", "", map[string]string{"idempotency-key": "a, b ,c", "accept": "text/html, application/json;q=0.5", "x-origin-secret": "s,1"}),
			seen{Method: "GET", Path: "/a", Key: "a, b ,c", Accept: "text/html, application/json;q=0.5", Origin: "s,1"},
		},
	} {
		c.want.Host = c.event.RequestContext.DomainName
		c.want.Address = "192.0.2.7"
		c.want.Cookie = "a=1|b=2"
		c.want.URI = strings.TrimSuffix(c.want.Path+"?"+c.want.Query, "?")
		c.want.Length = int64(len(c.want.Body))
		var all []seen
		answer, err := Handler(recordRequests(&all))(t.Context(), c.event)
		if err != nil || answer.StatusCode != 404 {
			t.Errorf("%s: status %d, %v", name, answer.StatusCode, err)
		}
		if diff := cmp.Diff([]seen{c.want}, all); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The log line of an unreadable event does not quote the event.
func TestUnreadableEventsAreNotQuoted(t *testing.T) {
	t.Parallel()
	const private = "ada@example.com"
	body := newEvent("POST", "/a", "", nil)
	body.Body = private
	body.IsBase64Encoded = true
	panics := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("of " + private) })
	for name, c := range map[string]struct {
		event   events.APIGatewayV2HTTPRequest
		handler http.Handler
		want    string
	}{
		"body":    {body, http.NotFoundHandler(), "the body is not base64"},
		"panic":   {newEvent("GET", "/"+private, "q="+private, map[string]string{"authorization": private}), panics, "panic: a value of type string"},
		"silence": {newEvent("GET", "/"+private, "q="+private, nil), http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), "Error while generating"},
	} {
		_, err := proxyEvent(t.Context(), c.handler, c.event)
		if err == nil {
			t.Errorf("%s: the event was read", name)
			continue
		}
		if got := err.Error(); !strings.HasPrefix(got, c.want) || strings.Contains(got, private) {
			t.Errorf("%s: the log is told %q; want %q", name, got, c.want)
		}
	}
}

// TestUnreadableEventsAreAnswered checks that an event whose body cannot be decoded does not fail the invocation, and that
// the request that takes its place has the caller's address.
func TestUnreadableEventsAreAnswered(t *testing.T) {
	t.Parallel()
	e := newEvent("POST", "/a", "", map[string]string{"x-origin-secret": "s"})
	e.Body = "!"
	e.IsBase64Encoded = true
	var all []seen
	answer, err := Handler(recordRequests(&all))(t.Context(), e)
	if err != nil || answer.StatusCode != 404 || answer.Body != `{"error":{}}` {
		t.Errorf("%+v, %v", answer, err)
	}
	if diff := cmp.Diff([]seen{{Method: "GET", Path: "/", URI: "/", Address: "192.0.2.7", Origin: "s"}}, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPanicsAndSilenceAreAnswered(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"panic":   func(http.ResponseWriter, *http.Request) { panic("boom") },
		"silence": func(http.ResponseWriter, *http.Request) {},
	} {
		answer, err := Handler(h)(t.Context(), newEvent("GET", "/a", "", nil))
		if err != nil || answer.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
}

func TestDeadlineLeavesTimeToAnswer(t *testing.T) {
	t.Parallel()
	end := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	var got time.Time
	_, _ = Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, _ = r.Context().Deadline()
		w.WriteHeader(http.StatusNoContent)
	}))(ctx, newEvent("GET", "/a", "", nil))
	if want := end.Add(-500 * time.Millisecond); !got.Equal(want) {
		t.Errorf("deadline %v, want %v", got, want)
	}
}

// A response in gzip is passed to API Gateway in base64 with its encoding, and others as they are: API Gateway
// decodes them, so that callers receive the bytes that the handler wrote.
func TestCompressedResponsesAreEncoded(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, strings.Repeat(`{"roles":[]}`, 200))
	_ = w.Close()
	for encoding, body := range map[string]string{"gzip": packed.String(), "": `{"name":"Zoë"}`} {
		answer, err := Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if encoding != "" {
				w.Header().Set("Content-Encoding", encoding)
			}
			w.Header().Set("Vary", "Accept-Encoding")
			w.WriteHeader(http.StatusOK)
			_, _ = io.WriteString(w, body)
		}))(t.Context(), newEvent("GET", "/a", "", nil))
		if err != nil || answer.IsBase64Encoded != (encoding != "") {
			t.Errorf("%q: base64 %v, %v", encoding, answer.IsBase64Encoded, err)
		}
		got := answer.Body
		if answer.IsBase64Encoded {
			decoded, err := base64.StdEncoding.DecodeString(answer.Body)
			if err != nil {
				t.Error(err)
			}
			got = string(decoded)
		}
		headers := http.Header{}
		for name, value := range answer.Headers {
			headers.Set(name, value)
		}
		if got != body || headers.Get("Content-Encoding") != encoding || headers.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %d bytes of %d, headers %v", encoding, len(got), len(body), headers)
		}
	}
}
