package identity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxEmail  = 320  // characters
	maxBytes  = 1024 // of an address, which is the sort key of a member (DynamoDB's limit)
	maxLocal  = 64   // bytes, RFC 5321
	maxDomain = 253  // characters
	maxLabel  = 63   // characters
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
	if !isLocalPart(local) || !isDomain(domain) {
		return "", false
	}
	return canonical, true
}

func isLocalPart(s string) bool {
	if s == "" || len(s) > maxLocal || strings.TrimLeftFunc(s, isInLocalPart) != "" {
		return false
	}
	return s[0] != '.' && s[len(s)-1] != '.' && !strings.Contains(s, "..")
}

// isInLocalPart reports whether r is in RFC 5322's atom, a dot, or (RFC 6531) a letter of any script.
func isInLocalPart(r rune) bool {
	return isWordRune(r) || unicode.IsMark(r) || strings.ContainsRune(".!#$%&'*+-/=?^_`{|}~", r)
}

// isDomain reports whether s is a domain of two labels or more. A numeric last label
// would make it an IP address.
func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	if len(labels) < 2 || utf8.RuneCountInString(s) > maxDomain {
		return false
	}
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
	}
	last := labels[len(labels)-1]
	return utf8.RuneCountInString(last) > 1 && strings.ContainsFunc(last, unicode.IsLetter)
}

func isLabel(s string) bool {
	if s == "" || utf8.RuneCountInString(s) > maxLabel || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	return strings.TrimLeftFunc(s, isInLabel) == ""
}

func isInLabel(r rune) bool {
	return r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
