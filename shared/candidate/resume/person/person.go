// Package person finds the name and the addresses of the person whose resume a text is, under its headings. It does not
// know whose resume was expected: resume.CheckIdentity compares.
package person

import (
	"net/url"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

const (
	maxHeaderLines = 15 // that may hold a name or an address

	topLines = 3    // a name without other evidence must be in these
	maxAtTop = 4    // names without other evidence that are kept
	maxNames = 1000 // pieces of lines tried as names; the header of a real resume has a few dozen
)

var (
	ofName  = words.Pattern(`(?i)^(?:<of-name>\s+)?[-–—:：|,.\s]*`) // between the resume's own name and the person's
	sOfName = words.Pattern(`['’]<genitive>?$|[-–—:：|,\s]+$`)      // behind the person's
	// lastBrackets match a note on the person after the name: "(she/her)", "(born 1990)".
	lastBrackets = words.Expression(`(\S)\s*[(\[][^()\[\]]*[)\]]\s*(?:$|([\t,|•·–—:]))`)
	// afterName matches Latin abbreviations of degrees, certificates and generations, which people have in any language.
	afterName  = words.Expression(`(?i)^(?:ph\.?d|m\.?d|mba|m\.?sc|b\.?sc|rn|bsn|msn|cpa|cfa|pmp|csm|p\.?e|p\.?eng|c\.?eng|b\.?eng|m\.?eng|mph|lcsw|edd|psyd|esq|jr|sr|ii|iii|iv|dds|jd|llm|phr|shrm(?:-s?cp)?|cissp|pharmd|dpt|np|fnp)[.®™]*$`)
	generation = words.Expression(`(?i)^(?:jr|sr|ii|iii|iv)\.?$`)
)

type nameSearch struct {
	contacts Contacts
	jobs     []jobs.Experience
	proof    string // addresses before the @, and profiles
	sites    string // hosts after it: the person's, or an agency's
	tried    int
	atTop    []string // names without evidence, up to maxAtTop
}

// FindName returns the first line in the shape of a name that shares a word with an e-mail address or profile of the
// resume, which proves it. Without one it returns a name behind a label, in the largest letters, at the very top of a
// header or above an address, and the other pieces there that have a name's shape: one may be a heading. A name is never
// made from an address.
func FindName(blocks []heading.Block, c Contacts, jobs []jobs.Experience, large []string) (name string, proven bool, others []string) {
	s := nameSearch{contacts: c, jobs: jobs, proof: strings.Join(slices.Concat(c.LinkedIn, c.GitHub), " ")}
	for _, email := range c.Emails {
		local, site, _ := strings.Cut(email, "@")
		s.proof = s.proof + " " + local
		s.sites = s.sites + " " + site
	}
	if name, proven := s.findInHead(blocks); name != "" {
		return name, proven, nil
	}
	largest, proven := s.findLarge(large)
	if proven {
		return largest[0], true, nil
	}
	aside, proven := s.findAside(blocks)
	if proven {
		return aside[0], true, nil
	}
	if len(largest) == 0 {
		s.proof = s.sites
		if name, proven := s.findInHead(blocks); proven {
			return name, true, nil
		}
	}
	named := slices.DeleteFunc(slices.Concat(largest, s.atTop, aside), s.isOfJob)
	if len(named) == 0 {
		return s.findTitled(large), false, nil
	}
	for _, other := range named[1:] {
		if other != named[0] && len(others) < maxAtTop {
			others = append(others, other)
		}
	}
	return named[0], isProvenBy(named[0], s.sites), others
}

// findInHead returns the first name in headers and summaries that is proven, or that follows a label.
func (s *nameSearch) findInHead(blocks []heading.Block) (name string, proven bool) {
	for i, b := range blocks {
		// "RESUME" is also French for a summary, and "CAREER HISTORY" may be the title of a page.
		begins := !slices.ContainsFunc(blocks[:i], func(above heading.Block) bool { return len(above.Lines) > 0 })
		if b.Section != words.HeaderSection && !begins && b.Section != words.SummarySection {
			continue
		}
		isTop := b.Section == words.HeaderSection || begins && b.Section == words.SummarySection
		for n, line := range b.Lines[:min(len(b.Lines), maxHeaderLines)] {
			if name := findLabelledName(line); name != "" && isTop {
				return name, isProvenBy(name, s.proof)
			}
			candidates := nameCandidates(b.Lines, n)
			for i, candidate := range slices.Concat(candidates, sentenceNames(line)) {
				s.tried++
				if s.tried > maxNames {
					return "", false
				}
				name, proven := s.judge(candidate, b.Lines, n)
				if proven {
					return name, true
				}
				isTopLine := isTop && n < topLines && len(line) < 2*heading.MaxLength
				if isTopLine && i < len(candidates) && name != "" && len(s.atTop) < maxAtTop {
					s.atTop = append(s.atTop, name)
				}
			}
		}
	}
	return "", false
}

// judge returns a piece of the line n as a name, with its other parts in the lines below, and
// whether an address proves it. It returns "" for text that is not shaped like a name.
func (s *nameSearch) judge(candidate string, lines []string, n int) (name string, proven bool) {
	line := lines[n]
	cell, _, _ := strings.Cut(line, "\t")
	isCell := candidate == cell
	candidate = joinTornWords(s.cutJobTitle(candidate), s.proof)
	if isCell && s.mayGoOn(candidate, cell != line) {
		candidate = longerName(candidate, cellsBelow(lines, n), s.proof) // "MAYA", "OKAFOR"
	}
	if !isNameShaped(candidate) {
		if s.isSpelled(candidate) && !s.isOfJob(candidate) {
			return writtenName(candidate), strings.Contains(candidate, " ") // one word may be a user's name
		}
		return "", false
	}
	if !isProvenBy(candidate, s.proof) {
		return writtenName(candidate), false
	}
	if n+1 < len(lines) && strings.HasSuffix(line, candidate) {
		candidate = longerName(candidate, lines[n+1:], s.proof)
	}
	return writtenName(candidate), true
}

// mayGoOn reports whether a name may continue in the line below: it is one word, or an address proves it beside other cells.
func (s *nameSearch) mayGoOn(name string, beside bool) bool {
	isWord := len(strings.Fields(name)) == 1
	if isWord && !isNoName(name) {
		return true
	}
	return (isWord || beside) && isProvenBy(name, s.proof)
}

func isProvenBy(name, proof string) bool {
	return slices.ContainsFunc(strings.Fields(personname.Fold(name)), func(word string) bool {
		return len(word) >= 3 && strings.Contains(proof, word)
	})
}

func (s *nameSearch) isOfJob(piece string) bool {
	key := words.HeadingKey(piece)
	return slices.ContainsFunc(s.jobs, func(e jobs.Experience) bool {
		return key == words.HeadingKey(e.Title) || key == words.HeadingKey(e.Company)
	})
}

// cutJobTitle returns a piece without the title of a job behind two words or more: "Maya Okafor Clerk".
func (s *nameSearch) cutJobTitle(piece string) string {
	terms := strings.Fields(piece)
	for n := 2; n < len(terms); n++ {
		tail := words.HeadingKey(strings.Join(terms[n:], " "))
		if slices.ContainsFunc(s.jobs, func(e jobs.Experience) bool { return e.Title != "" && tail == words.HeadingKey(e.Title) }) {
			return strings.Join(terms[:n], " ")
		}
	}
	return piece
}

// findAside returns names that are lines of their own outside the head: those that an address
// proves, or without one those right above an address, at the foot of a page or of a letter.
func (s *nameSearch) findAside(blocks []heading.Block) (names []string, proven bool) {
	for _, b := range blocks {
		isListed := b.Section == words.ExperienceSection || b.Section == words.EducationSection || b.Section == words.RefereesSection
		for n, line := range b.Lines {
			isAbove := n+1 < len(b.Lines) && slices.ContainsFunc(s.contacts.Emails, func(email string) bool {
				return strings.Contains(strings.ToLower(b.Lines[n+1]), email)
			})
			isText := isListed || len(line) > heading.MaxLength
			if b.Section == words.RefereesSection || isText && !isAbove {
				continue
			}
			for _, candidate := range slices.Concat(nameCandidates(b.Lines, n), sentenceNames(line)) {
				s.tried++
				isLast := strings.HasSuffix(line, candidate)
				if s.tried > maxNames || !isNameShaped(candidate) {
					continue
				}
				if (isAbove || isLast) && isProvenBy(candidate, s.proof) {
					return []string{writtenName(candidate)}, true
				}
				if isAbove && isLast && len(names) < maxAtTop {
					names = append(names, writtenName(candidate))
				}
			}
		}
	}
	return names, false
}

func (s *nameSearch) findLarge(large []string) (names []string, proven bool) {
	for _, text := range large {
		for _, candidate := range slices.Concat(nameCandidates([]string{text}, 0), sentenceNames(text)) {
			name, proven := s.judge(candidate, []string{text}, 0)
			if proven {
				return []string{name}, true
			}
			if name != "" && isNameShaped(name) {
				names = append(names, name)
			}
		}
	}
	return names, false
}

// findTitled returns the largest text of the page if it is a name but for words of titles, "Mason Carpenter", and no job title.
func (s *nameSearch) findTitled(large []string) string {
	if len(large) == 0 {
		return ""
	}
	candidate := nameCandidates(large[:1], 0)[0]
	words := strings.Fields(candidate)
	isName := len(words) == 2 && hasNameWords(words) && facts.IsTitle(words[1])
	isOther := s.isOfJob(candidate) || heading.Is(candidate) || facts.IsPlace(candidate)
	if !isName || isOther {
		return ""
	}
	return writtenName(candidate)
}

var (
	// Only Latin letters, so that a Chinese label next to an address does not become part of it.
	emailPattern = words.Expression(`[\p{Latin}\p{Mn}0-9_][\p{Latin}\p{Mn}0-9.!#$%&'*+/=?^_{|}~-]*@[\p{Latin}\p{Mn}0-9-]+(?:\.[\p{Latin}\p{Mn}0-9-]+)+`)
	// URLPattern matches the address of a page within a line.
	URLPattern = words.Expression(`(?i)\b(?:https?://|www\.|(?:[a-z]{2,3}\.)?linkedin\.com/|github\.com/)[^\s<>"|·•,;]+`)
	githubUser = words.Expression(`(?i)^(?:https?://)?(?:www\.)?github\.com/([a-z0-9](?:-?[a-z0-9]){0,38})(?:[/?#]|$)`)
)

// Contacts are the addresses and profiles of a resume in order of appearance, each once.
type Contacts struct {
	Emails   []string // canonical (identity.Email)
	LinkedIn []string // canonical profile URLs (identity.LinkedIn)
	GitHub   []string // https://github.com/<user>
}

// FindContacts returns the addresses and profiles in the text and among the targets of links, but not those of referees.
func FindContacts(blocks []heading.Block, targets []string) Contacts {
	var c Contacts
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
		scheme, address, _ := strings.Cut(target, ":")
		if !strings.EqualFold(scheme, "mailto") {
			c.addLink(target)
			continue
		}
		address, _, _ = strings.Cut(address, "?")
		if plain, err := url.PathUnescape(address); err == nil && !strings.Contains(others, strings.ToLower(plain)) {
			c.addEmail(plain)
		}
	}
	for _, list := range []*[]string{&c.LinkedIn, &c.GitHub} { // without what a line break cut off beside the complete link
		whole := slices.Clone(*list)
		*list = slices.DeleteFunc(*list, func(u string) bool {
			return slices.ContainsFunc(whole, func(w string) bool { return strings.HasPrefix(w, u+"-") })
		})
	}
	return c
}

func (c *Contacts) addEmail(raw string) {
	if email, ok := identity.Email(strings.TrimRight(raw, ".-")); ok {
		c.Emails = words.AppendNew(c.Emails, email)
	}
}

// addLink adds a URL that is a profile. Trailing brackets and punctuation belong to the sentence around it.
func (c *Contacts) addLink(raw string) {
	raw = strings.TrimRight(raw, ".:!?)]}'’”")
	if profile, ok := identity.LinkedIn(raw); ok {
		c.LinkedIn = words.AppendNew(c.LinkedIn, profile)
		return
	}
	if m := githubUser().FindStringSubmatch(raw); m != nil {
		c.GitHub = words.AppendNew(c.GitHub, "https://github.com/"+strings.ToLower(m[1]))
	}
}
