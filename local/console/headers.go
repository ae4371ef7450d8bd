package console

import (
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// header is a header of a request or of its response, as a page may show it.
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

// shownHeaders returns those of the rules' headers that h has.
func shownHeaders(h http.Header, rules []headerRule) []header {
	shown := []header{}
	for _, rule := range rules {
		value := h.Get(rule.name)
		if value == "" {
			continue
		}
		text := rule.show(value)
		if text == "" {
			text = fmt.Sprintf("‹%d characters›", utf8.RuneCountInString(value))
		}
		shown = append(shown, header{rule.name, text})
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

// showProducts returns the products of a User-Agent, such as curl/8.5.0, without its comments, which can hold names and
// e-mail addresses.
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

// showNames returns the names of query parameters that the service ignored.
func showNames(value string) string {
	names := strings.Split(value, ",")
	for i, name := range names {
		names[i] = plainName(strings.TrimSpace(name))
	}
	return strings.Join(names, ", ")
}
