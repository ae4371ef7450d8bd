package decode

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/google/uuid"
)

// format checks the strings of a format and says what they are.
type format struct {
	valid func(string) bool
	what  string
}

// formats holds one check for each of contract.Formats.
var formats = map[string]format{
	"uuid":      {isUUID, "a UUID"},
	"uri":       {isURI, "an absolute URI such as https://example.com/page"},
	"email":     {isEmail, "an e-mail address such as name@example.com"},
	"linkedin":  {isLinkedIn, "a LinkedIn profile URL such as https://www.linkedin.com/in/name"},
	"printable": {isPrintable, "printable ASCII"},
}

// isUUID accepts the hyphenated form only.
func isUUID(v string) bool { return len(v) == 36 && uuid.Validate(v) == nil }

// isURI accepts an absolute URI: a scheme and a host, or a scheme that has none.
func isURI(v string) bool {
	u, err := url.Parse(v)
	if err != nil || u.Scheme == "" || strings.ContainsAny(v, " \"<>\\^`{|}") || !isPrintable(v) {
		return false
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		return u.Hostname() != ""
	}
	return u.Host != "" || u.Opaque != ""
}

func isPrintable(v string) bool {
	return !strings.ContainsFunc(v, func(r rune) bool { return r < 0x20 || r > 0x7e })
}

// INTERIM: the two checks below give way to identity.Email and
// identity.LinkedIn, the one implementation for dedupe, lookup and checks:
//
//	func isEmail(v string) bool    { _, ok := identity.Email(v); return ok }
//	func isLinkedIn(v string) bool { _, ok := identity.LinkedIn(v); return ok }

var emailForm = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*" +
	`@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$`)

func isEmail(v string) bool {
	local, _, _ := strings.Cut(v, "@")
	return len(local) <= 64 && emailForm.MatchString(v)
}

func isLinkedIn(v string) bool {
	u, err := url.Parse(v)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if host != "linkedin.com" && !strings.HasSuffix(host, ".linkedin.com") {
		return false
	}
	parts := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	return len(parts) > 1 && (parts[0] == "in" || parts[0] == "pub" && len(parts) > 4) && parts[1] != ""
}
