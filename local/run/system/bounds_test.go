package system_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/conform"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// unenforcedBounds maps bounds of the document, by keyword and field, to the reason why a value past
// them is not refused by naming the field.
var unenforcedBounds = map[string]string{
	"format int64":     "An integer outside 64 bits is clamped (contract, JSON bodies).",
	"minLength cursor": "An empty cursor asks for the first page (contract, Pagination).",
	"minLength path":   "A path with an empty segment is an unknown route (contract, Unknown routes).",
}

// Every bound of the OpenAPI document is enforced: the last value within is accepted, and one past it
// is 400 and names the field.
func TestPublishedBoundsAreEnforced(t *testing.T) {
	t.Parallel()
	sys := newManualSystem(t) // which does not ingest what is accepted
	conform.Watch(t, sys.BaseURL)
	b := &boundsTest{sys: sys.testSystem, keys: map[contract.KeyType]string{
		contract.AgencyKey: sys.newAgencyKey(), contract.PersonalKey: sys.newKey(contract.PersonalKey, demo.OwnerID, demo.OwnerID),
	}}
	b.keys[contract.AnyKey] = b.keys[contract.AgencyKey]
	raw, err := openapi.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &b.document); err != nil {
		t.Fatal(err)
	}
	for _, route := range contract.Routes {
		b.route = route
		b.checkRoute()
	}
	if b.checked < 200 || len(b.unused()) > 0 {
		t.Errorf("%d bounds were checked; not in the document: %v", b.checked, b.unused())
	}
}

// boundsTest walks the document and sends requests at and past its bounds.
type boundsTest struct {
	sys      *testSystem
	keys     map[contract.KeyType]string
	document map[string]any
	route    contract.Route
	maxItems float64 // of the array that was entered last; 0 without a bound
	checked  int
	sent     int
	used     []string // of unenforcedBounds
}

func (b *boundsTest) unused() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(unenforcedBounds)), func(name string) bool { return slices.Contains(b.used, name) })
}

// request is a request in which one value can be replaced. Each place holds values by name.
type request map[string]any

func (b *boundsTest) checkRoute() {
	operation := b.document["paths"].(map[string]any)[b.route.Path].(map[string]any)[strings.ToLower(b.route.Method)].(map[string]any)
	base := request{"path": map[string]any{}, "query": map[string]any{}, "header": map[string]any{}}
	parameters, _ := operation["parameters"].([]any)
	for _, p := range parameters {
		p := p.(map[string]any)
		if p["required"] == true {
			base[p["in"].(string)].(map[string]any)[p["name"].(string)] = b.sampleOf(p["schema"], p["name"].(string))
		}
	}
	bodies := []any{nil}
	if body, ok := operation["requestBody"].(map[string]any); ok {
		bodies = b.listForms(body["content"].(map[string]any)["application/json"].(map[string]any)["schema"])
	}
	for _, body := range bodies {
		if body != nil {
			base["body"] = b.sampleOf(body, "")
			b.checkBounds(base, body, "body")
		}
	}
	for _, p := range parameters {
		p := p.(map[string]any)
		b.checkBounds(base, p["schema"], p["in"].(string), p["name"].(string))
	}
}

// checkBounds checks the bounds of a schema and of all within it. steps lead to its value; "[]" is the
// entry of an array.
func (b *boundsTest) checkBounds(base request, schema any, steps ...string) {
	for _, form := range b.listForms(schema) {
		s := b.resolve(form)
		for keyword, bound := range s {
			if values := b.valuesAround(s, keyword, bound, steps[len(steps)-1]); values != nil {
				b.checkBound(base, keyword, values[:len(values)-1], values[len(values)-1], steps)
			}
		}
		properties, _ := s["properties"].(map[string]any)
		for name, property := range properties {
			b.checkBounds(base, property, append(slices.Clone(steps), name)...)
		}
		if items, ok := s["items"]; ok {
			b.maxItems, _ = s["maxItems"].(float64)
			b.checkBounds(base, items, append(slices.Clone(steps), "[]")...)
		}
	}
}

// excludedTexts are texts of which each published pattern excludes one.
var excludedTexts = []string{" ", "é", "gopher://example.com/", "a\u0000b"}

// valuesAround returns the values at a bound, followed by one past it; nil for a keyword that is none.
func (b *boundsTest) valuesAround(s map[string]any, keyword string, bound any, name string) []any {
	n, _ := bound.(float64)
	entries := func(count int) any {
		return slices.Repeat([]any{b.sampleOf(s["items"], name)}, count)
	}
	switch keyword {
	case "minLength":
		return []any{sampleText(s, int(n)), ""}
	case "maxLength":
		return []any{sampleText(s, int(n)), sampleText(s, int(n)+1)}
	case "minItems":
		return []any{entries(int(n)), entries(int(n) - 1)}
	case "maxItems":
		return []any{entries(int(n)), entries(int(n) + 1)}
	case "minimum":
		return []any{n, n - 1}
	case "maximum":
		return []any{n, n + 1}
	case "enum":
		return append(slices.Clone(bound.([]any)), "no such value")
	case "format":
		return []any{b.sampleOf(s, name), map[string]any{"int64": 1e30}[bound.(string)]}
	case "pattern":
		pattern := regexp.MustCompile(bound.(string))
		past := slices.IndexFunc(excludedTexts, func(text string) bool { return !pattern.MatchString(text) })
		if past < 0 {
			b.sys.t.Errorf("no text is known that the pattern %s excludes", bound)
			return nil
		}
		return []any{b.sampleOf(s, name), excludedTexts[past]}
	}
	return nil
}

// checkBound sends a request for each value within a bound and one for the value past it.
func (b *boundsTest) checkBound(base request, keyword string, within []any, past any, steps []string) {
	if past == nil {
		past = "is of no format"
	}
	for _, name := range []string{keyword + " " + steps[0], keyword + " " + steps[len(steps)-1], keyword + " int64"} {
		if _, ok := unenforcedBounds[name]; ok && (name != "format int64" || past == 1e30) {
			b.used = append(b.used, name)
			return
		}
	}
	b.checked++
	reply, refusal := b.send(base, past, steps)
	if refusal == "" || reply.status != http.StatusBadRequest {
		b.sys.t.Errorf("%s: %s of %v: %.40v is answered by %d %.300s", b.route.Operation, keyword, steps, past, reply.status, reply.body)
		return
	}
	if keyword == "enum" && steps[len(steps)-1] == "[]" {
		b.checkEntries(base, within, steps[:len(steps)-1])
		return
	}
	for _, value := range within {
		reply, complaint := b.send(base, value, steps)
		if reply.status >= http.StatusInternalServerError || complaint != "" && reasonOf(complaint) == reasonOf(refusal) {
			b.sys.t.Errorf("%s: %s of %v: %.40v is answered by %d %.300s", b.route.Operation, keyword, steps, value, reply.status, reply.body)
		}
	}
}

// checkEntries sends the values of an enumeration as entries of one array, or of as many as the array's bound
// needs. No entry may be refused.
func (b *boundsTest) checkEntries(base request, within []any, steps []string) {
	most := len(within)
	if b.maxItems > 0 {
		most = min(most, int(b.maxItems))
	}
	entry := pathOf(steps) + "["
	for entries := range slices.Chunk(within, most) {
		reply, _ := b.send(base, entries, steps)
		refused := slices.ContainsFunc(listMessages(reply, steps), func(message string) bool {
			return strings.HasPrefix(message, entry)
		})
		if reply.status >= http.StatusInternalServerError || refused {
			b.sys.t.Errorf("%s: the entries %v of %v are answered by %d %.300s",
				b.route.Operation, entries, steps, reply.status, reply.body)
		}
	}
}

// reasonOf returns the words with which a message about a value begins.
func reasonOf(message string) string {
	words := strings.Fields(message)
	return strings.Join(words[:min(4, len(words))], " ")
}
