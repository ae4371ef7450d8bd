package identity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

const (
	maxEmail  = 320  // characters
	maxBytes  = 1024 // of an address, which is the sort key of a member (DynamoDB's limit)
	maxLocal  = 64   // bytes, RFC 5321
	maxDomain = 253  // characters
)

// Email returns the canonical form of an e-mail address (lower case, NFC) and
// whether raw is exactly one bare address: no display name, no comment, no quoted
// local part, no surrounding space, a domain of at least two labels. Addresses
// and domains in scripts other than Latin are accepted as written.
func Email(raw string) (canonical string, ok bool) {
	if !utf8.ValidString(raw) || utf8.RuneCountInString(raw) > maxEmail {
		return "", false
	}
	canonical = FoldCase(raw)
	local, domain, found := strings.Cut(canonical, "@")
	if !found || len(canonical) > maxBytes || utf8.RuneCountInString(canonical) > maxEmail {
		return "", false
	}
	isLocal := len(local) <= maxLocal && localPart().MatchString(local)
	if !isLocal || !isDomain(domain) {
		return "", false
	}
	return canonical, true
}

const (
	atom  = "[\\pL\\pN\\pM!#$%&'*+/=?^_`{|}~-]+" // of RFC 5322 with (RFC 6531) letters of any script
	label = `[\pL\p{Nd}\pM](?:[\pL\p{Nd}\pM-]*[\pL\p{Nd}\pM])?`
)

var (
	localPart = text.Expression(`^` + atom + `(?:\.` + atom + `)*$`)
	// twoLabels matches two labels or more, and longLabel a label of 64 characters, which is one too many.
	twoLabels = text.Expression(`^` + label + `(?:\.` + label + `)+$`)
	longLabel = text.Expression(`[^.]{64}`)
)

// isDomain reports whether s is a domain of two labels or more. A numeric last label
// would make it an IP address.
func isDomain(s string) bool {
	if utf8.RuneCountInString(s) > maxDomain || !twoLabels().MatchString(s) || longLabel().MatchString(s) {
		return false
	}
	last := s[strings.LastIndexByte(s, '.')+1:]
	return utf8.RuneCountInString(last) > 1 && strings.ContainsFunc(last, unicode.IsLetter)
}
