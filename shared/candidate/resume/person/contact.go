package person

import (
	"net/url"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

var (
	// Only Latin letters, so that a Chinese label next to an address does not become part of it.
	emailPattern = words.Expression(`[\p{Latin}\p{Mn}0-9_][\p{Latin}\p{Mn}0-9.!#$%&'*+/=?^_{|}~-]*@[\p{Latin}\p{Mn}0-9-]+(?:\.[\p{Latin}\p{Mn}0-9-]+)+`)
	// URLPattern matches the address of a page within a line.
	URLPattern = words.Expression(`(?i)\b(?:https?://|www\.|(?:[a-z]{2,3}\.)?linkedin\.com/|github\.com/)[^\s<>"|·•,;]+`)
	githubUser = words.Expression(`(?i)^(?:https?://)?(?:www\.)?github\.com/([a-z0-9](?:-?[a-z0-9]){0,38})(?:[/?#]|$)`)
)

// contacts are the addresses and profiles of a resume in order of appearance, each once.
type contacts struct {
	Emails   []string // canonical (identity.Email)
	LinkedIn []string // canonical profile URLs (identity.LinkedIn)
	GitHub   []string // https://github.com/<user>
}

// FindContacts returns the addresses and profiles in the text and among the targets of links, but not those of referees.
func FindContacts(blocks []heading.Block, targets []string) contacts {
	var c contacts
	var referees strings.Builder
	for _, b := range blocks {
		if b.Section == words.RefereesSection {
			referees.WriteString(strings.Join(b.Lines, "")) // an address may be torn
			continue
		}
		for _, line := range b.Lines {
			for _, u := range URLPattern().FindAllString(line, words.MaxValues) {
				c.addLink(u)
			}
			for _, e := range emailPattern().FindAllString(line, words.MaxValues) {
				c.addEmail(e)
			}
		}
	}
	others := strings.ToLower(referees.String())
	for _, target := range targets {
		c.addTarget(target, others)
	}
	c.dropTruncatedURLs()
	return c
}

// addTarget adds the target of a link annotation, except for an e-mail address in the text on referees, in small letters.
func (c *contacts) addTarget(target, referees string) {
	scheme, address, _ := strings.Cut(target, ":")
	if !strings.EqualFold(scheme, "mailto") {
		c.addLink(target)
		return
	}
	address, _, _ = strings.Cut(address, "?")
	if plain, err := url.PathUnescape(address); err == nil && !strings.Contains(referees, strings.ToLower(plain)) {
		c.addEmail(plain)
	}
}

func (c *contacts) addEmail(raw string) {
	if email, ok := identity.Email(strings.TrimRight(raw, ".-")); ok {
		c.Emails = words.AppendNew(c.Emails, email)
	}
}

// addLink adds a URL that is a profile. Trailing brackets and punctuation belong to the sentence
// around it.
func (c *contacts) addLink(raw string) {
	raw = strings.TrimRight(raw, ".:!?)]}'’”")
	if profile, ok := identity.LinkedIn(raw); ok {
		c.LinkedIn = words.AppendNew(c.LinkedIn, profile)
		return
	}
	if m := githubUser().FindStringSubmatch(raw); m != nil {
		c.GitHub = words.AppendNew(c.GitHub, "https://github.com/"+strings.ToLower(m[1]))
	}
}

// dropTruncatedURLs removes URLs that are the beginning of another one: text that a
// line break cut off, beside the complete link.
func (c *contacts) dropTruncatedURLs() {
	for _, list := range []*[]string{&c.LinkedIn, &c.GitHub} {
		whole := slices.Clone(*list)
		*list = slices.DeleteFunc(*list, func(u string) bool {
			return slices.ContainsFunc(whole, func(w string) bool { return strings.HasPrefix(w, u+"-") })
		})
	}
}
