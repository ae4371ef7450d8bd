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

// contacts are the addresses and profiles of a resume in order of appearance, each once.
type contacts struct {
	emails   []string // canonical (identity.Email)
	linkedIn []string // canonical profile URLs (identity.LinkedIn)
	gitHub   []string // https://github.com/<user>
}

// findContacts returns the addresses and profiles in the text and among the targets of links, but not those of referees.
func findContacts(blocks []block, targets []string) contacts {
	var c contacts
	for _, b := range blocks {
		if b.section == referees {
			continue
		}
		for _, line := range b.lines {
			for _, u := range urlPattern().FindAllString(line, maxContacts) {
				c.addLink(u)
			}
			for _, e := range emailPattern().FindAllString(line, maxContacts) {
				c.addEmail(e)
			}
		}
	}
	for _, target := range targets {
		c.addTarget(target, blocks)
	}
	c.dropTruncatedURLs()
	return c
}

// addTarget adds the target of a link annotation, except for a referee's e-mail address.
func (c *contacts) addTarget(target string, blocks []block) {
	address, isMail := cutPrefixFold(target, "mailto:")
	if !isMail {
		c.addLink(target)
		return
	}
	address, _, _ = strings.Cut(address, "?")
	if plain, err := url.PathUnescape(address); err == nil && !mentionedIn(blocks, referees, plain) {
		c.addEmail(plain)
	}
}

func mentionedIn(blocks []block, s section, text string) bool {
	return text != "" && slices.ContainsFunc(blocks, func(b block) bool {
		return b.section == s && slices.ContainsFunc(b.lines, func(line string) bool { return strings.Contains(line, text) })
	})
}

func (c *contacts) addEmail(raw string) {
	if email, ok := identity.Email(strings.TrimRight(raw, ".-")); ok {
		c.emails = appendNew(c.emails, email)
	}
}

// addLink adds a URL that is a profile. Trailing brackets and punctuation belong to the sentence
// around it.
func (c *contacts) addLink(raw string) {
	raw = strings.TrimRight(raw, ".:!?)]}'’”")
	if profile, ok := identity.LinkedIn(raw); ok {
		c.linkedIn = appendNew(c.linkedIn, profile)
		return
	}
	if m := githubUser().FindStringSubmatch(raw); m != nil {
		c.gitHub = appendNew(c.gitHub, "https://github.com/"+strings.ToLower(m[1]))
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
func (c *contacts) dropTruncatedURLs() {
	for _, list := range []*[]string{&c.linkedIn, &c.gitHub} {
		whole := slices.Clone(*list)
		*list = slices.DeleteFunc(*list, func(u string) bool {
			return slices.ContainsFunc(whole, func(w string) bool { return w != u && strings.HasPrefix(w, u) && strings.HasPrefix(w[len(u):], "-") })
		})
	}
}
