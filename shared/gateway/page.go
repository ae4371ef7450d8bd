package gateway

import (
	"net/http"
	"strings"
)

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
	x.addCallHeaders()
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
