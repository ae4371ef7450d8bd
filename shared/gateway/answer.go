package gateway

import (
	"bytes"
	"compress/gzip"
	"maps"
	"math/rand/v2"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

type response struct {
	status int
	body   []byte
}

// Encode returns the JSON of a response. The gateway uses it for every response, so a
// handler that stores its own stores exactly what is sent. It is compact and
// deterministic, writes a nil slice as [] and a nil map as {}, and leaves "<" and "&"
// as they are. "omitempty" leaves out null, "", [] and {}, but no number or boolean.
func Encode(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// EncodeError returns the body of an error. It leaves out a code that is not
// published with that status, so that none appears by accident.
func EncodeError(e *fault.Error, requestID string) []byte {
	body := contract.ErrorBody{Type: e.Kind.Type, Message: e.Message, RequestID: requestID}
	if e.Kind == fault.Internal {
		body.Message = fault.As(nil).Message // all that a caller sees of it
	}
	if contract.Codes[e.Code] == e.Kind.Status {
		body.Code = e.Code
	}
	if e.Kind == fault.Invalid && (e.Fields != nil || e.Form != nil) {
		body.Details = &contract.ErrorDetails{FormErrors: e.Form, FieldErrors: e.Fields}
	}
	encoded, err := Encode(contract.ErrorEnvelope{Error: body})
	if err != nil { // an envelope holds strings only
		panic(err)
	}
	return encoded
}

// answerError returns the response of an error and keeps the error for the log line.
func (x *exchange) answerError(err error) response {
	e := fault.As(err)
	x.failure = e
	if e.Kind == fault.Unauthenticated {
		x.header.Set("WWW-Authenticate", "Bearer")
	}
	if wait := e.RetryAfter; wait > 0 {
		if e.Kind == fault.Unavailable {
			wait = spreadWait(wait)
		}
		x.header.Set("Retry-After", strconv.Itoa(ceilSeconds(wait)))
	}
	setJSONHeaders(x.header, x.call.RequestID)
	return response{e.Kind.Status, EncodeError(e, x.call.RequestID)}
}

// answerValue returns the response of a handler's value. An error response has none of the handler's headers.
func (x *exchange) answerValue(v any) response {
	if page, ok := v.(Page); ok {
		return x.answerPage(page)
	}
	body, err := Encode(v)
	if err != nil {
		return x.answerError(err)
	}
	maps.Copy(x.header, x.call.header)
	setJSONHeaders(x.header, x.call.RequestID)
	return response{http.StatusOK, x.encodeContent(body)}
}

// setJSONHeaders sets the headers of every response in JSON.
func setJSONHeaders(h http.Header, requestID string) {
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Request-Id", requestID)
}

// answerTooLarge returns the one response without envelope and request id.
func (x *exchange) answerTooLarge() response {
	x.header.Set("Content-Type", "text/plain; charset=utf-8")
	x.header.Set("Cache-Control", "no-store")
	x.header.Set("X-Content-Type-Options", "nosniff")
	return response{http.StatusRequestEntityTooLarge, []byte("The request body is over 12 MB.\n")}
}

// WithUnavailable serves topology.UnavailablePath beside the routes: the body and the headers of
// the response for a request that got none (contract, Errors). CloudFront requests it
// and sends it with the origin's status. One line is logged, from which the time of a request
// id can be found; the cause is in the log of whatever failed.
func WithUnavailable(routes http.Handler, h cloud.Host) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != topology.UnavailablePath {
			routes.ServeHTTP(w, r)
			return
		}
		id := h.NewID().String()
		body := EncodeError(fault.New(fault.Unavailable, contract.NoCode, "The service did not respond. Retry with exponential backoff."), id)
		setJSONHeaders(w.Header(), id)
		w.Header().Set("Retry-After", strconv.Itoa(ceilSeconds(spreadWait(unavailableWait))))
		_, _ = w.Write(body) // CloudFront may have gone
		h.Log.WarnContext(r.Context(), "unavailable", "request_id", id)
	})
}

// unavailableWait is the least wait of a caller without a response.
const unavailableWait = 5 * time.Second

// spreadWait returns a random time from wait to twice as much, so that callers refused by an outage
// at the same moment do not return at the same moment.
func spreadWait(wait time.Duration) time.Duration { return wait + rand.N(wait) }

// Page is the output of an operation that responds with something other than JSON.
// The handler sets its further headers, caching included, with [Call.Header].
type Page struct {
	ContentType string
	Body        []byte
	// Gzip is Body in gzip, for callers who accept that; nil if there is none.
	Gzip []byte
	// ETag names the content (RFC 9110), the same for Body and Gzip, so it must be a weak one. A
	// caller who has that content gets a 304. Empty means none.
	ETag string
}

// answerPage returns a page in the form that the caller accepts, or 304 if the caller has it.
func (x *exchange) answerPage(p Page) response {
	maps.Copy(x.header, x.call.header)
	x.header.Set("Content-Type", p.ContentType)
	x.header.Set("X-Content-Type-Options", "nosniff")
	if p.Gzip != nil {
		x.varyByEncoding()
	}
	if p.ETag != "" {
		x.header.Set("ETag", p.ETag)
		if containsETag(x.request.Header.Get("If-None-Match"), p.ETag) {
			return response{http.StatusNotModified, nil}
		}
	}
	if p.Gzip != nil && acceptsGzip(x.request.Header) {
		x.header.Set("Content-Encoding", "gzip")
		return response{http.StatusOK, p.Gzip}
	}
	return response{http.StatusOK, p.Body}
}

// containsETag reports whether an If-None-Match header names the content, by weak comparison.
func containsETag(header, etag string) bool {
	for entry := range strings.SplitSeq(header, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "*" || strings.TrimPrefix(entry, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}

// encodeContent returns the body of a JSON response in the form that the caller accepts: in gzip if
// the body has the size from which the function compresses.
func (x *exchange) encodeContent(body []byte) []byte {
	if x.cfg.GzipFrom == 0 || len(body) < x.cfg.GzipFrom {
		return body
	}
	x.varyByEncoding()
	if !acceptsGzip(x.request.Header) {
		return body
	}
	x.header.Set("Content-Encoding", "gzip")
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	var out bytes.Buffer
	out.Grow(len(body) / 4)
	w.Reset(&out)
	_, _ = w.Write(body) // into memory, which does not fail
	_ = w.Close()
	return out.Bytes()
}

func (x *exchange) varyByEncoding() {
	x.header.Set("Vary", strings.TrimPrefix(x.header.Get("Vary")+", Accept-Encoding", ", "))
}

// compressors are used again, since a new one takes 800 KB. The fastest level leaves 23 percent of a
// page of roles; the default level leaves 20, for three times the processor time (BenchmarkGzip of functions/roles).
var compressors = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // which fails for an invalid level only
	return w
}}

// acceptsGzip reports whether the Accept-Encoding header names gzip with a weight above 0.
func acceptsGzip(header http.Header) bool {
	for entry := range strings.SplitSeq(strings.Join(header.Values("Accept-Encoding"), ","), ",") {
		coding, parameters, err := mime.ParseMediaType(entry)
		if err != nil || coding != "gzip" {
			continue
		}
		weight, err := strconv.ParseFloat(parameters["q"], 64)
		return err != nil || weight > 0
	}
	return false
}
