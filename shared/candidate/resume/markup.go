package resume

import (
	"regexp"
	"strings"
	"unicode"
)

const maxMarked = 1000 // lines and texts of a document of which mark-up is kept

// Markup is what a file says of its text beside the text itself. Lines and texts are as in
// the blocks; of equal ones the first counts.
type Markup struct {
	Styles map[string]string // how lines are set: "h2.title", "Heading1"
	Roles  map[string]Role   // what elements are named after: of pieces of lines
	Large  []string          // texts of the first page in letters larger than others, the largest first
}

// Role is what the name of an element says of its text.
type Role byte

const (
	titleRole Role = iota + 1
	companyRole
)

// roleNames match the classes and properties of elements that hold a title or a company.
var roleNames = []struct {
	role Role
	form func() *regexp.Regexp
}{
	{titleRole, expression(`(?i)^(?:.*[-_])?(?:job-?_?title|position(?:-?_?(?:name|title))?|designation|role(?:-?_?(?:name|title))?|hasoccupation|occupation)$`)},
	{companyRole, expression(`(?i)^(?:.*[-_])?(?:company(?:-?_?name)?|employer(?:-?_?name)?|organi[sz]ation(?:-?_?name)?|worksfor)$`)},
}

// findRole returns what the words of an attribute name.
func findRole(words string) Role {
	for _, word := range strings.Fields(words) {
		for _, n := range roleNames {
			if n.form().MatchString(word) {
				return n.role
			}
		}
	}
	return 0
}

// trustedRoles returns what elements are named after, or nil if the words of several, and of more than agree, contradict
// their names: templates reuse what they name after titles for employers.
func trustedRoles(m Markup) map[string]Role {
	agree, contradict := 0, 0
	for text, role := range m.Roles {
		f := newFact(text)
		isTitle, isCompany := f.title && !f.doubtful || isDegree(text), f.company || f.legal
		switch {
		case isTitle == isCompany:
		case isTitle == (role == titleRole):
			agree++
		default:
			contradict++
		}
	}
	if contradict > 1 && contradict > agree {
		return nil
	}
	return m.Roles
}

// addMarkedText adds a line and how it is set.
func (c *collector) addMarkedText(text, style string) {
	c.addText(text)
	if style == "" || len(text) > 4*maxHeading || len(c.doc.Markup.Styles) >= maxMarked {
		return
	}
	if line := tidyLine(text); c.doc.Markup.Styles[line] == "" {
		if c.doc.Markup.Styles == nil {
			c.doc.Markup.Styles = make(map[string]string)
		}
		c.doc.Markup.Styles[line] = style
	}
}

// addRole adds what an element's name says of its text.
func (c *collector) addRole(text string, r Role) {
	if text = trimFact(tidyLine(text)); text == "" || len(text) > maxLine || len(c.doc.Markup.Roles) >= maxMarked || c.doc.Markup.Roles[text] > 0 {
		return
	}
	if c.doc.Markup.Roles == nil {
		c.doc.Markup.Roles = make(map[string]Role)
	}
	c.doc.Markup.Roles[text] = r
}

// styleOf returns how a line is set; a text file has capitals and colons alone.
func styleOf(m Markup, line string) string {
	if style := m.Styles[line]; style != "" {
		return style
	}
	switch {
	case strings.HasSuffix(line, ":"):
		return "colon"
	case strings.ContainsFunc(line, unicode.IsUpper) && !strings.ContainsFunc(line, unicode.IsLower):
		return "capitals"
	}
	return ""
}

// headingStyles returns the styles in which a document sets its headings: those of known
// headings, if at most as many other lines have them.
func headingStyles(m Markup, columns [][]string) map[string]bool {
	known, others := make(map[string]int), make(map[string]int)
	for _, lines := range columns {
		for _, line := range lines {
			style := styleOf(m, line)
			if style == "" {
				continue
			}
			if _, ok := parseHeading(line); ok {
				known[style]++
			} else {
				others[style]++
			}
		}
	}
	found := make(map[string]bool)
	for style, n := range known {
		found[style] = n >= 2 && others[style] <= n+1
	}
	return found
}

// parseStyledHeading returns the section of a line that is set as headings are: what its
// words say, or unknown.
func parseStyledHeading(m Markup, line string, styles map[string]bool) (section, bool) {
	if len(line) > 4*maxHeading || !styles[styleOf(m, line)] || strings.ContainsAny(line, "\t0123456789") || len(strings.Fields(line)) > 5 {
		return "", false
	}
	if isTitle(line) && strings.Contains(line, " ") && personEnding().MatchString(line) {
		return "", false // "SOFTWARE ENGINEER"
	}
	if s, ok := guessSection(line); ok {
		return s, true
	}
	return unknown, m.Styles[line] != "" // of capitals alone a skill may be: "SQL"
}
