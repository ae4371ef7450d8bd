package console

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func redactText(body string) string {
	p := part{contentType: "application/json; charset=utf-8"}
	p.add([]byte(body))
	return p.redacted()
}

func TestRedacted(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"name":"Ada Example","email":"ada@example.com","salaryMin":90000,"resume":{"contentBase64":"QUJD"},"locations":["europe"]}`: `{
  "name": "‹11 characters›",
  "email": "‹15 characters›",
  "salaryMin": 90000,
  "resume": {
    "contentBase64": "‹4 characters›"
  },
  "locations": [
    "europe"
  ]
}`,
		`{"error":{"type":"invalid_request_error","message":"No key \"rmk_test_1\".","details":{"formErrors":[],"fieldErrors":{"email":["email: \"ada@x\" is none."]}}}}`: `{
  "error": {
    "type": "invalid_request_error",
    "message": "No key \"…\".",
    "details": {
      "formErrors": [],
      "fieldErrors": {
        "email": [
          "email: \"…\" is none."
        ]
      }
    }
  }
}`,
		`{"ada@example.com":true,"status":"ada@example.com","id":"a b"}`: `{
  "*": true,
  "status": "‹15 characters›",
  "id": "‹3 characters›"
}`,
		`[1,{},null,"x"]`:        "[\n  1,\n  {},\n  null,\n  \"‹1 characters›\"\n]",
		`"secret"`:               `"‹6 characters›"`,
		`{"status":"queued"`:     "{\n  \"status\": \"queued\"",
		`{"name":"cut off in th`: "{\n  \"name\"",
		``:                       ``,
	} {
		if got := redactText(body); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", body, got, want)
		}
	}
	p := part{contentType: "application/pdf", size: 12, data: []byte("%PDF-secret")}
	if got := p.redacted(); got != "‹12 bytes that are not JSON›" {
		t.Error(got)
	}
}

// Whatever member holds a private text, at any depth, it is not shown.
func TestNoPrivateTextIsShown(t *testing.T) {
	t.Parallel()
	names := []string{"name", "email", "message", "errors", "fieldErrors", "x y", "wilhelmina.quux@example.com"}
	for name := range shownMembers {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, private := range []string{"wilhelmina.quux@example.com", "Wilhelmina Quux", "rmk_test_wilhelmina0123456789quux", "<b>quux</b>", "zyxwv \"quux\" prose"} {
		for _, outer := range names {
			for _, inner := range names {
				sentence := private
				if inner == "message" || slices.Contains(messageMembers, outer) || slices.Contains(messageMembers, inner) {
					sentence = strconv.Quote(private) + " is none." // messages quote what was sent
				}
				body, err := json.Marshal(map[string]any{outer: []any{map[string]any{inner: []string{sentence}, private: sentence}}})
				if err != nil {
					t.Fatal(err)
				}
				if got := strings.ToLower(redactText(string(body))); strings.Contains(got, "quux") {
					t.Errorf("%s.%s shows %q:\n%s", outer, inner, private, got)
				}
			}
		}
	}
}

// A body of brackets does not become a page of spaces.
func TestRedactedIsBounded(t *testing.T) {
	t.Parallel()
	for _, body := range []string{strings.Repeat("[", maxCaptured), strings.Repeat(`{"a":`, maxCaptured/5), "[" + strings.Repeat(`"",`, maxCaptured)} {
		if n := len(redactText(body)); n > 2*maxShown {
			t.Errorf("%d bytes of %.10s…", n, body)
		}
	}
}
