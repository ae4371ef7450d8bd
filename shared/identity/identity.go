// Package identity decides when two references mean the same person. It is the one
// implementation behind dedupe, lookup, off-market marks and the resume's identity
// check, so that they can never disagree.
//
// It knows two kinds of reference; names, which are evidence and never a key, are compared by
// package personname:
//
//   - [LinkedIn]: a profile URL becomes https://www.linkedin.com/in/<slug>.
//   - [Email]: an address becomes its lower-cased NFC form. Plus tags and dots are
//     kept: at most providers they are different mailboxes.
//
// A canonical form is a fixed point: canonicalising it again changes nothing.
// The package does no I/O, so short links (lnkd.in) are not profile URLs.
package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Hash returns the SHA-256 of an identity's canonical form in lower-case hexadecimal.
// It names the identity without revealing it; erasures are stored by it.
func Hash(canonical string) string {
	sum := sha256.Sum256([]byte(canonical))
	return hex.EncodeToString(sum[:])
}

const (
	linkedInPrefix = "https://www.linkedin.com/in/"
	maxURL         = 2048 // characters
	maxSlug        = 200  // characters; LinkedIn itself allows 100
	locale         = `[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?`
)

var (
	scheme = text.Expression(`^[A-Za-z][A-Za-z0-9+.-]*://`)
	// linkedInHost matches whole labels, in small letters: evillinkedin.com and linkedin.com.example.org are other hosts. What
	// precedes the last @ is user information.
	linkedInHost = text.Expression(`^(?s:.*@)?(?:[a-z0-9.-]*\.)?linkedin\.com\.?(?::[0-9]*)?$`)
	// profilePath matches in/<slug>[/<locale>], and a page below a profile such as in/<slug>/details/….
	profilePath = text.Expression(`^(?i:in)/([^/]+)(?:/` + locale + `|/(?i:details|overlay|recent-activity)(?s:/.*)?)?$`)
	// publicPath matches pub/<name>/<a>/<b>/<c>[/<locale>].
	publicPath = text.Expression(`^(?i:pub)/([^/]+)` + strings.Repeat(`/([0-9A-Za-z]{1,4})`, 3) + `(?:/` + locale + `)?$`)
)

// LinkedIn returns the canonical form of a LinkedIn profile URL,
// https://www.linkedin.com/in/<slug>, and whether raw is one. The scheme may be
// http, https or missing, the host linkedin.com or any subdomain of it. Company,
// school, feed, recruiter and sales pages are not profile URLs.
func LinkedIn(raw string) (canonical string, ok bool) {
	raw = strings.TrimFunc(raw, isPadding)
	if !utf8.ValidString(raw) || utf8.RuneCountInString(raw) > maxURL {
		return "", false
	}
	if s := scheme().FindString(raw); s != "" {
		if !strings.EqualFold(s, "http://") && !strings.EqualFold(s, "https://") {
			return "", false
		}
		raw = raw[len(s):]
	}
	raw, _, _ = strings.Cut(raw, "#")
	raw, _, _ = strings.Cut(raw, "?")
	authority, path, _ := strings.Cut(raw, "/")
	if !linkedInHost().MatchString(strings.ToLower(authority)) {
		return "", false
	}
	path = strings.Join(strings.FieldsFunc(path, func(r rune) bool { return r == '/' }), "/") // trailing and doubled ones mean nothing
	escaped := ""
	if m := profilePath().FindStringSubmatch(path); m != nil {
		escaped = m[1]
	} else if m := publicPath().FindStringSubmatch(path); m != nil {
		escaped = m[1] + "-" + m[4] + m[3] + m[2]
	}
	slug, err := url.PathUnescape(escaped) // once
	if err != nil || !utf8.ValidString(slug) {
		return "", false
	}
	slug = FoldCase(slug)
	isTooLong := utf8.RuneCountInString(slug) > maxSlug
	if isTooLong || strings.ContainsFunc(slug, isForbiddenInSlug) || !strings.ContainsFunc(slug, isWordRune) {
		return "", false
	}
	return LinkedInFromSlug(slug), true
}

// LinkedInURI is [LinkedIn] for a field that must be a URI (contract, format uri):
// with a scheme, and without surrounding space.
func LinkedInURI(raw string) (canonical string, ok bool) {
	if u, err := url.Parse(raw); err != nil || !u.IsAbs() || raw != strings.TrimFunc(raw, isPadding) {
		return "", false
	}
	return LinkedIn(raw)
}

// Slug returns the slug of a URL that [LinkedIn] returned, and "" for anything else.
func Slug(canonical string) string {
	if slug, ok := strings.CutPrefix(canonical, linkedInPrefix); ok {
		return slug
	}
	return ""
}

// LinkedInFromSlug returns the URL of a slug, which is canonical if the slug is.
func LinkedInFromSlug(slug string) string { return linkedInPrefix + slug }

// isForbiddenInSlug reports whether r would change the meaning of the canonical URL when it is parsed
// again (%, /, ?, #), or is what no browser shows (controls, spaces).
func isForbiddenInSlug(r rune) bool {
	if r < utf8.RuneSelf {
		return !isWordRune(r) && !strings.ContainsRune("-_.~'&+", r)
	}
	joiner := r == '\u200c' || r == '\u200d' // between letters of Persian and Indic names, and inside emoji
	isShown := joiner || unicode.IsGraphic(r) && !unicode.IsSpace(r)
	return !isShown
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// isPadding reports whether r is what copying from a page leaves around a URL.
func isPadding(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("\u200b\u200e\u200f\ufeff", r)
}

// FoldCase lower-cases and composes s, so that the spellings of one slug or address
// become equal. Lower-casing can undo composition, so NFC comes last.
func FoldCase(s string) string {
	return norm.NFC.String(strings.ToLower(norm.NFC.String(s)))
}

const (
	maxEmail  = 320  // characters
	maxBytes  = 1024 // of an address, which is the sort key of a member (DynamoDB's limit)
	maxLocal  = 64   // bytes, RFC 5321
	maxDomain = 253  // characters

	atom  = "[\\pL\\pN\\pM!#$%&'*+/=?^_`{|}~-]+" // of RFC 5322 with (RFC 6531) letters of any script
	label = `[\pL\p{Nd}\pM](?:[\pL\p{Nd}\pM-]*[\pL\p{Nd}\pM])?`
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
	if len(local) > maxLocal || !localPart().MatchString(local) {
		return "", false
	}
	if utf8.RuneCountInString(domain) > maxDomain || !twoLabels().MatchString(domain) || longLabel().MatchString(domain) {
		return "", false
	}
	last := domain[strings.LastIndexByte(domain, '.')+1:] // a numeric one would make it an IP address
	if utf8.RuneCountInString(last) < 2 || !strings.ContainsFunc(last, unicode.IsLetter) {
		return "", false
	}
	return canonical, true
}

var (
	localPart = text.Expression(`^` + atom + `(?:\.` + atom + `)*$`)
	// twoLabels matches two labels or more, and longLabel a label of 64 characters, which is one too many.
	twoLabels = text.Expression(`^` + label + `(?:\.` + label + `)+$`)
	longLabel = text.Expression(`[^.]{64}`)
)
