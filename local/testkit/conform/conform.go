// Package conform compares answers with the API's published OpenAPI document, for
// the end-to-end tests: [Watch] fails a test if its system answers anything that
// the document does not describe.
//
// It is stricter than a client may be: it also reports a field or a header that is
// not published, and a value beyond an extensible enumeration. It knows only the
// document, not the types that the document was made from.
//
// Why it is not pb33f/libopenapi-validator is in docs/adr/031.
package conform

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

type object = map[string]any

// document is a published OpenAPI document to compare responses with.
type document struct {
	root object

	mu       sync.Mutex
	compiler *jsonschema.Compiler
}

const location = "https://openapi.example.com/openapi.json"

// published returns the document of this source, with its objects and enumerations closed.
var published = sync.OnceValues(func() (*document, error) {
	content, err := openapi.JSON()
	if err != nil {
		return nil, err
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	closeSchemas(parsed)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	return &document{root: parsed.(object), compiler: c}, c.AddResource(location, parsed)
})

// closeSchemas closes the objects and enumerations of v and of all below it.
func closeSchemas(v any) {
	switch v := v.(type) {
	case object:
		if _, isObject := v["properties"].(object); isObject && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		if values, ok := v["x-extensible-enum"].([]any); ok {
			if _, several := v["type"].([]any); several { // of which one is null
				values = append(values, nil)
			}
			v["enum"] = values
		}
		for _, inner := range v {
			closeSchemas(inner)
		}
	case []any:
		for _, inner := range v {
			closeSchemas(inner)
		}
	}
}

// Response is a response with its body read. Path is below the base path, escaped.
type Response struct {
	Method, Path string
	Status       int
	Header       http.Header
	Body         []byte
}

// Check returns how a response differs from the published document; nil if it does not.
func Check(a Response) error {
	d, err := published()
	if err != nil {
		return err
	}
	response, pointer := d.responseOf(a)
	if response == nil {
		return fmt.Errorf("%s %s answers %d, which is not published: %.500s", a.Method, a.Path, a.Status, a.Body)
	}
	if err := d.checkHeaders(a, response); err != nil {
		return fmt.Errorf("%s %s, %d: %w", a.Method, a.Path, a.Status, err)
	}
	if err := d.checkBody(a, response, pointer); err != nil {
		return fmt.Errorf("%s %s, %d: %w\n%.2000s", a.Method, a.Path, a.Status, err, a.Body)
	}
	return nil
}

// responseOf returns the description of the response, and its location. A path
// that is not in the document gets 404 or, before it is looked at, 413.
func (d *document) responseOf(a Response) (object, []string) {
	paths, _ := d.root["paths"].(object)
	template := findTemplate(paths, a.Method, a.Path)
	at := []string{"paths", template, strings.ToLower(a.Method), "responses", strconv.Itoa(a.Status)}
	if template == "" {
		at = []string{"components", "responses", map[int]string{404: "NotFound", 413: "Other"}[a.Status]}
	}
	response, _ := d.valueAt(at).(object)
	isOther := a.Status == 413 || a.Status == 431 || a.Status > 500 // too large, or not available: no operation lists those
	if response == nil && isOther {
		at[len(at)-1] = "default"
		response, _ = d.valueAt(at).(object)
	}
	if ref, ok := response["$ref"].(string); ok {
		at = strings.Split(strings.TrimPrefix(ref, "#/"), "/")
		response, _ = d.valueAt(at).(object)
	}
	return response, at
}

func (d *document) valueAt(at []string) any {
	var v any = d.root
	for _, name := range at {
		o, _ := v.(object)
		v = o[name]
	}
	return v
}

// parameter is a segment of a template that any but an empty one matches.
var parameter = regexp.MustCompile(`{[^/]*}`)

// findTemplate returns the template of the document that a path matches. A literal
// segment beats a parameter.
func findTemplate(paths object, method, sent string) (best string) {
	for template, item := range paths {
		if operations, ok := item.(object); !ok || operations[strings.ToLower(method)] == nil {
			continue
		}
		isMatch, _ := path.Match(parameter.ReplaceAllString(template, "?*"), sent)
		if isMatch && (best == "" || strings.Count(template, "{") < strings.Count(best, "{")) {
			best = template
		}
	}
	return best
}

// checkHeaders compares the API's own headers with the published ones. Those of HTTP
// itself and of the reference page are not in the document.
func (d *document) checkHeaders(a Response, response object) error {
	published, _ := response["headers"].(object)
	headers := map[string]string{} // by their canonical form
	for name := range published {
		headers[http.CanonicalHeaderKey(name)] = name
	}
	for name, values := range a.Header {
		own := strings.HasPrefix(name, "X-") || strings.HasPrefix(name, "Ratelimit") || name == "Retry-After" || name == "Idempotent-Replayed"
		if !own || isText(a) {
			continue
		}
		if headers[name] == "" {
			return fmt.Errorf("the header %s is not published", name)
		}
		at := []string{"components", "headers", headers[name], "schema"}
		var v any = values[0]
		var err error
		if schema, _ := d.valueAt(at).(object); schema["type"] == "integer" {
			v = json.Number(values[0])
			_, err = strconv.Atoi(values[0])
		}
		if err == nil {
			err = d.validateAt(at, v)
		}
		if err != nil {
			return fmt.Errorf("the header %s: %w", name, err)
		}
	}
	return nil
}

// isText reports whether it is the one response without an envelope.
func isText(a Response) bool { return a.Status == 413 }

func (d *document) checkBody(a Response, response object, at []string) error {
	media, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	content, _ := response["content"].(object)
	if isText(a) && media == "text/plain" {
		return nil
	}
	if content[media] == nil {
		return fmt.Errorf("the content type %s is not published", media)
	}
	var v any = string(a.Body)
	if media == "application/json" {
		v, err = jsonschema.UnmarshalJSON(bytes.NewReader(a.Body))
		if err != nil {
			return err
		}
	}
	return d.validateAt(append(at[:len(at):len(at)], "content", media, "schema"), v)
}

func (d *document) validateAt(at []string, v any) error {
	var pointer strings.Builder
	for _, name := range at {
		pointer.WriteString("/" + escape.Replace(name))
	}
	d.mu.Lock()
	schema, err := d.compiler.Compile(location + "#" + pointer.String())
	d.mu.Unlock()
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// escape escapes a name for a JSON pointer in a URL.
var escape = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")

type watcher struct {
	base  http.RoundTripper
	tests sync.Map // host → testing.TB
	// differed reports whether a system that no test watches has given a response that differs from the published document.
	differed atomic.Bool
}

var watching = &watcher{}

// Run watches the default transport, which every client of the tests uses, while
// the tests run: os.Exit(conform.Run(m.Run)). The result is not 0 if an answer
// differed that belongs to no watched system.
func Run(tests func() int) int {
	watching.base = http.DefaultTransport
	http.DefaultTransport = watching
	code := tests()
	if watching.differed.Load() {
		code = max(code, 1)
	}
	return code
}

// Watch fails the test for every response of a system that differs from the document.
// It takes effect below [Run].
func Watch(t testing.TB, baseURL string) {
	if u, err := url.Parse(baseURL); err != nil {
		t.Errorf("conform: %v", err)
	} else {
		watching.tests.Store(u.Host, t)
		t.Cleanup(func() { watching.tests.Delete(u.Host) })
	}
}

// RoundTrip makes the request and checks its response, if there is one of the API.
func (w *watcher) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := w.base.RoundTrip(r)
	path, isAPI := strings.CutPrefix(r.URL.EscapedPath(), contract.BasePath)
	if err != nil || !isAPI {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	err = cmp.Or(err, response.Body.Close())
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	err = Check(Response{r.Method, path, response.StatusCode, response.Header, body})
	if err == nil {
		return response, nil
	}
	if t, ok := w.tests.Load(r.URL.Host); ok {
		t.(testing.TB).Errorf("not as published: %v", err)
	} else {
		fmt.Fprintln(os.Stderr, "not as published:", err)
		w.differed.Store(true)
	}
	return response, nil
}
