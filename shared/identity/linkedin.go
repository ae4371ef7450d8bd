package identity

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

const (
	linkedInPrefix = "https://www.linkedin.com/in/"
	maxURL         = 2048 // characters
	maxSlug        = 200  // characters; LinkedIn itself allows 100
)

var (
	scheme = text.Expression(`^[A-Za-z][A-Za-z0-9+.-]*://`)
	locale = text.Expression(`^[A-Za-z]{2,3}([-_][A-Za-z]{2,4})?$`)
	// subpage matches the first path segment of a page below a profile.
	subpage = text.Expression(`^(?i:details|overlay|recent-activity)$`)
	pubID   = text.Expression(`^[0-9A-Za-z]{1,4}$`)
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
		s = strings.ToLower(s)
		if s != "http://" && s != "https://" {
			return "", false
		}
		raw = raw[len(s):]
	}
	raw, _, _ = strings.Cut(raw, "#")
	raw, _, _ = strings.Cut(raw, "?")
	authority, path, _ := strings.Cut(raw, "/")
	if !isLinkedInHost(authority) {
		return "", false
	}
	slug, ok := profileSlug(strings.FieldsFunc(path, func(r rune) bool { return r == '/' })) // also of doubled slashes
	if !ok {
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
	slug, ok := strings.CutPrefix(canonical, linkedInPrefix)
	if !ok {
		return ""
	}
	return slug
}

// LinkedInFromSlug returns the URL of a slug, which is canonical if the slug is.
func LinkedInFromSlug(slug string) string { return linkedInPrefix + slug }

// isLinkedInHost compares whole labels: evillinkedin.com and linkedin.com.example.org
// are other hosts, and what precedes the last @ is user information.
func isLinkedInHost(authority string) bool {
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	host, port, _ := strings.Cut(host, ":")
	if strings.Trim(port, "0123456789") != "" {
		return false
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	sub, ok := strings.CutSuffix(host, "linkedin.com")
	if !ok || sub == "" {
		return ok
	}
	return strings.HasSuffix(sub, ".") && strings.Trim(sub, "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
}

// profileSlug returns the slug of in/<slug>[/<locale>], of a page below a profile such as
// in/<slug>/details/…, or of pub/<name>/<a>/<b>/<c>[/<locale>].
func profileSlug(parts []string) (string, bool) {
	if len(parts) < 2 {
		return "", false
	}
	switch strings.ToLower(parts[0]) {
	case "in":
		if isBelowProfile(parts[2:]) {
			return cleanSlug(parts[1])
		}
	case "pub":
		return publicSlug(parts[1:])
	}
	return "", false
}

// isBelowProfile reports whether rest, the segments behind in/<slug>, is empty, a locale or a page
// of the profile.
func isBelowProfile(rest []string) bool {
	switch {
	case len(rest) == 0:
		return true
	case len(rest) == 1 && locale().MatchString(rest[0]):
		return true
	}
	return subpage().MatchString(rest[0])
}

// publicSlug returns the slug of <name>/<a>/<b>/<c>[/<locale>].
func publicSlug(parts []string) (string, bool) {
	hasLocale := len(parts) == 5 && locale().MatchString(parts[4])
	if len(parts) != 4 && !hasLocale {
		return "", false
	}
	slug := parts[0] + "-"
	for _, id := range []string{parts[3], parts[2], parts[1]} {
		if !pubID().MatchString(id) {
			return "", false
		}
		slug += id
	}
	return cleanSlug(slug)
}

// cleanSlug decodes once, composes and lower-cases. It rejects what would change the
// meaning of the canonical URL when it is parsed again (%, /, ?, #), what no browser
// shows (controls, spaces), and dot segments.
func cleanSlug(escaped string) (string, bool) {
	slug, err := url.PathUnescape(escaped)
	if err != nil || !utf8.ValidString(slug) {
		return "", false
	}
	slug = FoldCase(slug)
	if utf8.RuneCountInString(slug) > maxSlug || strings.ContainsFunc(slug, isForbiddenInSlug) {
		return "", false
	}
	return slug, strings.ContainsFunc(slug, isWordRune)
}

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
