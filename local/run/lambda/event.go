package lambda

import (
	"encoding/base64"
	"fmt"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// newEvent returns the request in payload format 2.0, without the fields that depend on the route.
func newEvent(r *http.Request, body []byte, id string, now time.Time) events.APIGatewayV2HTTPRequest {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	path := "/" + strings.TrimPrefix(r.URL.Path, "/") // the path of OPTIONS * has no slash
	event := events.APIGatewayV2HTTPRequest{
		Version:               "2.0",
		RawPath:               path, // decoded, as by HTTP API, in spite of the name
		RawQueryString:        r.URL.RawQuery,
		Cookies:               splitCookies(r),
		Headers:               joinHeaders(r, host),
		QueryStringParameters: joinValues(r.URL.Query()),
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			AccountID:    "000000000000",
			APIID:        "local",
			Stage:        "$default",
			RequestID:    id,
			DomainName:   r.Host, // with its port, so that links built from it work
			DomainPrefix: "local",
			Time:         now.UTC().Format("02/Jan/2006:15:04:05 -0700"),
			TimeEpoch:    now.UnixMilli(),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method:    r.Method,
				Path:      path,
				Protocol:  r.Proto,
				SourceIP:  host,
				UserAgent: r.UserAgent(),
			},
		},
	}
	event.Body, event.IsBase64Encoded = encodeBody(body, r.Header.Get("Content-Type"))
	return event
}

// joinHeaders returns the headers under lower-case names, repeated ones joined with commas, without cookies, which have
// their own field.
func joinHeaders(r *http.Request, sourceIP string) map[string]string {
	all := map[string]string{}
	for name, values := range r.Header {
		all[strings.ToLower(name)] = strings.Join(values, ",")
	}
	delete(all, "cookie")
	all["host"] = r.Host
	if before := all["x-forwarded-for"]; before != "" {
		sourceIP = before + ", " + sourceIP
	}
	all["x-forwarded-for"] = sourceIP
	all["x-forwarded-proto"] = "http"
	return all
}

func splitCookies(r *http.Request) (all []string) {
	for _, header := range r.Header["Cookie"] {
		for cookie := range strings.SplitSeq(header, ";") {
			all = append(all, strings.TrimSpace(cookie))
		}
	}
	return all
}

func joinValues(values map[string][]string) map[string]string {
	all := map[string]string{}
	for name, v := range values {
		all[name] = strings.Join(v, ",")
	}
	return all
}

// encodeBody leaves text as it is and encodes everything else in base64, including a body without a content type. Text
// that is not UTF-8 is encoded too, which preserves it: JSON cannot hold it, and what HTTP API does is not documented.
func encodeBody(body []byte, contentType string) (encoded string, isBase64 bool) {
	if len(body) == 0 || isText(contentType) && utf8.Valid(body) {
		return string(body), false
	}
	return base64.StdEncoding.EncodeToString(body), true
}

// isText reports whether HTTP API passes a media type on as text. Form data is not text.
func isText(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(contentType, ";")
	}
	media = strings.ToLower(strings.TrimSpace(media))
	switch media {
	case "application/json", "application/xml", "application/javascript":
		return true
	}
	return strings.HasPrefix(media, "text/")
}

// writeResponse writes a function's response as HTTP API does; it ignores multiValueHeaders. If it returns an error,
// nothing has been written.
func writeResponse(w http.ResponseWriter, response events.APIGatewayV2HTTPResponse) error {
	if response.StatusCode < 200 || response.StatusCode > 599 {
		return fmt.Errorf("the function answered status %d", response.StatusCode)
	}
	body := []byte(response.Body)
	if response.IsBase64Encoded {
		var err error
		body, err = base64.StdEncoding.DecodeString(response.Body)
		if err != nil {
			return fmt.Errorf("the function's base64 body: %w", err)
		}
	}
	header := w.Header()
	for name, value := range response.Headers {
		if !hopByHop[http.CanonicalHeaderKey(name)] {
			header.Set(name, value)
		}
	}
	for _, cookie := range response.Cookies {
		header.Add("Set-Cookie", cookie)
	}
	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", "text/plain;charset=UTF-8")
	}
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(body) // the client may have disconnected, which the function cannot learn
	return nil
}

// hopByHop are the headers that only the gateway sets; those of a function are dropped.
var hopByHop = map[string]bool{"Connection": true, "Content-Length": true, "Transfer-Encoding": true}
