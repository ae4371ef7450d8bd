package decode

import (
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// formats holds one check for each of contract.Formats; description is for messages.
var formats = map[string]struct {
	valid       func(string) bool
	description string
}{
	"uuid":      {isUUID, "a UUID"},
	"uri":       {isURI, "an absolute URI such as https://example.com/page"},
	"link":      {IsLink, "an absolute URL such as https://example.com/page, with the scheme " + strings.Join(contract.LinkSchemes, ", ")},
	"email":     {isEmail, "an e-mail address such as name@example.com"},
	"linkedin":  {isLinkedIn, "a LinkedIn profile URL such as https://www.linkedin.com/in/name"},
	"printable": {isPrintable, "printable ASCII"},
	"line":      {text.IsSingleLine, "one line without control characters"},
	"text":      {text.IsPlain, "text without control characters"},
	"id":        {IsID, "an id: 1 to 128 printable ASCII characters without space, /, # and |"},
	"date-time": {isDateTime, "a timestamp such as 2026-03-09T08:30:00Z"},
}

// maxIDLength is the length of the longest id, in bytes.
const maxIDLength = 128

// IsID reports whether v may be an id of the marketplace's. Ids become parts of keys
// and paths.
func IsID(v string) bool {
	if v == "" || len(v) > maxIDLength {
		return false
	}
	return isPrintable(v) && !strings.ContainsAny(v, " /#|")
}

// isDateTime accepts only the years that the wire form can hold.
func isDateTime(v string) bool {
	t, err := time.Parse(time.RFC3339, v)
	year := t.UTC().Year()
	return err == nil && 0 < year && year < 10000
}

// isUUID accepts the hyphenated form only.
func isUUID(v string) bool { return len(v) == 36 && uuid.Validate(v) == nil }

// isURI accepts an absolute URI that has more than a scheme.
func isURI(v string) bool {
	u, err := url.Parse(v)
	if err != nil || u.Scheme == "" {
		return false
	}
	if strings.ContainsAny(v, " \"<>\\^`{|}") || !isPrintable(v) {
		return false
	}
	if slices.Contains(hostSchemes, u.Scheme) {
		return u.Hostname() != ""
	}
	return u.Host != "" || u.Opaque != "" || u.Path != ""
}

// hostSchemes holds the schemes of URIs that begin with a host.
var hostSchemes = []string{"http", "https", "ftp", "ftps"}

// IsLink reports whether v is an absolute URI with one of [contract.LinkSchemes].
func IsLink(v string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(v), ":")
	return isURI(v) && slices.Contains(contract.LinkSchemes, scheme)
}

func isPrintable(v string) bool {
	return !strings.ContainsFunc(v, func(r rune) bool { return r < 0x20 || r > 0x7e })
}

func isEmail(v string) bool {
	_, ok := identity.Email(v)
	return ok
}

func isLinkedIn(v string) bool {
	_, ok := identity.LinkedInURI(v)
	return ok
}

// NoBase64 is the message, after the path, for a text that [Base64] refuses.
const NoBase64 = "is not base64; use standard or URL-safe base64"

// Base64 decodes a text with the standard or the URL-safe alphabet, padded or not, with line
// breaks anywhere, and with or without a data: URL's prefix.
func Base64(s string) ([]byte, error) {
	if strings.HasPrefix(s, "data:") {
		_, after, found := strings.Cut(s, ";base64,")
		if !found {
			return nil, errors.New("the data: URL is not base64")
		}
		s = after
	}
	s = strings.TrimRight(s, "=\r\n")
	if strings.ContainsAny(s, "-_") {
		return base64.RawURLEncoding.DecodeString(s)
	}
	return base64.RawStdEncoding.DecodeString(s)
}

// encodedText is a text in base64, which is decoded by the handler, or here if the request is
// refused anyway, so that the refusal lists all its problems.
type encodedText struct {
	field       string
	path, value string
}
