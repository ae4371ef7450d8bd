package console

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// maxCaptured is how many bytes of a body are kept to be shown.
const maxCaptured = 16 << 10

// part is what is shown of the headers, and the beginning of a body.
type part struct {
	headers     []header
	contentType string
	data        []byte
	size        int64 // of the whole body
}

func (p *part) add(data []byte) {
	p.size += int64(len(data))
	if room := maxCaptured - len(p.data); room > 0 {
		p.data = append(p.data, data[:min(room, len(data))]...)
	}
}

// Capture returns a handler that serves with next and reports each request to the recorder, once the response is written. It
// copies at most [maxCaptured] bytes of each body and waits for nothing.
func (r *Recorder) Capture(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, in *http.Request) {
		at := time.Now()
		method := plainName(in.Method)
		var query []string // the names of at most twenty parameters; their values may be addresses
		for parameter := range strings.SplitSeq(in.URL.RawQuery, "&") {
			if name, _, _ := strings.Cut(parameter, "="); parameter != "" && len(query) < 20 {
				query = append(query, plainName(name))
			}
		}
		path := fixedRoute(in.URL.Path)
		sent := &capturedBody{in.Body, part{headers: shownHeaders(in.Header, sentRules), contentType: in.Header.Get("Content-Type")}}
		line := &atomic.Pointer[logLine]{} // which a function sets that may run too long
		observed := in.WithContext(context.WithValue(in.Context(), lineKey{}, line))
		observed.Body = sent
		answered := &capturedWriter{ResponseWriter: w}
		next.ServeHTTP(answered, observed)
		took := time.Since(at)
		requestID := w.Header().Get("X-Request-Id")
		answered.contentType = w.Header().Get("Content-Type")
		answered.headers = shownHeaders(w.Header(), answeredRules)
		r.tell(func() (string, any) {
			v := optional.Value(line.Load())
			return "request", map[string]any{
				"at": at, "method": method, "query": query, "status": answered.status, "ms": took.Milliseconds(), "requestId": requestID,
				"path":      cmp.Or(v["route"], path, "no route, "+v["path_length"]+" characters"),
				"operation": v["operation"], "keyId": v["key_id"], "code": v["code"], "cause": v["cause"], "batchId": v["batch"],
				"sentHeaders": sent.headers, "sentBytes": sent.size, "sent": sent.redacted(),
				"answeredHeaders": answered.headers, "answerBytes": answered.size, "answer": answered.redacted(),
			}
		})
	})
}

// fixedRoute returns the route of a path that has no parameters, which the log line of a page of the reference
// does not name; "" for any other.
func fixedRoute(path string) string {
	relative, _ := strings.CutPrefix(path, contract.BasePath)
	for _, route := range contract.Routes {
		if route.Path == relative && !strings.Contains(relative, "{") {
			return relative
		}
	}
	return ""
}

type capturedBody struct {
	io.ReadCloser
	part
}

// Read implements io.Reader.
func (b *capturedBody) Read(data []byte) (int, error) {
	n, err := b.ReadCloser.Read(data)
	b.add(data[:n])
	return n, err
}

type capturedWriter struct {
	http.ResponseWriter
	part
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *capturedWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *capturedWriter) Write(data []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
	w.add(data)
	return w.ResponseWriter.Write(data)
}

// Unwrap lets http.ResponseController set deadlines.
func (w *capturedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// headerRule is a header that is shown, and what is shown of its value; "" replaces the value by its length.
type headerRule struct {
	name string
	show func(string) string
}

// sentRules are the headers of requests that decide what the service does, or tell who sent them.
var sentRules = []headerRule{
	{"Authorization", showKey}, {"Content-Type", showMediaType},
	{"Idempotency-Key", cloud.LogID}, {"User-Agent", showProducts},
}

// answeredRules are the headers that the service itself writes for callers.
var answeredRules = []headerRule{
	{"X-Request-Id", showAll}, {"Content-Type", showMediaType}, {"Retry-After", showAll}, {"RateLimit", showAll},
	{"RateLimit-Policy", showAll}, {"Idempotent-Replayed", showAll}, {"X-Cursor-Warning", showAll},
	{"X-Ignored-Params", showNames},
}

func shownHeaders(h http.Header, rules []headerRule) []header {
	shown := []header{}
	for _, rule := range rules {
		if value := h.Get(rule.name); value != "" {
			hidden := fmt.Sprintf("‹%d characters›", utf8.RuneCountInString(value))
			shown = append(shown, header{rule.name, cmp.Or(rule.show(value), hidden)})
		}
	}
	return shown
}

var (
	product = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,31}/[0-9][A-Za-z0-9.+-]{0,31}$`)
	media   = regexp.MustCompile(`^[a-z]+/[a-z0-9.+-]+$`)
)

// showKey returns the last four characters of what has the form of an API key, which lists of keys show as well.
func showKey(value string) string {
	key, _ := strings.CutPrefix(value, "Bearer ")
	if _, ok := apikey.Environment(key); !ok {
		return ""
	}
	return "Bearer …" + key[len(key)-4:]
}

func showMediaType(value string) string {
	name, _, err := mime.ParseMediaType(value)
	if err != nil || !media.MatchString(name) {
		return ""
	}
	return name
}

// showProducts leaves out the comments of a User-Agent, which can hold names and e-mail addresses.
func showProducts(value string) string {
	var products []string
	for word := range strings.FieldsSeq(value) {
		if product.MatchString(word) {
			products = append(products, word)
		}
	}
	return strings.Join(products[:min(len(products), 5)], " ")
}

func showAll(value string) string { return value }

func showNames(value string) string {
	names := strings.Split(value, ",")
	for i, name := range names {
		names[i] = plainName(strings.TrimSpace(name))
	}
	return strings.Join(names, ", ")
}

// shownMembers are the members of JSON objects with texts that are shown, if a log may hold them as well
// ([cloud.LogID]): ids, times, codes and values of enumerations. Every other text, in a member that is new as
// well, is replaced by its length: it may be a name, an address, a key or a part of a resume.
var shownMembers = map[string]bool{
	"id": true, "batchId": true, "submissionId": true, "candidateUserId": true, "uploadId": true, "resumeUploadId": true, "roleId": true,
	"candidateId": true, "matchId": true, "callId": true, "agencyId": true, "request_id": true, "clientReferenceId": true,
	"createdAt": true, "updatedAt": true, "expiresAt": true, "occurredAt": true, "addedAt": true,
	"status": true, "type": true, "code": true, "errorCode": true, "resultStatus": true, "environment": true, "scopes": true,
	"keyType": true, "version": true, "entityId": true,
	"locations": true, "workplaceTypes": true, "idealFundingRounds": true, "visaAuthorization": true, "roleType": true,
}

// messageMembers hold sentences of the API's own, which are shown without what they quote of a caller.
var messageMembers = []string{"message", "errorMessage", "formErrors", "fieldErrors", "errors"}

var (
	quoted  = regexp.MustCompile(`"(?:\\.|[^"\\])*"?|'[^']*@[^']*'`)
	address = regexp.MustCompile(`\S*(@|rmk_)\S*`)
	plain   = regexp.MustCompile(`^[A-Za-z0-9_.\[\]-]{1,64}$`)
)

// plainName returns the name of a member or parameter, and "*" for one that may be something else.
func plainName(name string) string {
	if plain.MatchString(name) && !strings.Contains(name, "rmk_") {
		return name
	}
	return "*"
}

// maxShown is about how many bytes of a redacted body are shown.
const maxShown = 4 * maxCaptured

// redacted returns a body as a page may show it: JSON, indented, in which texts are replaced as
// [shownMembers] says. It ends where the JSON does, or what was kept of it.
func (p *part) redacted() string {
	media, _, err := mime.ParseMediaType(p.contentType)
	isJSON := err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
	switch {
	case p.size == 0:
		return ""
	case !isJSON:
		return fmt.Sprintf("‹%d bytes that are not JSON›", p.size)
	}
	shown := redactJSON(p.data)
	if p.size > int64(len(p.data)) {
		shown += fmt.Sprintf("\n‹the rest of %d bytes›", p.size)
	}
	return shown
}

// redactJSON returns JSON that may be cut off, indented and with other texts.
func redactJSON(data []byte) string {
	duplicates := jsontext.AllowDuplicateNames(true)
	invalid := jsontext.AllowInvalidUTF8(true)
	from := jsontext.NewDecoder(bytes.NewReader(data), duplicates, invalid)
	var out strings.Builder
	to := jsontext.NewEncoder(&out, jsontext.WithIndent("  "), duplicates, invalid)
	// names are the members that contain the next token, one a level: an array has that of the level around it.
	names := []string{""}
	isOfMessage := func(name string) bool { return slices.Contains(messageMembers, name) }
	for to.OutputOffset() < maxShown { // indentation makes nested arrays many times as long
		token, err := from.ReadToken()
		if err != nil {
			break
		}
		last := len(names) - 1
		kind, length := to.StackIndex(to.StackDepth())
		isName := kind == '{' && length%2 == 0
		switch token.Kind() {
		case '{', '[':
			names = append(names, names[last])
		case '}', ']':
			names = names[:last]
		case '"':
			text := token.String()
			switch {
			case isName:
				names[last] = plainName(text)
				text = names[last]
			case shownMembers[names[last]] && cloud.LogID(text) == text:
			case slices.ContainsFunc(names, isOfMessage):
				text = withoutQuotes(text)
			default:
				text = fmt.Sprintf("‹%d characters›", utf8.RuneCountInString(text))
			}
			token = jsontext.String(text)
		}
		_ = to.WriteToken(token) // it was read, so it fits
	}
	end := to.OutputOffset()
	for to.StackDepth() > 0 { // so that the encoder holds nothing back
		next := jsontext.EndObject
		switch kind, length := to.StackIndex(to.StackDepth()); {
		case kind == '[':
			next = jsontext.EndArray
		case length%2 == 1: // a member lacks its value
			next = jsontext.Null
		}
		_ = to.WriteToken(next)
	}
	return strings.TrimSuffix(out.String()[:end], "\n")
}

// withoutQuotes returns a sentence without what it quotes, and without addresses and keys.
func withoutQuotes(sentence string) string {
	return address.ReplaceAllString(quoted.ReplaceAllString(sentence, `"…"`), "…")
}
