package system_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// send sends the request with one value replaced. It returns what the response says about that value.
func (b *boundsTest) send(base request, value any, steps []string) (reply, string) {
	b.sent++
	if b.sent%50 == 0 {
		b.sys.advanceClock(time.Minute) // into another window of the rate limits
	}
	r := replaceValue(map[string]any(base), steps, value).(map[string]any)
	path := b.route.Path
	for name, v := range r["path"].(map[string]any) {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(fmt.Sprint(v)))
	}
	query := url.Values{}
	for name, v := range r["query"].(map[string]any) {
		query[name] = listTexts(v)
	}
	var headers []string
	for name, v := range r["header"].(map[string]any) {
		headers = append(headers, name, fmt.Sprint(v))
	}
	var body []byte
	if r["body"] != nil {
		body, _ = json.Marshal(r["body"])
	}
	got := b.sys.sendRequest(b.route.Method, path+"?"+query.Encode(), b.keys[b.route.KeyType], body, headers...)
	return got, findMessage(got, steps)
}

// replaceValue returns v with the value that steps lead to replaced.
func replaceValue(v any, steps []string, value any) any {
	if len(steps) == 0 {
		return value
	}
	if steps[0] == "[]" {
		var first any
		if entries, ok := v.([]any); ok && len(entries) > 0 {
			first = entries[0]
		}
		return []any{replaceValue(first, steps[1:], value)}
	}
	o, _ := v.(map[string]any)
	o = maps.Clone(o)
	if o == nil {
		o = map[string]any{}
	}
	o[steps[0]] = replaceValue(o[steps[0]], steps[1:], value)
	return o
}

// listTexts returns the texts of a query parameter.
func listTexts(v any) (texts []string) {
	entries, ok := v.([]any)
	if !ok {
		entries = []any{v}
	}
	for _, entry := range entries {
		if number, ok := entry.(float64); ok {
			entry = int64(number)
		}
		texts = append(texts, fmt.Sprint(entry))
	}
	return texts
}

// findMessage returns what a refusal says about the value that steps lead to, without its path.
func findMessage(r reply, steps []string) string {
	path := pathOf(steps) + ": "
	for _, message := range listMessages(r, steps) {
		if rest, ok := strings.CutPrefix(message, path); ok {
			return rest
		}
	}
	return ""
}

// pathOf returns the path that a refusal gives the value that steps lead to.
func pathOf(steps []string) string {
	return strings.ReplaceAll(strings.Join(steps[1:], "."), ".[]", "[0]")
}

// listMessages returns what a refusal says about the field in which steps begin.
func listMessages(r reply, steps []string) []string {
	var e contract.ErrorEnvelope
	if json.Unmarshal([]byte(r.body), &e) != nil || e.Error.Details == nil {
		return nil
	}
	return e.Error.Details.FieldErrors[steps[1]]
}
