package openapi

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// JSON is the document in JSON. It is deterministic.
func JSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(Document())
	return out.Bytes(), err
}

// YAML is the document in YAML 1.2, the same data with what a reader looks for
// first in front.
func YAML() ([]byte, error) {
	raw, err := JSON()
	if err != nil {
		return nil, err
	}
	tree := json.NewDecoder(bytes.NewReader(raw))
	tree.UseNumber()
	var document any
	if err := tree.Decode(&document); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	block(&out, document, 0)
	return out.Bytes(), nil
}

// first are the names that precede the others of an object, which follow by alphabet.
var first = []string{
	"openapi", "info", "title", "name", "in", "servers", "tags", "operationId", "summary", "description", "security",
	"type", "required", "parameters", "requestBody", "responses", "paths", "components",
}

func names(o map[string]any) []string {
	rank := func(name string) int {
		if i := slices.Index(first, name); i >= 0 {
			return i
		}
		return len(first)
	}
	return slices.SortedFunc(maps.Keys(o), func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
}

// block writes a value on lines of its own.
func block(out *bytes.Buffer, v any, depth int) {
	indent := strings.Repeat("  ", depth)
	switch v := v.(type) {
	case map[string]any:
		for _, name := range names(v) {
			out.WriteString(indent + scalar(name) + ":")
			nested(out, v[name], depth)
		}
	case []any:
		for _, entry := range v {
			if o, ok := entry.(map[string]any); ok && len(o) > 0 {
				var lines bytes.Buffer
				block(&lines, o, depth+1)
				out.WriteString(indent + "- " + lines.String()[len(indent)+2:]) // the dash takes the first line's indent
				continue
			}
			out.WriteString(indent + "-")
			nested(out, entry, depth)
		}
	}
}

// nested writes a value behind its name or dash: on the line, or below it.
func nested(out *bytes.Buffer, v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			out.WriteString("\n")
			block(out, v, depth+1)
			return
		}
	case []any:
		if len(v) > 0 {
			out.WriteString("\n")
			block(out, v, depth+1)
			return
		}
	case string:
		if text, ok := literal(v, strings.Repeat("  ", depth+1)); ok {
			out.WriteString(text)
			return
		}
	}
	out.WriteString(" " + scalar(v) + "\n")
}

// literal writes a text of several lines as it reads.
func literal(s, indent string) (string, bool) {
	if !strings.Contains(s, "\n") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, "\n") || strings.ContainsFunc(s, unreadable) {
		return "", false
	}
	lines := strings.ReplaceAll(indent+strings.ReplaceAll(s, "\n", "\n"+indent), "\n"+indent+"\n", "\n\n")
	return " |-\n" + lines + "\n", true
}

func unreadable(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }

// plain are strings that no reader of YAML takes for anything else.
var plain = regexp.MustCompile(`^[A-Za-z][A-Za-z_]*([ ./-][A-Za-z][A-Za-z_]*)*$`)

var reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// scalar writes strings that could be read otherwise as JSON does, which is YAML.
func scalar(v any) string {
	if s, ok := v.(string); ok && plain.MatchString(s) && !slices.Contains(reserved, strings.ToLower(s)) {
		return s
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // what came from JSON becomes JSON
	return strings.TrimSuffix(out.String(), "\n")
}
