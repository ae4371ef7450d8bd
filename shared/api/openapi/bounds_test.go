package openapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// formatKeywords maps each format of package contract to the keywords that publish it.
var formatKeywords = map[string][]string{
	"uuid": {"format"}, "uri": {"format"}, "link": {"format", "pattern"}, "email": {"format"}, "linkedin": {"format"},
	"printable": {"pattern"}, "line": {"pattern"}, "text": {"pattern"}, "id": {"pattern"}, "date-time": {"format"},
}

// Every bound that the decoder enforces is in the document. local/run/system holds the opposite.
func TestEnforcedBoundsArePublished(t *testing.T) {
	t.Parallel()
	b := &publishedBounds{t: t, document: publishedDocument(t)}
	for _, r := range contract.Routes {
		o := valueAt(t, b.document, "paths", r.Path, strings.ToLower(r.Method)).(object)
		parameters, _ := o["parameters"].([]any)
		for _, f := range contract.SchemaOf(r.Input).Fields {
			if f.In == contract.InBody {
				schema := valueAt(t, o, "requestBody", "content", "application/json", "schema")
				b.check(r.Operation+" "+f.Name, f.Schema, b.property(schema, f.Name))
			}
			for _, p := range parameters {
				if valueAt(t, p, "in") == string(f.In) && valueAt(t, p, "name") == f.Name {
					b.check(r.Operation+" "+f.Name, f.Schema, []any{valueAt(t, p, "schema")})
					b.checkPage(r, f, valueAt(t, p, "schema").(object))
				}
			}
		}
	}
	if b.checked < 200 {
		t.Errorf("only %d bounds were checked", b.checked)
	}
}

type publishedBounds struct {
	t        *testing.T
	document object
	checked  int
}

// forms returns the alternatives of a published schema.
func (b *publishedBounds) forms(published any) []object {
	o := published.(object)
	if ref, ok := o["$ref"].(string); ok {
		return b.forms(valueAt(b.t, b.document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...))
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if alternatives, ok := o[keyword].([]any); ok {
			var all []object
			for _, a := range alternatives {
				all = append(all, b.forms(a)...)
			}
			return all
		}
	}
	return []object{o}
}

// property returns the published schemas of a field, one for each form that has it.
func (b *publishedBounds) property(published any, name string) (all []any) {
	for _, form := range b.forms(published) {
		if properties, ok := form["properties"].(object); ok && properties[name] != nil {
			all = append(all, properties[name])
		}
	}
	return all
}

// check holds that each published schema of a value has all bounds of s.
func (b *publishedBounds) check(path string, s *contract.Schema, published []any) {
	if len(published) == 0 {
		b.t.Errorf("%s is not published", path)
	}
	for _, p := range published {
		for keyword, bound := range boundsOf(s) {
			b.checked++
			if !b.publishes(p, keyword, bound) {
				b.t.Errorf("%s: %s of %v is enforced and not published: %v", path, keyword, bound, b.forms(p))
			}
		}
		if s.Items != nil {
			b.check(path+"[]", s.Items, []any{b.forms(p)[0]["items"]})
		}
		for _, f := range s.Fields {
			b.check(path+"."+f.Name, f.Schema, b.property(p, f.Name))
		}
	}
}

// publishes reports whether a form of a published schema has the keyword, with that value unless it is nil.
func (b *publishedBounds) publishes(published any, keyword string, bound any) bool {
	for _, form := range b.forms(published) {
		if value, ok := form[keyword]; ok && (bound == nil || fmt.Sprint(value) == fmt.Sprint(bound)) {
			return true
		}
	}
	return false
}

// boundsOf returns what the decoder enforces of a value alone, by keyword; nil stands for any value.
func boundsOf(s *contract.Schema) map[string]any {
	least := "minimum"
	most := "maximum"
	switch s.Kind {
	case contract.KindString:
		least = "minLength"
		most = "maxLength"
	case contract.KindArray:
		least = "minItems"
		most = "maxItems"
	}
	all := map[string]any{}
	if s.Min != nil {
		all[least] = *s.Min
	}
	if s.Max != nil {
		all[most] = *s.Max
	}
	if s.Range != nil {
		all[least] = s.Range[0]
		all[most] = s.Range[1]
	}
	if s.Nonblank {
		all["pattern"] = `\S`
	}
	if s.Enum != nil {
		all["enum"] = s.Enum.Values
	}
	switch {
	case s.Const != "" && s.Kind == contract.KindBoolean:
		all["not"] = map[string]any{"const": s.Const != "true"}
	case s.Const != "":
		all["const"] = s.Const
	}
	if s.Encoding != "" {
		all["contentEncoding"] = s.Encoding
	}
	for _, keyword := range formatKeywords[s.Format] {
		all[keyword] = nil
	}
	return all
}

// checkPage holds the bounds of the size of a page, whose maximum is enforced on the agency surface alone.
func (b *publishedBounds) checkPage(r contract.Route, f contract.Field, published object) {
	page := f.Schema.Page
	if page == nil {
		return
	}
	bounds := map[string]any{"minimum": 1, "default": page.Default}
	if r.KeyType == contract.AgencyKey {
		bounds["maximum"] = page.Max
	}
	for keyword, bound := range bounds {
		if !b.publishes(published, keyword, bound) {
			b.t.Errorf("%s %s: %s of %v is not published", r.Operation, f.Name, keyword, bound)
		}
	}
}
