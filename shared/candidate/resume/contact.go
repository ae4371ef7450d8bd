package resume

import (
	"net/url"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// maxContacts is how many addresses of each kind are kept; a resume has a handful.
const maxContacts = 20

var (
	// Only Latin letters, so that a Chinese label next to an address does not become part of it.
	emailPattern = expression(`[\p{Latin}\p{Mn}0-9_][\p{Latin}\p{Mn}0-9.!#$%&'*+/=?^_{|}~-]*@[\p{Latin}\p{Mn}0-9-]+(?:\.[\p{Latin}\p{Mn}0-9-]+)+`)
	urlPattern   = expression(`(?i)\b(?:https?://|www\.|(?:[a-z]{2,3}\.)?linkedin\.com/|github\.com/)[^\s<>"|·•,;]+`)
	githubUser   = expression(`(?i)^(?:https?://)?(?:www\.)?github\.com/([a-z0-9](?:-?[a-z0-9]){0,38})(?:[/?#]|$)`)
)

// addContacts adds addresses and profiles, but not those of referees.
func (f *Fields) addContacts(blocks []block, targets []string) {
	for _, b := range blocks {
		if b.section == referees {
			continue
		}
		for _, line := range b.lines {
			for _, u := range urlPattern().FindAllString(line, maxContacts) {
				f.addLink(u)
			}
			for _, e := range emailPattern().FindAllString(line, maxContacts) {
				f.addEmail(e)
			}
		}
	}
	for _, target := range targets {
		f.addTarget(target, blocks)
	}
	f.dropTruncatedURLs()
}

// addTarget adds the target of a link annotation, except for a referee's e-mail address.
func (f *Fields) addTarget(target string, blocks []block) {
	address, isMail := cutPrefixFold(target, "mailto:")
	if !isMail {
		f.addLink(target)
		return
	}
	address, _, _ = strings.Cut(address, "?")
	if plain, err := url.PathUnescape(address); err == nil && !mentionedIn(blocks, referees, plain) {
		f.addEmail(plain)
	}
}

func mentionedIn(blocks []block, s section, text string) bool {
	return text != "" && slices.ContainsFunc(blocks, func(b block) bool {
		return b.section == s && slices.ContainsFunc(b.lines, func(line string) bool { return strings.Contains(line, text) })
	})
}

func (f *Fields) addEmail(raw string) {
	if email, ok := identity.Email(strings.TrimRight(raw, ".-")); ok {
		f.Emails = appendNew(f.Emails, email)
	}
}

// addLink adds a URL that is a profile. Trailing brackets and punctuation belong to the sentence
// around it.
func (f *Fields) addLink(raw string) {
	raw = strings.TrimRight(raw, ".:!?)]}'’”")
	if profile, ok := identity.LinkedIn(raw); ok {
		f.LinkedIn = appendNew(f.LinkedIn, profile)
		return
	}
	if m := githubUser().FindStringSubmatch(raw); m != nil {
		f.GitHub = appendNew(f.GitHub, "https://github.com/"+strings.ToLower(m[1]))
	}
}

func appendNew(list []string, value string) []string {
	if len(list) >= maxContacts || slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// dropTruncatedURLs removes URLs that are the beginning of another one: text that a
// line break cut off, beside the complete link.
func (f *Fields) dropTruncatedURLs() {
	for _, list := range []*[]string{&f.LinkedIn, &f.GitHub} {
		whole := slices.Clone(*list)
		*list = slices.DeleteFunc(*list, func(u string) bool {
			return slices.ContainsFunc(whole, func(w string) bool { return w != u && strings.HasPrefix(w, u) && strings.HasPrefix(w[len(u):], "-") })
		})
	}
}
